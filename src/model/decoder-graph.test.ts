/** Graphs of every kind of cache, run by ONNX Runtime: what they keep, and that all of it counts. */
import * as ort from 'onnxruntime-web';
import { beforeAll, describe, expect, it } from 'vitest';
import { underGraphRule } from '../geometry/engines/graph';
import type { Geometry } from '../geometry/geometry';
import { attention, conv, family, state } from './families.fixture';
import { buildModelFiles } from './twin';

type Feeds = Record<string, ort.Tensor>;

const LATENT = { ...attention(0, 1, 40, 0), kind: 'latent' } as const;
/** Small, with the odd dims that GroupQueryAttention does not take: 12, 20 / 12; more columns than one projection has. */
const FAMILIES: Record<string, Geometry> = {
  'plain attention': family('openelm', [attention(0, 2, 12), attention(1, 3, 20, 12)]),
  'grouped and plain attention': family('gemma4_text', [attention(0, 2, 16), attention(1, 1, 12)]),
  'many heads': family('deepseek_v3', [attention(0, 128, 24, 16)]),
  latent: family('deepseek_v3', [LATENT, { ...LATENT, layer: 1 }]),
  'short convolution': family('lfm2', [conv(0, 40, 3), attention(1, 2, 16)]),
  'state of matrices': family('qwen3_next', [conv(0, 48, 4), state(0, [4, 8, 12]), attention(1, 2, 16)]),
  'state of rows': family('jamba', [conv(0, 256, 4), state(0, [256, 16])]),
  'all in one layer': family('falcon_h1', [attention(0, 2, 16), conv(0, 48, 4), state(0, [3, 8, 16])]),
  'three convolutions': family('olmo_hybrid', [conv(0, 96, 4), state(0, [3, 16, 8])]),
};
const TOKENS = Array.from({ length: 24 }, (_, at) => (at * 37 + 11) % 256);

class Graph {
  private constructor(
    private readonly session: ort.InferenceSession,
    readonly inputs: { name: string; shape: (number | string)[] }[],
  ) {}

  static async of(geometry: Geometry): Promise<Graph> {
    const spec = { source: 'twin', geometry: underGraphRule(geometry), config: null } as const;
    const file = buildModelFiles(spec, 'fp32', 0, 64).get('onnx/model.onnx');
    if (!(file instanceof Uint8Array)) throw new Error('no graph');
    const session = await ort.InferenceSession.create(file, { executionProviders: ['wasm'] });
    const inputs = session.inputMetadata.flatMap((input) =>
      input.isTensor && input.name.startsWith('past') ? [{ name: input.name, shape: [...input.shape] }] : [],
    );
    return new Graph(session, inputs);
  }

  empty(batch: number): Feeds {
    return Object.fromEntries(
      this.inputs.map(({ name, shape }) => {
        const dims = shape.map((dim, axis) => (typeof dim === 'number' ? dim : axis === 0 ? batch : 0));
        return [name, zeros(dims)];
      }),
    );
  }

  async run(rows: number[][], past: number, cache: Feeds, mask?: number[][]) {
    const [batch, length] = [rows.length, rows[0]?.length ?? 0];
    const ones = rows.map(() => new Array<number>(past + length).fill(1));
    const outputs = await this.session.run({
      input_ids: int64(rows.flat(), [batch, length]),
      attention_mask: int64((mask ?? ones).flat(), [batch, past + length]),
      num_logits_to_keep: int64([0], []),
      ...cache,
    });
    const next: Feeds = {};
    for (const [name, tensor] of Object.entries(outputs)) {
      if (!name.startsWith('present')) continue;
      next[name.replace(/^present_/, 'past_').replace(/^present\./, 'past_key_values.')] = tensor;
    }
    const logits = outputs['logits']?.data as Float32Array;
    const at = (row: number, position: number): Float32Array =>
      logits.slice((row * length + position) * 256, (row * length + position + 1) * 256);
    return { at, cache: next };
  }
}

function zeros(dims: readonly number[]): ort.Tensor {
  return new ort.Tensor('float32', new Float32Array(dims.reduce((product, dim) => product * dim, 1)), dims);
}

function int64(values: number[], dims: number[]): ort.Tensor {
  return new ort.Tensor('int64', BigInt64Array.from(values, BigInt), dims);
}

/** Largest difference, relative to the largest value. */
function difference(a: Float32Array, b: Float32Array): number {
  const scale = Math.max(...b.map(Math.abs));
  return Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? NaN)))) / scale;
}

beforeAll(() => {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
});

describe.each(Object.entries(FAMILIES))('%s', (_, geometry) => {
  it('gives the same logits in one piece, in chunks and token by token, and needs all of its cache for them', async () => {
    const graph = await Graph.of(geometry);
    const whole = (await graph.run([TOKENS], 0, graph.empty(1))).at(0, 23);
    let at = 0;
    let last: { at: (row: number, position: number) => Float32Array; cache: Feeds } = {
      at: () => whole,
      cache: graph.empty(1),
    };
    let before: Feeds = last.cache;
    for (const count of [10, 7, 5, 1, 1]) {
      before = last.cache;
      last = await graph.run([TOKENS.slice(at, at + count)], at, last.cache);
      at += count;
    }
    expect(difference(last.at(0, 0), whole)).toBeLessThan(1e-5);
    // Each cache tensor emptied alone, before the last token.
    for (const [name, { dims }] of Object.entries(before)) {
      const without = await graph.run([TOKENS.slice(-1)], 23, { ...before, [name]: zeros(dims) });
      expect(difference(without.at(0, 0), whole), name).toBeGreaterThan(1e-3);
    }
  });

  it('keeps what the geometry says, for every token and sequence', async () => {
    const graph = await Graph.of(geometry);
    const { cache } = await graph.run([TOKENS, TOKENS], 0, graph.empty(2));
    const elements = Object.values(cache).reduce((sum, { size }) => sum + size, 0);
    const caches = underGraphRule(geometry).caches;
    const formula = caches.reduce((sum, each) => sum + each.elementsPerToken * 24 + each.fixedElements, 0);
    expect(elements).toBe(2 * formula);
  });

  it('gives padded rows the logits that they have alone, after the prompt and after a step', async () => {
    const graph = await Graph.of(geometry);
    const rows = [TOKENS.slice(0, 3), TOKENS.slice(3, 9)];
    const masks = rows.map((row) => Array.from({ length: 6 }, (_, at) => (at < row.length ? 1 : 0)));
    const padded = rows.map((row) => [...row, ...new Array<number>(6 - row.length).fill(0)]);
    const first = await graph.run(padded, 0, graph.empty(2), masks);
    const second = await graph.run(
      [[7], [9]],
      6,
      first.cache,
      masks.map((mask) => [...mask, 1]),
    );
    for (const [index, row] of rows.entries()) {
      const alone = await graph.run([row], 0, graph.empty(1));
      expect(difference(first.at(index, row.length - 1), alone.at(0, row.length - 1))).toBeLessThan(1e-5);
      const step = await graph.run([[7 + 2 * index]], row.length, alone.cache);
      expect(difference(second.at(index, 0), step.at(0, 0))).toBeLessThan(1e-5);
    }
  });
});
