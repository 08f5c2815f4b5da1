/** A redundancy as reports, on a runtime without a GPU whose keys and values follow a rule. */
import { describe, expect, it } from 'vitest';
import { chained, DOCUMENTS, faultOf, NAMES, redundancy, run, unsolved } from './redundancy.fixture';
import { solveHere } from './solver-pool';
import { cellsOf, checkOf, collect, fakeRuntime, source, type FakeOptions } from './testing.fixture';
import { readGeometry } from '../geometry/read-config';

describe('a redundancy', () => {
  it('feeds each document once and the first a second time, in chunks, and measures one cell', async () => {
    const { reports, log } = await run({ fill: chained }, redundancy(), { solve: unsolved });
    expect(log.forwards.slice(0, 8)).toEqual([100, 10, 100, 10, 100, 10, 100, 10]);
    const firsts = log.rows.slice(0, 8).filter((row) => row.length === 100);
    expect(firsts[0]).toEqual(firsts[1]);
    expect(firsts[1]).not.toEqual(firsts[2]);
    // tiny, fp32: 2,048 bytes a token.
    expect(cellsOf(reports).map(({ tokens, tensorBytes }) => [tokens, tensorBytes])).toEqual([
      [110, 225_280],
    ]);
  });

  it('finds layers that follow from the one before, and reports pairs as they come', async () => {
    const { reports, found } = await run({ fill: chained });
    expect(found).toMatchObject({
      layers: [0, 1, 2, 3],
      channels: [0, 1, 2, 3].map(() => ({ K: 64, V: 64 })),
      lambdas: [0.001, 0.01, 0.1, 1, 10, 100],
      noiseFloor: 0,
      documents: NAMES.map((name) => ({ name, tokens: 120, sha256: 'ab12' })),
    });
    expect(found?.pairs.map(({ kind, from, to, adjacent }) => [kind, from, to, adjacent])).toEqual([
      ['K', 0, 1, true],
      ['K', 0, 3, false],
      ['K', 1, 2, true],
      ['K', 2, 3, true],
      ['V', 0, 1, true],
      ['V', 0, 3, false],
      ['V', 1, 2, true],
      ['V', 2, 3, true],
    ]);
    expect(found?.pairs[0]?.r2.mean).toBeGreaterThan(0.9);
    expect(found?.pairs[0]?.shuffled.max).toBeLessThan(0);
    const counts = reports.flatMap((report) =>
      report.type === 'redundancy' ? [report.found.pairs.length] : [],
    );
    // Documents, then channels and noise floor, then six jobs.
    expect(counts).toEqual([0, 0, 2, 3, 4, 6, 7, 8]);
    expect(checkOf(reports, 'noise-floor')).toMatchObject({ pass: true, measured: '0' });
    expect(checkOf(reports, 'method')).toMatchObject({ pass: true });
    expect(checkOf(reports, 'backends-agree'), 'nothing to compare WASM with').toBeUndefined();
  });

  it('reads float16 as the numbers that they are, never as their bits', async () => {
    const fill: FakeOptions['fill'] = (_, token, __, channel) => (channel === 0 && token === 20 ? -2 : 1);
    const jobs: Float32Array[] = [];
    await run({ type: 'float16', fill }, redundancy({}, { dtype: 'fp16' }), {
      solve([job]) {
        jobs.push(...(job?.source ?? []));
        return unsolved();
      },
    });
    expect([...(jobs[0] ?? []).slice(0, 2)]).toEqual([-2, 1]);
    expect([...(jobs[0] ?? []).slice(64, 66)], 'the next token').toEqual([1, 1]);
    expect(jobs[0]).toHaveLength(90 * 64);
  });

  it('predicts every layer from every other when asked', async () => {
    const { found } = await run({ fill: chained }, redundancy({ pairs: 'all' }));
    expect(found?.pairs).toHaveLength(24);
    expect(found?.pairs.filter(({ adjacent }) => adjacent)).toHaveLength(6);
    expect(found?.pairs.find(({ from, to }) => from === 3 && to === 0)).toMatchObject({ adjacent: false });
  });

  it('names the one candidate of halves, which is all that it tries', async () => {
    const { found } = await run({ fill: chained }, redundancy({ split: 'halves' }));
    expect(found?.lambdas).toEqual([0.001]);
    expect(found?.pairs[0]?.lambda).toEqual([0.001, 0.001, 0.001]);
  });

  it('counts layers with a full KV cache only, by their true numbers', async () => {
    // Layers 1 and 3 attend to all tokens, 0 and 2 to a window.
    const geometry = readGeometry({
      model_type: 'gemma3_text',
      hidden_size: 128,
      num_hidden_layers: 4,
      num_attention_heads: 8,
      num_key_value_heads: 2,
      head_dim: 32,
      sliding_window: 16,
      layer_types: ['sliding_attention', 'full_attention', 'sliding_attention', 'full_attention'],
    });
    const { found } = await run({ fill: chained }, redundancy({}, { model: 'owner/name', dtype: 'q4' }), {
      sources: [source({ geometry })],
    });
    expect(found?.layers).toEqual([1, 3]);
    expect(found?.pairs.map(({ kind, from, to, adjacent }) => [kind, from, to, adjacent])).toEqual([
      ['K', 1, 3, true],
      ['V', 1, 3, true],
    ]);
  });

  it('names the first value that is no finite number: layer, kind, document and token', async () => {
    const fill: FakeOptions['fill'] = (name, token) =>
      name === 'past_key_values.2.value' && token === 47 ? NaN : 1;
    const { reports, found } = await run({ fill });
    expect(faultOf(reports)).toMatchObject({
      code: 'cache-not-finite',
      params: { layer: 2, kind: 'V', name: 'korean-report', token: 47 },
    });
    expect(found?.pairs, 'nothing was made of it').toEqual([]);
  });

  it('names infinity too', async () => {
    const fill: FakeOptions['fill'] = (name, token) =>
      name === 'past_key_values.0.key' && token === 109 ? Infinity : 1;
    expect(faultOf((await run({ fill })).reports)).toMatchObject({
      params: { layer: 0, kind: 'K', token: 109 },
    });
  });

  it('reads nothing of the tokens that are skipped', async () => {
    const fill: FakeOptions['fill'] = (name, token, id, channel) =>
      token === 19 ? NaN : chained(name, token, id, channel);
    expect(faultOf((await run({ fill }, redundancy(), { solve: unsolved })).reports)).toBeUndefined();
  });

  it('names all documents that are too short before anything is fed', async () => {
    const short = DOCUMENTS.map((document, at) =>
      at === 1 ? document : { ...document, text: 'x'.repeat(9 + at) },
    );
    const { reports, log } = await run({}, redundancy(), { documents: short });
    expect(faultOf(reports)).toEqual({
      code: 'documents-too-short',
      params: { list: '“korean-report” (9), “python-code” (11)', needed: 110 },
    });
    expect(log.forwards).toEqual([]);
    expect(log.releases).toBe(1);
  });

  it('names a document that is not here', async () => {
    const { reports } = await run({}, redundancy({ documents: [...NAMES, 'own:letter'] }));
    expect(faultOf(reports)).toMatchObject({ code: 'document-missing', params: { name: 'letter' } });
  });

  it('stops between chunks when cancelled, and releases model and cache', async () => {
    const controller = new AbortController();
    const { runtime, log } = fakeRuntime({
      onForward: () => {
        if (log.forwards.length === 3) controller.abort();
      },
    });
    const more = { documents: DOCUMENTS, signal: controller.signal };
    const reports = await collect([redundancy()], runtime, more);
    expect(log.forwards).toEqual([100, 10, 100]);
    expect(log.disposals).toBe(2);
    expect(log.releases).toBe(1);
    expect(cellsOf(reports)).toHaveLength(1);
    expect(reports.at(-1)).toEqual({ type: 'done', cancelled: true });
  });

  it('keeps the pairs that were found when it is cancelled while solving', async () => {
    const controller = new AbortController();
    const { runtime } = fakeRuntime({ fill: chained });
    const reports = await collect([redundancy()], runtime, {
      documents: DOCUMENTS,
      signal: controller.signal,
      async *solve(jobs, options) {
        for await (const event of solveHere(jobs, options.signal)) {
          yield event;
          if (event.type === 'pairs') controller.abort();
        }
      },
    });
    const found = reports.flatMap((report) => (report.type === 'redundancy' ? [report.found] : [])).at(-1);
    expect(found?.pairs.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [0, 3],
    ]);
    expect(checkOf(reports, 'method'), 'no time is spent after Cancel').toBeUndefined();
    expect(reports.at(-1)).toEqual({ type: 'done', cancelled: true });
  });

  it('reports a difference between two runs of the same document', async () => {
    let runs = 0;
    const { reports, found } = await run(
      {
        fill: (name, token, id, channel) =>
          chained(name, token, id, channel) + (runs > 2 && runs <= 4 ? 0.5 : 0),
        onForward: () => {
          runs += 1;
        },
      },
      redundancy(),
      { solve: unsolved },
    );
    expect(found?.noiseFloor).toBeCloseTo(0.5, 5);
    expect(checkOf(reports, 'noise-floor')).toMatchObject({ pass: false, measured: '5.00e-1' });
  });
});
