/** The check that a GPU computes the keys and values that the WASM backend does, on runtimes without a GPU. */
import { describe, expect, it } from 'vitest';
import { cosine } from './check-backends';
import { chained, redundancy, run, unsolved } from './redundancy.fixture';
import { checkOf, source } from './testing.fixture';

describe('both backends', () => {
  const onGpu = redundancy({}, { device: 'webgpu' });

  it('are compared over the first 64 tokens; the second model is released', async () => {
    const { reports, log } = await run({ fill: chained }, onGpu, { solve: unsolved });
    expect(checkOf(reports, 'backends-agree')).toMatchObject({
      pass: true,
      measured: 'smallest cosine 1.000000: K of layer 0',
      detail: '64 tokens through both backends, 8 tensors',
    });
    expect(log.loads.map(({ device, dtype }) => [device, dtype])).toEqual([
      ['webgpu', 'fp32'],
      ['wasm', 'fp32'],
    ]);
    expect(log.forwards.slice(0, 2)).toEqual([64, 64]);
    expect(log.releases).toBe(2);
  });

  it('disagree where one of them is wrong, and the check says that nothing must be believed', async () => {
    let forwards = 0;
    const { reports } = await run(
      {
        fill: (name, token, id, channel) =>
          name === 'past_key_values.2.key' && forwards === 2
            ? Math.cos(channel * 9.1 + token)
            : chained(name, token, id, channel),
        onForward: () => {
          forwards += 1;
        },
      },
      onGpu,
      { solve: unsolved },
    );
    const check = checkOf(reports, 'backends-agree');
    expect(check).toMatchObject({ pass: false });
    expect(check?.measured).toContain('K of layer 2');
    expect(check?.detail).toContain('must not be believed');
  });

  it('are not compared where the files are too large to load twice, and a note says so', async () => {
    const blob = new Blob(['{}']);
    Object.defineProperty(blob, 'size', { value: 600_000_000 });
    const { reports, log } = await run(
      { fill: chained },
      redundancy({}, { device: 'webgpu', model: 'owner/name', dtype: 'q4' }),
      {
        solve: unsolved,
        sources: [source({ files: new Map([['onnx/model_q4.onnx', blob]]) })],
      },
    );
    expect(checkOf(reports, 'backends-agree')).toBeUndefined();
    expect(reports).toContainEqual({
      type: 'note',
      passId: 0,
      note: 'The GPU’s keys and values were not compared with the WASM backend’s: the model’s files, 600000000 bytes, are too large to load twice.',
    });
    expect(log.loads).toHaveLength(1);
  });

  it('are not compared where the WASM backend cannot run the model', async () => {
    const { reports } = await run({ fill: chained, failAt: 2 }, onGpu, { solve: unsolved });
    expect(checkOf(reports, 'backends-agree')).toBeUndefined();
    const note = reports.flatMap((report) => (report.type === 'note' ? [report.note] : []))[0];
    expect(note).toContain('could not run the model: Buffer used in submit while destroyed');
  });
});

it('is 1 for one direction, 0 for none in common, and NaN where a value is', () => {
  expect(cosine(Float32Array.of(1, 2), Float32Array.of(2, 4))).toBeCloseTo(1, 12);
  expect(cosine(Float32Array.of(1, 0), Float32Array.of(0, 3))).toBe(0);
  expect(cosine(Float32Array.of(1, 0), Float32Array.of(0, 0))).toBe(0);
  expect(cosine(Float32Array.of(0, 0), Float32Array.of(0, 0))).toBe(1);
  expect(cosine(Float32Array.of(1, NaN), Float32Array.of(1, 1))).toBeNaN();
});
