/** The article's own code run by NumPy (numpy-fixture.py) against the numerics and against the tests' reference. */
import { describe, expect, it } from 'vitest';
import { channelCorrelation } from './correlation';
import { plainMultiply } from './matrix';
import fixture from './numpy-fixture.json';
import { reference } from './reference.fixture';
import { analyseSource } from './ridge';
import type { SourceJob } from './types';

const job: SourceJob = {
  kind: 'K',
  from: 0,
  channels: fixture.channels,
  source: fixture.source.map((values) => Float32Array.from(values)),
  targets: [
    {
      to: 1,
      adjacent: true,
      channels: fixture.targetChannels,
      values: fixture.target.map((values) => Float32Array.from(values)),
    },
  ],
  lambdas: fixture.lambdas,
  split: 'documents',
  seed: 0,
};

describe('NumPy with the code of the article', () => {
  it('finds the same R² to 1e-6 and chooses the same candidates', async () => {
    const [pair] = await analyseSource(job, plainMultiply);
    expect(pair?.lambda).toEqual(fixture.lambda);
    for (const [d, r2] of fixture.r2.entries()) expect(pair?.r2.perDocument[d]).toBeCloseTo(r2, 7);
    expect(pair?.r2.mean).toBeCloseTo(0.388056, 6);
  });

  it('has the same shuffled control, in its own orders, as the reference of the tests', () => {
    const found = reference(job, 0, fixture.orders);
    for (const [d, r2] of fixture.shuffled.entries()) expect(found.shuffled[d]).toBeCloseTo(r2, 7);
    expect(found.lambda).toEqual(fixture.lambda);
  });

  it('has the same median correlation of channels', () => {
    const cut = job.source.map((values) =>
      values.filter((_, i) => i % fixture.channels < fixture.targetChannels),
    );
    const found = channelCorrelation(cut, job.targets[0]?.values ?? [], fixture.targetChannels);
    expect(found).toBeCloseTo(fixture.channelCorrelation, 7);
  });
});
