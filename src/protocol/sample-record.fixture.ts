/** Records for tests, with the bytes that shared/platform-notes.md saw in a page (Qwen2.5-0.5B’s geometry: 24 x 2 x 64, fp32). */
import type { Geometry } from '../geometry/geometry';
import { defaultRecipe } from './recipe';
import type { Cell, Environment, Growth, LabRecord, ModelRecord, Step } from './record';

export const QWEN = 'twin:Qwen/Qwen2.5-0.5B-Instruct';
export const GPT2 = 'twin:openai-community/gpt2';

const environment: Environment = {
  app: '0.1.0',
  commit: 'unknown',
  transformers: '4.3.2',
  onnxruntime: '1.31.0-dev.20260914-8d85527a0',
  browser: 'Chromium 156',
  os: 'Linux',
  backend: 'webgpu',
  adapter: { vendor: 'google', architecture: 'swiftshader', device: '', description: '', fallback: true },
  features: ['subgroups', 'timestamp-query'],
  limits: { maxBufferSize: 1073741824 },
  adapterLimits: { maxBufferSize: 1073741824 },
  allocator: 'bucket',
  crossOriginIsolated: true,
  threads: 2,
};

const qwenGeometry: Geometry = {
  modelType: 'qwen2',
  layers: 1,
  attentionHeads: 14,
  kvHeads: 2,
  headDim: 64,
  hiddenSize: 896,
  maxPositions: 32768,
  caches: [
    {
      layer: 0,
      kind: 'full',
      kvHeads: 2,
      keyDim: 64,
      valueDim: 64,
      elementsPerToken: 256,
      capTokens: null,
      fixedElements: 0,
    },
  ],
};

function sampleModel(id: string): ModelRecord {
  return {
    id,
    revision: '7ae557604adf67be50417f59c2c2f167def9a775',
    source: 'twin',
    dtype: 'fp32',
    geometry: qwenGeometry,
    geometryFrom: 'config',
    cacheType: 'float32',
    graphCache: [{ name: 'past_key_values.0.key', type: 'float32', dims: ['batch_size', 2, 'past', 64] }],
    graphAttentionHeads: 2,
    parameters: 494032768,
    weightBytes: 1976131072,
    graphBytes: 1000000,
    bytesPerToken: 24576,
    cacheLocations: { 'gpu-buffer': 48 },
    deviceBytes: { beforeLoad: 0, loaded: 5000000, released: 0 },
    loadMs: 1234.5,
    notes: [],
  };
}

/** A measured cell; what the caller does not name is that of Qwen’s twin at 128 tokens. */
export function sampleCell(patch: Partial<Cell> = {}): Cell {
  return {
    model: QWEN,
    dtype: 'fp32',
    batch: 1,
    tokens: 128,
    policy: 'dynamic',
    allocator: 'bucket',
    device: 'webgpu',
    repeat: 0,
    formulaBytes: 3145728,
    tensorBytes: 3145728,
    residentBytes: 3145728,
    deviceBytes: { before: 9000000, after: 19836864, peak: 20000000 },
    processBytesBefore: null,
    processBytes: null,
    logitsBytes: 1024,
    ratio: 1,
    prefillMs: 4500.25,
    skipped: null,
    fault: null,
    background: false,
    ...patch,
  };
}

/** A cell that was skipped for the model’s maximum position. */
export function skippedCell(): Cell {
  return sampleCell({
    model: GPT2,
    tokens: 2048,
    formulaBytes: 150994944,
    tensorBytes: null,
    residentBytes: null,
    deviceBytes: { before: null, after: null, peak: null },
    logitsBytes: null,
    ratio: null,
    prefillMs: null,
    skipped: '2,048 tokens are over the model’s maximum position 1,024.',
    fault: { code: 'over-max-position', params: { tokens: 2048, maximum: 1024 } },
  });
}

/** Three cells of Qwen’s twin (128, 129, 512 tokens) and one of GPT-2’s that was skipped, on a software adapter. */
export function lengthRecord(): LabRecord {
  return {
    schema: 'kvlab.record/1',
    createdAt: '2026-05-09T12:00:00.000Z',
    recipe: { ...defaultRecipe('length'), model: [QWEN, GPT2], tokens: [128, 129, 512, 2048] },
    url: 'https://lab.example/?model=twin:Qwen/Qwen2.5-0.5B-Instruct&model=twin:openai-community/gpt2&tokens=128,129,512,2048',
    status: 'done',
    environment,
    models: [sampleModel(QWEN)],
    cells: [
      sampleCell(),
      sampleCell({
        tokens: 129,
        formulaBytes: 3170304,
        tensorBytes: 3170304,
        residentBytes: 6291456,
        deviceBytes: { before: 19836864, after: 32385920, peak: 32385920 },
      }),
      sampleCell({
        tokens: 512,
        formulaBytes: 12582912,
        tensorBytes: 12582912,
        residentBytes: 12582912,
        deviceBytes: { before: 32385920, after: 46017408, peak: 60000000 },
      }),
      skippedCell(),
    ],
    growth: [],
    checks: [{ name: 'ratio', model: QWEN, pass: true, expected: '1', measured: '1', detail: '3 cells' }],
    faults: [],
    notMeasured: { resident: null, device: null, process: 'not asked for' },
    redundancy: null,
    capacity: null,
  };
}

/** Growth of Qwen’s twin from `promptTokens`, one token a step; resident bytes double past a power of two of tokens. */
export function sampleGrowth(promptTokens = 128, count = 32): Growth {
  // Every one of the 48 tensors is 512 bytes a token; buckets are powers of two from 2,048 bytes on.
  const resident = (tokens: number): number => 48 * 2 ** Math.ceil(Math.log2(tokens * 512));
  const steps = Array.from({ length: count }, (_, index): Step => {
    const tokens = promptTokens + index + 1;
    return {
      tokens,
      formulaBytes: tokens * 24576,
      tensorBytes: tokens * 24576,
      residentBytes: resident(tokens),
      deviceBytes: 32385920,
      processBytes: null,
      deltaTensor: 24576,
      deltaResident: resident(tokens) - resident(tokens - 1),
      ms: 1200.5,
      background: false,
    };
  });
  return {
    model: QWEN,
    dtype: 'fp32',
    batch: 1,
    policy: 'dynamic',
    allocator: 'bucket',
    device: 'webgpu',
    repeat: 0,
    promptTokens,
    promptBytes: promptTokens * 24576,
    promptResidentBytes: resident(promptTokens),
    promptProcessBytes: null,
    stepsPlanned: count,
    steps,
    interrupted: null,
    fault: null,
  };
}

/** A record of the growth experiment. */
export function growthRecord(promptTokens = 128, count = 32): LabRecord {
  return {
    ...lengthRecord(),
    recipe: { ...defaultRecipe('growth'), model: [QWEN], tokens: [promptTokens], prompt: '', steps: count },
    url: 'https://lab.example/?experiment=growth&model=twin:Qwen/Qwen2.5-0.5B-Instruct&prompt=',
    cells: [],
    growth: [sampleGrowth(promptTokens, count)],
  };
}
