/** Models whose decoder also attends to an encoder: T5, BART, Whisper and others; a decoder with image layers (Llama 3.2 Vision). */
import { defaultsOf, readDecoder } from './attention';
import type { Body, Family } from './family';
import { everyNth } from './layer-plan';
import { bodyOf, layerIndexes } from './layer-types';
import { noteUnread } from './unknown';
import { FIELDS, isObject, type FieldSpec } from '../fields';
import type { KeyValueShape, LayerCache } from '../geometry';
import { crossCache } from '../layers/cross';
import { fullCache } from '../layers/full';
import { ConfigReader } from '../reader';
import { readHeadDim, readShape } from '../shape';
import { words } from '../words';

/** Where an encoder's length is not given by any field. */
const USUAL_ENCODER_TOKENS = 512;

/** The decoder's fields come first: `num_layers` and `encoder_layers` are the encoder's. */
const LAYERS = {
  names: [
    'num_decoder_layers',
    'decoder_layers',
    'decoder_num_hidden_layers',
    'num_layers',
    'num_hidden_layers',
  ],
  max: FIELDS.layers.max,
} as const satisfies FieldSpec;
const HEADS = {
  names: [
    'decoder_attention_heads',
    'num_decoder_attention_heads',
    'decoder_num_attention_heads',
    'num_heads',
    'num_attention_heads',
  ],
  max: FIELDS.attentionHeads.max,
} as const satisfies FieldSpec;
const KV_HEADS = {
  names: ['decoder_num_key_value_heads', 'num_key_value_heads'],
  max: FIELDS.kvHeads.max,
} as const satisfies FieldSpec;
const WIDTH = { names: ['d_model', 'hidden_size'], max: FIELDS.hiddenSize.max } as const satisfies FieldSpec;

/** The longest that an encoder takes, by the names of its classes (transformers' configuration files). */
const ENCODER_LENGTH = {
  names: [
    'max_source_positions',
    'max_encoder_position_embeddings',
    'n_positions',
    'max_position_embeddings',
    'max_speech_positions',
  ],
  max: 2 ** 30,
} as const satisfies FieldSpec;

/** Families whose fields are BART's. */
const BART_LIKE = words(`
  bart mbart marian pegasus pegasus_x m2m_100 nllb nllb-moe blenderbot blenderbot-small plbart mvp led
  bigbird_pegasus fsmt prophetnet speech_to_text speecht5 moonshine moonshine_streaming seamless_m4t
  seamless_m4t_v2 trocr florence2_language
`);

export const ENCODER_DECODER: readonly Family[] = [
  { types: ['t5', 'mt5', 'umt5', 'longt5', 'switch_transformers', 'pop2piano', 'udop'], read: readT5 },
  {
    types: BART_LIKE,
    read: (reader) => readSeq2Seq(reader, null),
  },
  { types: ['whisper'], read: (reader) => readSeq2Seq(reader, 1500) },
  {
    types: [
      'vision-encoder-decoder',
      'speech-encoder-decoder',
      'encoder-decoder',
      't5gemma',
      't5gemma2',
      'musicgen',
      'musicgen_melody',
    ],
    read: readPair,
  },
  { types: ['mllama_text_model'], read: readMllama },
];

/** A model_type that is not known, with `is_encoder_decoder`: by T5's fields where it has them, else by BART's. */
export function readUnknownSeq2Seq(reader: ConfigReader): Body {
  return reader.has('d_kv') ? readT5(reader) : readSeq2Seq(reader, null);
}

/** T5: heads of `d_kv`, which need not make up `d_model`; `num_decoder_layers` is `num_layers` where not given. */
function readT5(reader: ConfigReader): Body {
  const layers = requireCounts(reader, [LAYERS, HEADS]);
  const attentionHeads = reader.required(HEADS);
  const headDim = reader.countOr({ names: ['d_kv'], max: FIELDS.headDim.max }, 64);
  const hiddenSize = reader.count(WIDTH) ?? attentionHeads * headDim;
  const keys = { kvHeads: attentionHeads, keyDim: headDim, valueDim: headDim };
  const caches = crossedLayers(layers, keys, readEncoderTokens(reader, null));
  return bodyOf({ layers, attentionHeads, hiddenSize }, caches);
}

/** BART and its kin: width / decoder heads a head; `classLength` is the encoder's length of the class. */
function readSeq2Seq(reader: ConfigReader, classLength: number | null): Body {
  const layers = requireCounts(reader, [LAYERS, HEADS, WIDTH]);
  const attentionHeads = reader.required(HEADS);
  const hiddenSize = reader.required(WIDTH);
  const kvHeads = reader.count(KV_HEADS) ?? attentionHeads;
  const headDim = readHeadDim(reader) ?? hiddenSize / attentionHeads;
  if (!Number.isInteger(headDim)) {
    throw reader.bad(reader.nameOf(WIDTH), `a multiple of ${reader.nameOf(HEADS)} (${attentionHeads})`);
  }
  const keys = { kvHeads, keyDim: headDim, valueDim: headDim };
  const caches = crossedLayers(layers, keys, readEncoderTokens(reader, classLength));
  return bodyOf({ layers, attentionHeads, hiddenSize }, caches);
}

/** The layers, or one error that names all of the fields that are missing. */
function requireCounts(reader: ConfigReader, fields: readonly FieldSpec[]): number {
  const missing = fields.filter((field) => reader.count(field) === null);
  if (missing.length > 0) throw reader.missing(...missing.map(({ names }) => names[0]));
  return reader.required(LAYERS);
}

/** Noted as an assumption: the cross part is as long as what was encoded, here the longest that the model takes. */
function readEncoderTokens(reader: ConfigReader, classLength: number | null): number {
  const tokens = reader.count(ENCODER_LENGTH) ?? classLength ?? USUAL_ENCODER_TOKENS;
  return reader.assume(reader.nameOf(ENCODER_LENGTH), tokens, 'encoder-length');
}

/** Every decoder layer keeps keys and values of its own tokens and, once, of the encoder's. */
function crossedLayers(layers: number, shape: KeyValueShape, encoderTokens: number): LayerCache[] {
  return layerIndexes(layers).flatMap((layer) => [
    fullCache(layer, shape),
    crossCache(layer, shape, encoderTokens),
  ]);
}

/**
 * Two nested configs, `encoder` and `decoder`. The decoder is read as what it is; layers get a cross part each
 * (transformers' VisionEncoderDecoderModel adds cross attention to the decoder; T5Gemma's decoder slides as Gemma 2's does).
 */
function readPair(reader: ConfigReader): Body {
  const decoder = reader.nested('decoder');
  if (decoder === null) throw reader.missing('decoder');
  const tokens = reader.assume('encoder', encoderTokensOf(reader.config), 'encoder-length');
  const seq2seq = decoder.has('d_model') || decoder.has('decoder_layers');
  const rule = /^t5_?gemma/.test(reader.modelType)
    ? { window: 4096, slides: everyNth(reader.modelType === 't5gemma2' ? 6 : 2) }
    : {};
  const body = seq2seq ? readSeq2Seq(decoder, null) : readDecoder(decoder, rule);
  const caches = body.caches
    .filter(({ kind }) => kind !== 'cross')
    .flatMap((cache) => [cache, crossCache(cache.layer, cache, tokens)]);
  return { ...body, caches };
}

/** Patches of an image encoder and its class token, or the positions of a text encoder. */
function encoderTokensOf({ encoder, text_encoder: text }: Record<string, unknown>): number {
  const part = isObject(encoder) ? encoder : isObject(text) ? text : {};
  const inner = isObject(part['text_config']) ? part['text_config'] : part;
  return patches(inner) ?? new ConfigReader(inner).count(ENCODER_LENGTH) ?? USUAL_ENCODER_TOKENS;
}

function patches(config: Record<string, unknown>): number | null {
  const { image_size: image, patch_size: patch } = config;
  if (typeof image !== 'number' || typeof patch !== 'number') return null;
  const side = Math.floor(image / patch);
  return side >= 1 && side <= 4096 ? side * side + 1 : null;
}

/**
 * Llama 3.2 Vision: the layers of `cross_attention_layers` keep keys and values of the image alone, the others of the text.
 * Tokens of one image: tiles x (patches + 1) (vLLM mllama.py; class values of configuration_mllama.py: 448 px, 14, 4 tiles).
 */
function readMllama(reader: ConfigReader): Body {
  const shape = readShape(reader, defaultsOf(reader));
  const given = reader.counts('cross_attention_layers', null);
  const cross = new Set(given ?? [3, 8, 13, 18, 23, 28, 33, 38]);
  if (given === null) reader.assume('cross_attention_layers', [...cross].join(', '));
  const beyond = [...cross].find((layer) => layer >= shape.layers);
  if (beyond !== undefined) throw reader.bad('cross_attention_layers', `layers below ${shape.layers}`);
  const tokens = reader.assume('vision_config', imageTokens(reader.outer['vision_config']), 'encoder-length');
  const widths = { kvHeads: shape.kvHeads, keyDim: shape.headDim, valueDim: shape.headDim };
  const caches: LayerCache[] = Array.from({ length: shape.layers }, (_, layer) =>
    cross.has(layer) ? crossCache(layer, widths, tokens) : fullCache(layer, widths),
  );
  noteUnread(reader);
  return { ...shape, caches };
}

function imageTokens(vision: unknown): number {
  const config = isObject(vision) ? vision : {};
  const tiles = config['max_num_tiles'];
  const sizes = { image_size: config['image_size'] ?? 448, patch_size: config['patch_size'] ?? 14 };
  const ofTile = patches(sizes) ?? 1025;
  return (
    ofTile * (typeof tiles === 'number' && Number.isInteger(tiles) && tiles >= 1 && tiles <= 64 ? tiles : 4)
  );
}
