/** Files of the first version: one dtype and one batch in the recipe, no cache type, shard, policy’s room, logits or process bytes of steps. */
import { describe, expect, it } from 'vitest';
import { LabError } from './faults';
import { growthRecord, lengthRecord, QWEN } from './sample-record.fixture';
import { parseRecord } from './schemas';

/** The file’s texts as commit 99daee1 wrote them (its sample-record.fixture.ts), shortened to one model, cell and step. */
const SUBJECT = {
  model: QWEN,
  dtype: 'fp32',
  batch: 1,
  policy: 'dynamic',
  allocator: 'bucket',
  device: 'webgpu',
  repeat: 0,
};
const OLD_MODEL = {
  id: QWEN,
  revision: '7ae557604adf67be50417f59c2c2f167def9a775',
  source: 'twin',
  dtype: 'fp32',
  geometry: {
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
  },
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
const OLD_RECORD = {
  schema: 'kvlab.record/1',
  createdAt: '2026-05-09T12:00:00.000Z',
  recipe: {
    experiment: 'length',
    model: [QWEN],
    dtype: 'fp32',
    batch: 1,
    tokens: [128],
    steps: 32,
    prompt: '',
    policy: 'dynamic',
    device: 'webgpu',
    allocator: 'bucket',
    chunk: 0,
    seed: 0,
    repeats: 1,
    lang: null,
  },
  url: 'https://lab.example/?model=twin:Qwen/Qwen2.5-0.5B-Instruct&tokens=128',
  status: 'done',
  environment: {
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
  },
  models: [OLD_MODEL],
  cells: [
    {
      ...SUBJECT,
      tokens: 128,
      formulaBytes: 3145728,
      tensorBytes: 3145728,
      residentBytes: 3145728,
      deviceBytes: { before: 9000000, after: 19836864, peak: 20000000 },
      processBytes: null,
      ratio: 1,
      prefillMs: 4500.25,
      skipped: null,
      fault: null,
      background: false,
    },
  ],
  growth: [
    {
      ...SUBJECT,
      promptTokens: 128,
      promptBytes: 3145728,
      promptResidentBytes: 3145728,
      stepsPlanned: 1,
      steps: [
        {
          tokens: 129,
          formulaBytes: 3170304,
          tensorBytes: 3170304,
          residentBytes: 6291456,
          deviceBytes: 32385920,
          deltaTensor: 24576,
          deltaResident: 3145728,
          ms: 1200.5,
          background: false,
        },
      ],
      interrupted: null,
      fault: null,
    },
  ],
  checks: [{ name: 'ratio', model: QWEN, pass: true, expected: '1', measured: '1', detail: '3 cells' }],
  faults: [],
  notMeasured: { resident: null, device: null, process: 'not asked for' },
  redundancy: null,
  capacity: null,
};

describe('a record of the first version', () => {
  it('is read: what it lacks is what it was, or not measured', () => {
    const { recipe, models, cells, growth } = parseRecord(OLD_RECORD);
    const before = { room: 0, overflow: 'refuse', bits: '8', block: 16, shard: '' };
    expect(recipe).toEqual({ ...OLD_RECORD.recipe, ...before, dtype: ['fp32'], batch: [1] });
    expect(models).toEqual([{ ...OLD_MODEL, cacheType: 'float32', geometryFrom: 'config' }]);
    expect(cells).toEqual([{ ...OLD_RECORD.cells[0], processBytesBefore: null, logitsBytes: null }]);
    expect(growth).toEqual([
      {
        ...OLD_RECORD.growth[0],
        promptProcessBytes: null,
        steps: [{ ...OLD_RECORD.growth[0]?.steps[0], processBytes: null }],
      },
    ]);
  });

  it('of float16 had a float16 cache', () => {
    const file = { ...OLD_RECORD, models: [{ ...OLD_MODEL, dtype: 'fp16' }] };
    expect(parseRecord(file).models[0]?.cacheType).toBe('float16');
  });

  it('comes out as it went in when it is read, written and read again', () => {
    const once = parseRecord(OLD_RECORD);
    expect(parseRecord(JSON.parse(JSON.stringify(once)))).toEqual(once);
  });

  it('with a batch that no recipe can have is refused by name', () => {
    const file = { ...OLD_RECORD, recipe: { ...OLD_RECORD.recipe, batch: 65 } };
    expect(() => parseRecord(file)).toThrow(/no recipe \(batch: use at most 8 whole numbers/);
  });
});

describe('a merged record', () => {
  const { environment } = lengthRecord();
  const parts = [
    { createdAt: '2026-05-09T12:00:00.000Z', shard: '1/2', environment, points: 3 },
    { createdAt: '2026-05-09T12:01:00.000Z', shard: '2/2', environment: null, points: 0 },
  ];

  it('keeps its parts', () => {
    expect(parseRecord({ ...growthRecord(), parts }).parts).toEqual(parts);
    expect(parseRecord(growthRecord()).parts).toBeUndefined();
  });

  it('is refused when a part has no time or a wrong count', () => {
    const [part] = parts;
    for (const wrong of [
      { ...part, createdAt: 'yesterday' },
      { ...part, points: -1 },
    ]) {
      expect(() => parseRecord({ ...lengthRecord(), parts: [wrong] })).toThrow(LabError);
    }
  });
});
