/** Passes of the first article's other experiments and of models from outside, as reports. On a runtime without a GPU. */
import { describe, expect, it } from 'vitest';
import { cellsOf, checkOf, collect, fakeRuntime, modelOf, pass, source, stepsOf } from './testing.fixture';
import type { MaybeBytes } from '../protocol/record';

describe('decode steps after a length', () => {
  const work = { kind: 'length', stops: [64, 128], steps: 2 } as const;
  const batch = () => pass({ ...work, stops: [...work.stops] }, { batch: 2 });

  it('follow the last stop, as a growth that starts there', async () => {
    const reports = await collect([batch()], fakeRuntime().runtime);
    const told = reports.flatMap((report) => {
      if (report.type === 'cell') return [['cell', report.cell.tokens, report.cell.tensorBytes]];
      if (report.type === 'prompt') return [['prompt', report.tokens, report.tensorBytes]];
      return report.type === 'step' ? [['step', report.step.tokens, report.step.tensorBytes]] : [];
    });
    // Two sequences of 2,048 bytes a token.
    expect(told).toEqual([
      ['cell', 64, 262_144],
      ['cell', 128, 524_288],
      ['prompt', 128, 524_288],
      ['step', 129, 528_384],
      ['step', 130, 532_480],
    ]);
  });

  it('feed the likeliest token of the last logits', async () => {
    const { runtime, log } = fakeRuntime();
    await collect([batch()], runtime);
    // Two prefills in one piece, then one token each: the fake model's second.
    expect(log.forwards.slice(0, 4)).toEqual([64, 128, 1, 1]);
    expect(log.pasts.slice(0, 4)).toEqual([0, 0, 128, 129]);
    expect(log.rows.slice(2, 4)).toEqual([[1], [1]]);
  });

  it('are not taken without being asked for', async () => {
    const reports = await collect([pass([64])], fakeRuntime().runtime);
    expect(reports.some(({ type }) => type === 'prompt' || type === 'step')).toBe(false);
  });
});

describe('process bytes', () => {
  const work = { kind: 'length', stops: [64, 128], steps: 1 } as const;
  const asking = (processBytes: boolean) => pass({ ...work, stops: [...work.stops] }, { processBytes });
  /** A meter that counts its calls. */
  const meter = () => {
    let calls = 0;
    return { calls: () => calls, processBytes: (): Promise<MaybeBytes> => Promise.resolve((calls += 1)) };
  };

  it('are taken before and after each cell and after each step; the first step starts from the last cell’s', async () => {
    const { processBytes } = meter();
    const reports = await collect([asking(true)], fakeRuntime().runtime, { processBytes });
    expect(cellsOf(reports).map((cell) => [cell.processBytesBefore, cell.processBytes])).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(reports.find(({ type }) => type === 'prompt')).toMatchObject({ processBytes: 3 });
    expect(stepsOf(reports).map((step) => step.processBytes)).toEqual([4]);
  });

  it('are not asked for where the pass takes none', async () => {
    const { calls, processBytes } = meter();
    const reports = await collect([asking(false)], fakeRuntime().runtime, { processBytes });
    expect(calls()).toBe(0);
    expect(cellsOf(reports)[0]).toMatchObject({ processBytesBefore: null, processBytes: null });
  });

  it('are null where the browser gave none', async () => {
    const processBytes = (): Promise<MaybeBytes> => Promise.resolve(null);
    const reports = await collect([asking(true)], fakeRuntime().runtime, { processBytes });
    expect(cellsOf(reports)[1]).toMatchObject({ processBytesBefore: null, processBytes: null });
  });

  it('are asked for no more after Cancel', async () => {
    const controller = new AbortController();
    const { calls, processBytes } = meter();
    const { runtime } = fakeRuntime({
      onForward: () => {
        controller.abort();
      },
    });
    await collect([asking(true)], runtime, { processBytes, signal: controller.signal });
    expect(calls()).toBe(1);
  });
});

describe('a model from outside', () => {
  const outside = pass([64], { model: 'owner/name', dtype: 'q4' });

  it('is loaded from its files, and its record says whence', async () => {
    const { runtime, log } = fakeRuntime();
    const from = source();
    const reports = await collect([outside], runtime, { sources: [source({ dtype: 'fp32' }), from] });
    expect([...(log.loads[0]?.files.keys() ?? [])]).toEqual(['config.json']);
    expect(log.loads[0]).toMatchObject({ dtype: 'q4', device: 'wasm' });
    expect(modelOf(reports)).toMatchObject({
      id: 'owner/name',
      revision: '0123abc',
      source: 'hub',
      geometryFrom: 'config',
      graphAttentionHeads: 8,
      parameters: 5678,
      weightBytes: 1234,
      graphBytes: 1234,
    });
    expect(modelOf(reports)?.notes[0]).toBe('a note of its own');
    expect(from.notes).toEqual(['a note of its own']);
  });

  it('has the cache type of its graph, whatever its name or its header said', async () => {
    const { runtime } = fakeRuntime({ type: 'float16' });
    const reports = await collect([outside], runtime, { sources: [source({ cacheType: 'float32' })] });
    // 4 layers x 2 x 2 KV heads x 32 x 2 bytes.
    expect(modelOf(reports)).toMatchObject({ cacheType: 'float16', bytesPerToken: 1024 });
    expect(cellsOf(reports)[0]?.tensorBytes).toBe(65_536);
    expect(checkOf(reports, 'graph-cache')).toMatchObject({ pass: true });
  });

  it('whose config lies fails the graph check, and the check says what the graph has', async () => {
    const { runtime } = fakeRuntime({ kvHeads: 4 });
    const reports = await collect([outside], runtime, { sources: [source()] });
    const check = checkOf(reports, 'graph-cache');
    expect(check).toMatchObject({ pass: false });
    expect(check?.measured).toContain('past_key_values.0.key float32 2 x 32');
    expect(check?.detail).toContain('past_key_values.0.key float32 4 x 32');
    // It is measured all the same: the record shows both.
    expect(cellsOf(reports)[0]?.tensorBytes).toBe(262_144);
  });

  it('may have states that do not grow, which count as cache but not as tokens', async () => {
    const { runtime } = fakeRuntime({ convStates: true });
    const { geometry } = source();
    const conv = { layer: 0, kvHeads: 0, keyDim: 0, valueDim: 0, elementsPerToken: 0, capTokens: null };
    const caches = [...geometry.caches, { ...conv, kind: 'conv' as const, fixedElements: 192 }];
    const sources = [source({ geometry: { ...geometry, caches } })];
    const reports = await collect([outside], runtime, { sources });
    expect(reports.at(-1)).toEqual({ type: 'done', cancelled: false });
    // 64 x 2,048 bytes, and a state of 64 x 3 float32.
    expect(cellsOf(reports)[0]?.tensorBytes).toBe(131_840);
    expect(checkOf(reports, 'graph-cache')).toMatchObject({ pass: true });
  });

  it('takes a batch in chunks where its attention can', async () => {
    const { runtime, log } = fakeRuntime();
    const batched = { ...outside, batch: 2, work: pass([64, 250]).work };
    await collect([batched], runtime, { sources: [source()] });
    expect(log.forwards.slice(0, 3)).toEqual([64, 100, 86]);
  });

  it('reports the largest logits of its chunks', async () => {
    const reports = await collect([{ ...outside, work: pass([64, 250]).work }], fakeRuntime().runtime, {
      sources: [source()],
    });
    // 3 float32 a position: 64 positions, then chunks of 100 and 86.
    expect(cellsOf(reports).map(({ logitsBytes }) => logitsBytes)).toEqual([768, 1200]);
  });

  it('that is not there is named', async () => {
    const reports = await collect([outside], fakeRuntime().runtime);
    expect(reports.at(-1)).toMatchObject({
      type: 'pass-failed',
      fault: { code: 'recipe-unknown-model', params: { model: 'owner/name' } },
    });
  });
});

describe('variants that are not built here', () => {
  it.each([
    ['int8', { code: 'dtype-not-built', params: { dtype: 'int8', available: 'fp32, fp16, q4, q4f16, q8' } }],
    ['bf16', { code: 'dtype-not-built' }],
  ] as const)('%s fails the pass with its reason, before anything is loaded', async (dtype, fault) => {
    const { runtime, log } = fakeRuntime();
    const reports = await collect([pass([64], { dtype })], runtime);
    expect(reports.at(-1)).toMatchObject({ type: 'pass-failed', fault });
    expect(log.loads).toEqual([]);
  });
});
