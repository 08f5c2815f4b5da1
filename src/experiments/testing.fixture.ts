/** What the tests of this folder share: geometries and reports with the first article's numbers. */
import { readGeometry } from '../geometry/read-config';
import type { Geometry } from '../geometry/geometry';
import type { Pass, Report } from '../protocol/messages';
import { defaultRecipe, DTYPE_BYTES } from '../protocol/recipe';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord, ModelRecord } from '../protocol/record';
import { applyReport, startRecord } from './assemble';
import { UNKNOWN_HOST, type Host, type Models } from './models';
import type { Plan } from './plan';
import { planRun } from './plan';

export const QWEN = 'twin:Qwen/Qwen2.5-0.5B-Instruct';
export const SMOLLM = 'twin:HuggingFaceTB/SmolLM2-135M-Instruct';
export const GPT2 = 'twin:openai-community/gpt2';
/** Qwen with keys and values of all its 14 attention heads. */
export const QWEN_MHA = 'mha:Qwen/Qwen2.5-0.5B-Instruct';

const QWEN_CONFIG = {
  model_type: 'qwen2',
  num_hidden_layers: 24,
  hidden_size: 896,
  num_attention_heads: 14,
  num_key_value_heads: 2,
  max_position_embeddings: 32768,
};
const GEOMETRIES: Record<string, Geometry> = {
  [QWEN]: readGeometry(QWEN_CONFIG),
  [QWEN_MHA]: readGeometry({ ...QWEN_CONFIG, num_key_value_heads: 14 }),
  [SMOLLM]: readGeometry({
    model_type: 'llama',
    num_hidden_layers: 30,
    hidden_size: 576,
    num_attention_heads: 9,
    num_key_value_heads: 3,
    max_position_embeddings: 8192,
  }),
  [GPT2]: readGeometry({ model_type: 'gpt2', n_layer: 12, n_head: 12, n_embd: 768, n_positions: 1024 }),
};

/** @throws Error for a model that the fixture does not have. */
export function geometryOf(id: string): Geometry {
  const geometry = GEOMETRIES[id];
  if (geometry === undefined) throw new Error(`no geometry of ${id}`);
  return geometry;
}

export const MODELS: Models = {
  geometryOf,
  itemSizeOf: (_, dtype) => DTYPE_BYTES[dtype],
  variantFault: () => null,
  counterfactualOf: (id) => (id === QWEN ? QWEN_MHA : null),
  promptTokensOf: (_, prompt) => prompt.length,
};

export const CTX = { models: MODELS, background: false };

export function lengthRecipe(patch: Partial<Recipe> = {}): Recipe {
  return { ...defaultRecipe('length'), model: [QWEN], tokens: [128, 512], ...patch };
}

/** The article's growth: 6 prompt tokens, 32 steps. */
export function growthRecipe(patch: Partial<Recipe> = {}): Recipe {
  return { ...defaultRecipe('growth'), model: [QWEN], prompt: 'prompt', steps: 32, ...patch };
}

export function begin(
  recipe: Recipe,
  host: Host = UNKNOWN_HOST,
): { plan: Plan; record: LabRecord; pass: Pass } {
  const plan = planRun(recipe, MODELS, host);
  const [pass] = plan.passes;
  if (pass === undefined) throw new Error('the plan has no pass');
  return {
    plan,
    pass,
    record: startRecord({
      recipe,
      url: 'https://lab.example/',
      plan,
      createdAt: '2026-05-09T12:00:00.000Z',
      processReason: 'not asked for',
    }),
  };
}

export function apply(record: LabRecord, pass: Pass, reports: Report[]): LabRecord {
  return reports.reduce((done, report) => applyReport(done, pass, report, CTX), record);
}

/** A model of Qwen3.5-2B's shape with so many layers, of which every fourth keeps 2 KV heads x 256; the others are linear. */
export function hybrid(layers: number): Geometry {
  return readGeometry({
    model_type: 'qwen3_5_text',
    hidden_size: 2048,
    num_hidden_layers: layers,
    num_attention_heads: 8,
    num_key_value_heads: 2,
    head_dim: 256,
    full_attention_interval: 4,
    linear_conv_kernel_dim: 4,
    linear_key_head_dim: 128,
    linear_value_head_dim: 128,
    linear_num_key_heads: 16,
    linear_num_value_heads: 16,
  });
}

export function modelReport(
  id: string,
  bytesPerToken: number,
  notes: string[] = [],
  patch: Partial<ModelRecord> = {},
): Report {
  const model: ModelRecord = {
    id,
    revision: '7ae557604adf',
    source: 'twin',
    dtype: 'fp32',
    geometry: geometryOf(id),
    geometryFrom: 'config',
    cacheType: 'float32',
    graphCache: [],
    graphAttentionHeads: 2,
    parameters: null,
    weightBytes: null,
    graphBytes: 1,
    bytesPerToken,
    cacheLocations: {},
    deviceBytes: { beforeLoad: 0, loaded: 1, released: null },
    loadMs: 1,
    notes,
    ...patch,
  };
  return { type: 'model', passId: 0, model };
}

export function cellReport(
  tokens: number,
  tensorBytes: number,
  residentBytes: number | null = tensorBytes,
): Report {
  const deviceBytes = { before: 1, after: 2, peak: 3 };
  const notTaken = { processBytesBefore: null, processBytes: null, logitsBytes: 1024 };
  return {
    type: 'cell',
    passId: 0,
    cell: { tokens, tensorBytes, residentBytes, deviceBytes, ...notTaken, prefillMs: 4 },
  };
}

export function stepReport(tokens: number, tensorBytes: number, residentBytes: number | null = null): Report {
  const step = { tokens, tensorBytes, residentBytes, deviceBytes: null, processBytes: null, ms: 5 };
  return { type: 'step', passId: 0, step };
}

/** The article's growth as reports: 147,456 bytes for 6 tokens, then `count` steps of 24,576 bytes. */
export function growthReports(count: number): Report[] {
  const steps = Array.from({ length: count }, (_, index) =>
    stepReport(7 + index, 147456 + 24576 * (index + 1)),
  );
  const prompt = { tokens: 6, tensorBytes: 147456, residentBytes: null, processBytes: null };
  return [{ type: 'prompt', passId: 0, ...prompt }, ...steps];
}
