/**
 * A record of the experiment `policies` for tests: `tiny` (4 layers x 2 KV heads x 32, fp32: 8 cache tensors, 2,048 bytes a token) at
 * four contexts with four steps after each. Bytes follow simple rules with the shape of what was measured in a browser.
 */
import { defaultRecipe, type Allocator, type Policy } from './recipe';
import type { Cell, Growth, LabRecord, ModelRecord, Step } from './record';
import type { PoliciesResult } from './policies';
import { lengthRecord, sampleCell } from './sample-record.fixture';

const CONTEXTS = [64, 128, 256, 512];
const STEPS = 4;
const PER_TOKEN = 2048;
/** 8 bits: of each of 4 layers x 2 x 2 rows a scale word and 8 words of four elements. */
const PER_TOKEN_8_BITS = 576;
const TENSORS = 8;
const BLOCK = 16;
/** Weights and activations. */
const BASE = 3_145_728;
const POLICIES: Policy[] = ['dynamic', 'static', 'quantised', 'paged'];
const MODES: Allocator[] = ['bucket', 'simple', 'lazyRelease', 'disabled'];
const DETAIL = 'Buffer used in submit while destroyed';
const FAULT = { code: 'allocator-failed', params: { mode: 'disabled', detail: DETAIL } } as const;
const GPU_DETAIL = 'Error: [WebGPU] Kernel "[GroupQueryAttention] /layers.0/attention" failed';

interface Point {
  formulaBytes: number;
  tensorBytes: number;
  residentBytes: number;
  after: number;
  peak: number;
  preallocated: Pick<Cell, 'usedBytes' | 'roomTokens' | 'roomFormulaBytes' | 'moves' | 'blockBytes'>;
}

const blocksOf = (tokens: number): number => Math.ceil(tokens / BLOCK) * BLOCK;
const bucket = (bytes: number): number => 2 ** Math.ceil(Math.log2(bytes));

/** A point with `tokens` in a cache that was made for `context` and its steps. */
function pointOf(policy: Policy, mode: Allocator, context: number, tokens: number): Point {
  const perToken = policy === 'quantised' ? PER_TOKEN_8_BITS : PER_TOKEN;
  const roomTokens = policy === 'paged' ? blocksOf(context + STEPS) : context + STEPS;
  const grows = policy === 'dynamic' || policy === 'quantised';
  const tensorBytes = perToken * (grows ? tokens : roomTokens);
  const residentBytes = mode === 'bucket' ? TENSORS * bucket(tensorBytes / TENSORS) : tensorBytes;
  // What is kept of old sizes, and what a pass needs besides.
  const kept = grows ? (mode === 'simple' ? 3 : mode === 'bucket' ? 2 : 1) : 1;
  const pass = policy === 'static' ? 65_536 : residentBytes;
  const after = BASE + kept * residentBytes;
  return {
    formulaBytes: perToken * tokens,
    ...{ tensorBytes, residentBytes, after, peak: after + pass },
    preallocated: grows
      ? {}
      : {
          usedBytes: perToken * tokens,
          ...{ roomTokens, roomFormulaBytes: perToken * roomTokens, moves: 0 },
          ...(policy === 'paged' ? { blockBytes: perToken * blocksOf(tokens) } : {}),
        },
  };
}

/** ms of a decode step at a context: copies cost, and a pass over more tokens. */
const STEP_MS: Record<Policy, (context: number) => number> = {
  dynamic: (context) => 10 + context / 32,
  static: () => 9.5,
  quantised: (context) => 11 + context / 64,
  paged: (context) => 12 + context / 24,
};

function stepOf(policy: Policy, allocator: Allocator, context: number, index: number): Step {
  const tokens = context + index + 1;
  const point = pointOf(policy, allocator, context, tokens);
  const before = pointOf(policy, allocator, context, tokens - 1);
  const { formulaBytes, tensorBytes, residentBytes, after, peak, preallocated } = point;
  return {
    ...{ tokens, formulaBytes, tensorBytes, residentBytes, ...preallocated },
    deviceBytes: after,
    processBytes: null,
    deltaTensor: tensorBytes - before.tensorBytes,
    deltaResident: residentBytes - before.residentBytes,
    // The first step of all builds the pipelines of passes of one token.
    ms: context === 64 && index === 0 ? 912.5 : STEP_MS[policy](context) + index / 8,
    compiled: context === 64 && index === 0 ? 14 : 0,
    copiedBytes: policy === 'static' ? 0 : before.formulaBytes,
    peakDeviceBytes: peak,
    background: false,
  };
}

function growthOf(policy: Policy, allocator: Allocator, context: number): Growth {
  const { tensorBytes, residentBytes, preallocated } = pointOf(policy, allocator, context, context);
  return {
    ...{ model: 'tiny', dtype: 'fp32', batch: 1, policy, allocator, device: 'webgpu', repeat: 0 },
    promptTokens: context,
    promptBytes: tensorBytes,
    promptResidentBytes: residentBytes,
    ...(preallocated.usedBytes === undefined ? {} : { promptUsedBytes: preallocated.usedBytes }),
    promptProcessBytes: null,
    stepsPlanned: STEPS,
    steps: Array.from({ length: STEPS }, (_, index) => stepOf(policy, allocator, context, index)),
    interrupted: null,
    fault: null,
  };
}

function cellOf(policy: Policy, allocator: Allocator, context: number): Cell {
  const { formulaBytes, tensorBytes, residentBytes, after, peak, preallocated } = pointOf(
    ...([policy, allocator, context, context] as const),
  );
  const subject = { model: 'tiny', policy, allocator, tokens: context, formulaBytes } as const;
  if (allocator === 'disabled')
    return sampleCell({
      ...subject,
      ...{ tensorBytes: null, residentBytes: null, logitsBytes: null, ratio: null, prefillMs: null },
      deviceBytes: { before: null, after: null, peak: null },
      skipped: `The allocator mode “disabled” failed in this onnxruntime-web: ${DETAIL}.`,
      fault: FAULT,
    });
  return sampleCell({
    ...{ ...subject, ...preallocated, tensorBytes, residentBytes },
    deviceBytes: { before: BASE, after, peak },
    prefillMs: 40 + context / 4,
    compiled: context === 64 ? 21 : 0,
  });
}

const MODEL: ModelRecord = {
  id: 'tiny',
  revision: 'built-in',
  source: 'built-in',
  dtype: 'fp32',
  geometry: {
    ...{ modelType: 'llama', layers: 4, attentionHeads: 8, kvHeads: 2, headDim: 32, hiddenSize: 128 },
    maxPositions: 4096,
    caches: [0, 1, 2, 3].map((layer) => ({
      ...{ layer, kind: 'full', kvHeads: 2, keyDim: 32, valueDim: 32 },
      ...{ elementsPerToken: 128, capTokens: null, fixedElements: 0 },
    })),
  },
  geometryFrom: 'config',
  cacheType: 'float32',
  graphCache: [{ name: 'past_key_values.0.key', type: 'float32', dims: ['batch_size', 2, 'past', 32] }],
  graphAttentionHeads: 8,
  parameters: null,
  weightBytes: null,
  graphBytes: 1_000_000,
  bytesPerToken: PER_TOKEN,
  cacheLocations: { 'gpu-buffer': TENSORS },
  deviceBytes: { beforeLoad: 0, loaded: BASE, released: 0 },
  loadMs: 512.5,
  notes: [],
};

/**
 * What follows from the peaks above. The budget is that of `quantised` with `lazyRelease` at 512: 3,145,728 + 2 x 576 x 512.
 */
const RESULT: PoliciesResult = {
  probes: [
    { name: 'graph-capture', backend: 'webgpu', outcome: 'refused', detail: GPU_DETAIL },
    {
      name: 'paged-attention',
      backend: 'webgpu',
      outcome: 'refused',
      detail: 'only float16 KV cache dtype is supported',
    },
  ],
  recommendation: {
    budgetBytes: 3_735_552,
    holds: [
      { policy: 'quantised', allocator: 'lazyRelease', tokens: 512, peakBytes: 3_735_552 },
      { policy: 'quantised', allocator: 'simple', tokens: 256, peakBytes: 3_735_552 },
      { policy: 'static', allocator: 'simple', tokens: 132, peakBytes: 3_481_600 },
      { policy: 'static', allocator: 'lazyRelease', tokens: 132, peakBytes: 3_481_600 },
      { policy: 'quantised', allocator: 'bucket', tokens: 132, peakBytes: 3_538_944 },
      { policy: 'dynamic', allocator: 'lazyRelease', tokens: 132, peakBytes: 3_686_400 },
      { policy: 'static', allocator: 'bucket', tokens: 132, peakBytes: 3_735_552 },
      { policy: 'paged', allocator: 'simple', tokens: 132, peakBytes: 3_735_552 },
      { policy: 'paged', allocator: 'lazyRelease', tokens: 132, peakBytes: 3_735_552 },
      { policy: 'paged', allocator: 'bucket', tokens: 68, peakBytes: 3_670_016 },
      { policy: 'dynamic', allocator: 'simple', tokens: 68, peakBytes: 3_702_784 },
      { policy: 'dynamic', allocator: 'bucket', tokens: 64, peakBytes: 3_538_944 },
    ],
  },
};

/** All four policies under all four modes; `disabled` failed. */
export function policiesRecord(patch: Partial<LabRecord> = {}): LabRecord {
  const recipe = defaultRecipe('policies');
  const all = POLICIES.flatMap((policy) => MODES.map((mode) => [policy, mode] as const));
  const ran = all.filter(([, mode]) => mode !== 'disabled');
  return {
    ...lengthRecord(),
    recipe,
    url: 'https://lab.example/?experiment=policies',
    models: [MODEL],
    cells: all.flatMap(([policy, mode]) => CONTEXTS.map((context) => cellOf(policy, mode, context))),
    growth: ran.flatMap(([policy, mode]) => CONTEXTS.map((context) => growthOf(policy, mode, context))),
    checks: [
      {
        ...{ name: 'static-same-logits', model: 'tiny', pass: true },
        ...{ expected: 'no digit differs', measured: 'no digit differs', detail: '' },
      },
    ],
    policies: structuredClone(RESULT),
    ...patch,
  };
}
