/** The simulation: a few steps by hand, what must hold at every step, and the paper's figure. */
import { describe, expect, it } from 'vitest';
import type { System } from './room';
import { outlineOf, sampleSteps, Serving, type ServingStep } from './serving';
import { drawRequests, LENGTH_MEANS, type Request } from './workload';

const SYSTEMS: readonly System[] = ['reserve-max', 'reserve-pow2', 'reserve-oracle', 'paged'];

function stepsOf(serving: Serving): ServingStep[] {
  const steps: ServingStep[] = [];
  for (let step = serving.next(); step !== null; step = serving.next()) steps.push(step);
  return steps;
}

describe('Serving', () => {
  it('reserves for the longest request: one of two waits until the other has left', () => {
    const requests: Request[] = [
      { prompt: 3, output: 1 },
      { prompt: 2, output: 2 },
    ];
    const steps = stepsOf(new Serving('reserve-max', requests, { pool: 8, longest: 8, block: 4 }));
    expect(
      steps.map(({ running, waiting, used, held, reserved, wasted }) => [
        ...[running, waiting, used, held, reserved, wasted],
      ]),
    ).toEqual([
      [1, 1, 3, 8, 1, 4],
      [1, 1, 4, 8, 0, 4],
      [1, 0, 2, 8, 2, 4],
      [1, 0, 3, 8, 1, 4],
      [1, 0, 4, 8, 0, 4],
      [0, 0, 0, 0, 0, 0],
    ]);
    expect(steps[0]?.changes).toEqual([{ kind: 'write', owner: 0, span: { start: 0, count: 3 } }]);
    expect(steps[2]?.changes).toEqual([
      { kind: 'clear', owner: 0, span: { start: 0, count: 4 } },
      { kind: 'write', owner: 1, span: { start: 0, count: 2 } },
    ]);
  });

  it.each([
    // 3 + 5: Max 16; Pow2 3 + 8 = 11, rounded up to 16; Oracle 8; of blocks of 2 two for the prompt.
    ['reserve-max', 16, 5, 8],
    ['reserve-pow2', 16, 5, 8],
    ['reserve-oracle', 8, 5, 0],
    ['paged', 4, 1, 0],
  ] as const)('%s hands out what the paper says', (system, held, reserved, wasted) => {
    const [first] = stepsOf(
      new Serving(system, [{ prompt: 3, output: 5 }], { pool: 16, longest: 16, block: 2 }),
    );
    expect(first).toMatchObject({ used: 3, held, reserved, wasted });
  });

  it('sends the last one back when blocks run out, and computes it anew', () => {
    // Three blocks of 2: both come in with two tokens; the first needs a second block, then a third.
    const requests: Request[] = [
      { prompt: 2, output: 4 },
      { prompt: 2, output: 1 },
    ];
    const serving = new Serving('paged', requests, { pool: 6, longest: 6, block: 2 });
    const steps = stepsOf(serving);
    expect(
      steps.map(({ running, waiting, used, preemptions }) => [running, waiting, used, preemptions]),
    ).toEqual([
      [2, 0, 4, 0],
      [1, 1, 3, 1],
      // It comes in again at once: its two tokens fit into the block that it gave back.
      [2, 0, 6, 1],
      [1, 1, 5, 2],
      [1, 1, 6, 2],
      [1, 0, 2, 2],
      [1, 0, 3, 2],
      [0, 0, 0, 2],
    ]);
    expect(steps[1]?.changes).toEqual([
      { kind: 'write', owner: 0, span: { start: 4, count: 1 } },
      { kind: 'clear', owner: 1, span: { start: 2, count: 2 } },
    ]);
  });

  it.each(SYSTEMS)(
    '%s: changes, owners and counts agree at every step, and no row has two owners',
    (system) => {
      const size = { pool: 1024, longest: 256, block: 16 };
      const serving = new Serving(system, drawRequests({ prompt: 20, output: 40 }, 60, 256, 5), size);
      const rows = new Uint32Array(size.pool);
      let strays = 0;
      for (let step = serving.next(); step !== null; step = serving.next()) {
        for (const { kind, owner, span } of step.changes) {
          const there = rows.subarray(span.start, span.start + span.count);
          // Only an empty row is written, only one's own is cleared.
          strays += there.filter((found) => found !== (kind === 'write' ? 0 : owner + 1)).length;
          there.fill(kind === 'write' ? owner + 1 : 0);
        }
        const expected = serving.owners();
        strays += rows.filter((found, row) => found !== expected[row]).length;
        const { used, held, reserved, wasted } = step;
        strays += Math.abs(rows.filter((found) => found > 0).length - used);
        strays += Math.abs(held - used - reserved - wasted) + (held > size.pool ? 1 : 0);
      }
      expect(strays).toBe(0);
      expect(rows.every((found) => found === 0)).toBe(true);
    },
  );

  it('says so when a request can never fit', () => {
    const serving = new Serving('reserve-max', [{ prompt: 1, output: 1 }], {
      pool: 12,
      longest: 12,
      block: 4,
    });
    expect(() => serving.next()).toThrow('the next request does not fit into the empty pool');
  });
});

/** Mean of used / pool at 24 moments, of those at which requests wait, in percent. */
function utilisation(system: System, seed: number): number {
  const size = { pool: 16_384, longest: 2048, block: 16 };
  const requests = drawRequests(LENGTH_MEANS.sharegpt, 200, size.longest, seed);
  const steps = stepsOf(new Serving(system, requests, size));
  const sampled = sampleSteps(steps.length, 24).flatMap((at) => steps[at] ?? []);
  const full = sampled.filter(({ waiting }) => waiting > 0);
  return (100 * full.reduce((sum, { used }) => sum + used, 0)) / full.length / size.pool;
}

describe('utilisation with ShareGPT lengths', () => {
  it('is in the range of the paper with the default seed', () => {
    // Kwon et al. 2023, Figure 2: Orca (Max) 20.4, (Pow2) 26.8, (Oracle) 38.2, vLLM 96.3.
    const found = SYSTEMS.map((system) => Math.round(10 * utilisation(system, 0)) / 10);
    expect(found).toEqual([22.3, 29.2, 37.1, 96.3]);
  });

  it('stays near it with other seeds', () => {
    const seeds = [1, 2, 3];
    const range = (system: System): [number, number] => {
      const found = seeds.map((seed) => utilisation(system, seed));
      return [Math.min(...found), Math.max(...found)];
    };
    // Some seeds are a little below 20.4: 20 leaves room for that.
    const [max, pow2, oracle, paged] = SYSTEMS.map<[number, number]>(range);
    expect(max?.[0]).toBeGreaterThan(20);
    expect(pow2?.[0]).toBeGreaterThan(max?.[1] ?? 100);
    expect(oracle?.[0]).toBeGreaterThan(pow2?.[1] ?? 100);
    expect(oracle?.[1]).toBeLessThan(39);
    expect(paged?.[0]).toBeGreaterThan(96);
  });
});

describe('outlineOf and sampleSteps', () => {
  it('counts the steps and the most that ran at once', () => {
    const serving = new Serving(
      'reserve-oracle',
      [
        { prompt: 1, output: 1 },
        { prompt: 1, output: 3 },
      ],
      {
        ...{ pool: 8, longest: 4, block: 4 },
      },
    );
    expect(outlineOf(serving)).toEqual({ steps: 5, mostRunning: 2 });
  });

  it('takes the middles of equal parts, and no step twice', () => {
    expect(sampleSteps(100, 4)).toEqual([12, 37, 62, 87]);
    expect(sampleSteps(3, 24)).toEqual([0, 1, 2]);
    expect(sampleSteps(0, 24)).toEqual([]);
  });
});
