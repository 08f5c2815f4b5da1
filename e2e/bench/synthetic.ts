/** Seeded keys and values with planted structure, of the third article's size, in files that all sides of the bench read. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS, LAMBDAS } from '../../src/protocol/redundancy';
import { plainMultiply } from '../../src/redundancy/matrix';
import { permutation } from '../../src/redundancy/permutation';
import { seededWeights, type WeightSource } from '../../src/model/weights';

/** Sizes of a data set, and which layers are predicted from which. */
export interface DataShape {
  layers: number;
  channels: number;
  documents: number;
  tokens: number;
  /** [from, to] by index. */
  pairs: [number, number][];
}

/** What is written beside the values, for page and Python alike. */
export interface DataDescription extends DataShape {
  lambdas: readonly number[];
  seed: number;
  /** File of float32, little-endian: [K, V][layers][documents][tokens][channels]. */
  values: string;
  /** File of uint32: the shuffled control's order, [documents][tokens]. */
  orders: string;
}

/** The article: 6 full layers, 2 KV heads x 256, four documents of 1,536 tokens, 5 adjacent pairs and first → last. */
export const ARTICLE_SHAPE: DataShape = {
  layers: 6,
  channels: 512,
  documents: 4,
  tokens: 1536,
  pairs: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
    [0, 5],
  ],
};

/** Changes whenever the recipe below does, so that no older file is taken for its result. */
const RECIPE = 'low-rank-1';
/** Directions that neighbouring layers share; the rest of a layer is noise of its own. */
const RANK = 96;
/** Share of a layer's variance along those directions, and of that what the layer before already had: R² about 0.5. */
const SIGNAL_SHARE = 0.72;
const KEPT_SHARE = 0.82;
/** Real caches have channels of very different size: factors from 1/4 to 4. */
const SCALE_OCTAVES = 2;
/** Means of a channel, and how far a document's are from them, in units of the channel's deviation. */
const MEAN = 0.5;
const DOCUMENT_MEAN = 0.1;

/**
 * Writes the data unless they are there from before.
 * @param folder Where the files go; about 151 MB at the article's size.
 * @returns The description's path, and its name within the folder.
 */
export async function writeData(
  folder: string,
  shape: DataShape,
  seed: number,
): Promise<{ path: string; file: string }> {
  const { layers, channels, documents, tokens } = shape;
  const name = [RECIPE, layers, channels, documents, tokens, seed].join('-');
  const description: DataDescription = {
    ...shape,
    lambdas: LAMBDAS,
    seed,
    values: `${name}.f32`,
    orders: `${name}.u32`,
  };
  const text = JSON.stringify(description);
  const file = `${name}.json`;
  const path = join(folder, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return { path, file };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, description.values), await values(shape, seed));
  const orders = Array.from({ length: documents }, (_, document) => permutation(tokens, seed, document));
  writeFileSync(join(folder, description.orders), Buffer.concat(orders.map((order) => bytes(order))));
  // Last, and in one go: a description is only there when its data are whole.
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
  return { path, file };
}

function bytes(array: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

async function values(shape: DataShape, seed: number): Promise<Uint8Array> {
  const { layers, channels, documents, tokens } = shape;
  const perLayer = documents * tokens * channels;
  const out = new Float32Array(KINDS.length * layers * perLayer);
  const random = seededWeights(seed);
  for (let kind = 0; kind < KINDS.length; kind++) {
    const states = Array.from({ length: documents }, () => random.uniform(tokens * RANK, 1));
    for (let layer = 0; layer < layers; layer++) {
      if (layer > 0) for (const state of states) renew(state, random);
      const at = (kind * layers + layer) * perLayer;
      await fillLayer(out.subarray(at, at + perLayer), states, channels, random);
    }
  }
  return bytes(out);
}

/** Moves hidden states on by a layer: part of each stays, the rest is new; the variance stays 1. */
function renew(state: Float32Array, random: WeightSource): void {
  const fresh = random.uniform(state.length, 1);
  const kept = Math.sqrt(KEPT_SHARE);
  const renewed = Math.sqrt(1 - KEPT_SHARE);
  for (let i = 0; i < state.length; i++) state[i] = kept * (state[i] ?? 0) + renewed * (fresh[i] ?? 0);
}

async function fillLayer(
  out: Float32Array,
  states: readonly Float32Array[],
  channels: number,
  random: WeightSource,
): Promise<void> {
  const mixing = {
    rows: RANK,
    columns: channels,
    values: Float64Array.from(random.uniform(RANK * channels, RANK)),
  };
  const scales = random.uniform(channels, 1).map((value) => 2 ** ((SCALE_OCTAVES * value) / Math.sqrt(3)));
  const means = random.uniform(channels, 1);
  let at = 0;
  for (const state of states) {
    const rows = state.length / RANK;
    const signal = await plainMultiply({ rows, columns: RANK, values: Float64Array.from(state) }, mixing);
    const noise = random.uniform(rows * channels, 1);
    const shifts = random.uniform(channels, 1);
    for (let i = 0; i < noise.length; i++) {
      const channel = i % channels;
      const mean = MEAN * (means[channel] ?? 0) + DOCUMENT_MEAN * (shifts[channel] ?? 0);
      const deviation =
        Math.sqrt(SIGNAL_SHARE) * (signal.values[i] ?? 0) + Math.sqrt(1 - SIGNAL_SHARE) * (noise[i] ?? 0);
      out[at++] = (scales[channel] ?? 1) * (mean + deviation);
    }
  }
}
