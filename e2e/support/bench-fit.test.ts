/** The bench's arithmetic behind its ratios: power laws, turns that alternate, and the parts that a page's weight is told by. */
import { describe, expect, it } from 'vitest';
import { fitPowerLaw } from '../bench/fit';
import { alternately, pairedRatio } from '../bench/repeat';
import { partOf, sumOf, workerScripts } from '../bench/weight';

describe('a power law', () => {
  it('is found where costs lie on one: 3 x^2, by hand', () => {
    const fit = fitPowerLaw([
      { x: 1, y: 3 },
      { x: 2, y: 12 },
      { x: 4, y: 48 },
      { x: 8, y: 192 },
    ]);
    expect(fit.exponent).toBeCloseTo(2, 10);
    expect(fit.r2).toBeCloseTo(1, 10);
  });

  it('says by R² how far the costs are from one', () => {
    // In log2: (0, 0), (1, 2), (2, 1): slope 1/2; R² = (Sxy)² / (Sxx Syy) = 1² / (2 x 2).
    const fit = fitPowerLaw([
      { x: 1, y: 1 },
      { x: 2, y: 4 },
      { x: 4, y: 2 },
    ]);
    expect(fit.exponent).toBeCloseTo(0.5, 10);
    expect(fit.r2).toBeCloseTo(0.25, 10);
  });

  it('is not fitted to two points, which always lie on one', () => {
    const two = [
      { x: 1, y: 1 },
      { x: 2, y: 5 },
    ];
    expect(() => fitPowerLaw(two)).toThrow('three points or more');
  });
});

describe('turns', () => {
  const sidesInto = (order: string[]) =>
    ['a', 'b'].map((name) => () => {
      order.push(name);
      return Promise.resolve(`${name}${order.length}`);
    });

  it('give each side the first place every other time, and forget the first turn', async () => {
    const order: string[] = [];
    const found = await alternately(sidesInto(order), 2);
    expect(order.join('')).toBe('abbaab');
    expect(found).toEqual([
      ['a4', 'a5'],
      ['b3', 'b6'],
    ]);
  });

  it('without a warm-up forget none', async () => {
    const order: string[] = [];
    const found = await alternately(sidesInto(order), 1, { warmUp: false });
    expect(found).toEqual([['a2'], ['b1']]);
  });

  it('are compared turn by turn, so that a slow one disturbs no ratio', () => {
    expect(pairedRatio([2, 20, 3], [1, 10, 1])).toEqual({ value: 2, runs: [2, 2, 3] });
  });
});

describe('the page’s weight', () => {
  const texts: Record<string, string> = {
    'assets/lab.worker-AA.js': 'import("./runtime-BB.js")',
    'assets/runtime-BB.js': 'from"./ledger-CC.js"',
    'assets/ledger-CC.js': '',
    'assets/index-DD.js': 'import("./chart-EE.js")',
    'assets/chart-EE.js': '',
    'assets/ort-glue-FF.js': '',
  };
  const inWorker = workerScripts(Object.keys(texts), (path) => texts[path] ?? '');
  const first = new Set(['index.html', 'assets/index-DD.js', 'assets/index-GG.css', 'icon.svg']);

  it('counts to the worker what its scripts name, and what those name', () => {
    expect([...inWorker]).toEqual(['assets/lab.worker-AA.js', 'assets/runtime-BB.js', 'assets/ledger-CC.js']);
  });

  it.each([
    ['index.html', 'first paint: HTML'],
    ['assets/index-GG.css', 'first paint: CSS'],
    ['assets/index-DD.js', 'first paint: JavaScript'],
    ['icon.svg', 'first paint: other'],
    ['assets/chart-EE.js', 'on Run: JavaScript of the page'],
    ['assets/ledger-CC.js', 'on Run: measuring worker'],
    ['assets/ort-glue-FF.js', 'on Run: ONNX Runtime, JavaScript'],
    ['assets/ort-wasm-simd-threaded.jspi-HH.mjs', 'on Run: ONNX Runtime, JavaScript'],
    ['assets/ort-wasm-simd-threaded.jspi-HH.wasm', 'on Run: ONNX Runtime, WASM'],
    ['assets/more-II.css', 'on Run: other'],
  ])('%s is of %s', (path, part) => {
    expect(partOf(path, first, inWorker)).toBe(part);
  });

  it('adds up', () => {
    expect(
      sumOf([
        { raw: 10, gzip: 4, brotli: 3 },
        { raw: 5, gzip: 2, brotli: 1 },
      ]),
    ).toEqual({ raw: 15, gzip: 6, brotli: 4 });
  });
});
