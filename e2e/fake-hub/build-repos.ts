/** Builds the ready-made repositories. Runs bundled (see repos.ts), or in vitest. */
import { byteTokenizerFiles } from '../../src/model/byte-tokenizer';
import { attentionParts } from '../../src/model/cache-parts';
import { findModel } from '../../src/model/catalog';
import { buildDecoder, type DecoderShape } from '../../src/model/decoder-graph';
import { buildModelFiles } from '../../src/model/twin';
import { withAllLogits } from './all-logits';
import { withExternalData } from './external-data';
import { CONV_LENGTH, withConvLayers } from './hybrid';
import { REPO_IDS, REPO_SHAS, type RepoName } from './repo-ids';
import type { FakeRepo, FileContent } from './types';

const SEED = 3;
/** Rotary rows of all graphs: the most tokens that they can be asked for. */
const POSITIONS = 4096;

/** Two layers of the lab's own `tiny`, and half as wide. */
const LAYERS = { layers: 2, kvHeads: 2, headDim: 16 };
const SMALL: DecoderShape = {
  parts: attentionParts(LAYERS.layers, LAYERS.kvHeads, LAYERS.headDim),
  attentionHeads: 4,
  hiddenSize: 64,
  intermediateSize: 128,
  vocabSize: 256,
  positions: POSITIONS,
};
const SMALL_CONFIG = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: SMALL.hiddenSize,
  intermediate_size: SMALL.intermediateSize,
  num_hidden_layers: LAYERS.layers,
  num_attention_heads: 4,
  num_key_value_heads: LAYERS.kvHeads,
  head_dim: LAYERS.headDim,
  max_position_embeddings: POSITIONS,
  vocab_size: SMALL.vocabSize,
};

/** 594 x 256 = 152,064 tokens, the vocabulary of Qwen2.5-7B: 608,256 bytes of float32 logits a position. */
const LOGIT_REPEATS = 594;
/** Qwen2.5-1.5B's geometry (its config.json); 1,543,714,304 parameters in float32 are about 6 GB. */
const HUGE_CONFIG = {
  architectures: ['Qwen2ForCausalLM'],
  model_type: 'qwen2',
  hidden_size: 1536,
  intermediate_size: 8960,
  num_hidden_layers: 28,
  num_attention_heads: 12,
  num_key_value_heads: 2,
  max_position_embeddings: 32768,
  use_sliding_window: false,
  vocab_size: 151936,
};
const HUGE_BYTES = 6_000_000_000;

/** All ready-made repositories, in the order of REPO_IDS. */
export function buildRepos(): FakeRepo[] {
  const small = buildDecoder(SMALL, 'fp32', SEED);
  const smallFiles = modelFiles(SMALL_CONFIG, { 'onnx/model.onnx': small });
  const external = withExternalData(small, 'model.onnx_data');
  return [
    { ...repo('qwenTwin', twinFiles('Qwen/Qwen2.5-0.5B-Instruct')), safetensorsTotal: 494_032_768 },
    {
      ...repo('smollmTwin', twinFiles('HuggingFaceTB/SmolLM2-135M-Instruct')),
      safetensorsTotal: 134_515_008,
    },
    repo('tiny', smallFiles),
    repo(
      'external',
      modelFiles(
        { ...SMALL_CONFIG, 'transformers.js_config': { use_external_data_format: 1 } },
        { 'onnx/model.onnx': external.model, 'onnx/model.onnx_data': external.data },
      ),
    ),
    repo(
      'noKeep',
      modelFiles(
        { ...SMALL_CONFIG, vocab_size: SMALL.vocabSize * LOGIT_REPEATS },
        { 'onnx/model.onnx': withAllLogits(small, SMALL.vocabSize, LOGIT_REPEATS) },
      ),
    ),
    repo('hybrid', hybridFiles(small)),
    repo(
      'lyingConfig',
      modelFiles({ ...SMALL_CONFIG, num_key_value_heads: 4 }, { 'onnx/model.onnx': small }),
    ),
    { ...repo('gated', smallFiles), gated: 'auto', filesStatus: 401 },
    { ...repo('gatedForbidden', smallFiles), gated: 'manual', filesStatus: 403 },
    { ...repo('noOnnx', noOnnxFiles()), safetensorsTotal: 111_936 },
    repo('encoderDecoder', encoderDecoderFiles(small)),
    {
      ...repo('huge', modelFiles(HUGE_CONFIG, {})),
      listedOnly: new Map([['onnx/model.onnx', HUGE_BYTES]]),
      safetensorsTotal: 1_543_714_304,
    },
  ];
}

function repo(name: RepoName, files: Map<string, FileContent>): FakeRepo {
  return { id: REPO_IDS[name], sha: REPO_SHAS[name], files };
}

function modelFiles(
  config: Record<string, unknown>,
  graphs: Record<string, FileContent>,
): Map<string, FileContent> {
  return new Map<string, FileContent>([
    ['README.md', '---\nlibrary_name: transformers.js\n---\nServed by the fake hub.\n'],
    ['config.json', JSON.stringify(config)],
    ...Object.entries(byteTokenizerFiles()),
    ...Object.entries(graphs),
  ]);
}

/** A cache twin in five variants. Its cache is float32 in q4 and q8, float16 in q4f16 (transformers.js issue 1195). */
function twinFiles(id: string): Map<string, FileContent> {
  const found = findModel(`twin:${id}`);
  if (!found) throw new Error(`The catalog has no twin of ${id}.`);
  // The twin's embedding has a row for each byte only; ids beyond it must not be made from the config.
  const spec = { ...found, config: { ...found.config, vocab_size: SMALL.vocabSize } };
  const graphs = (['fp32', 'fp16', 'q4', 'q4f16', 'q8'] as const).flatMap((dtype) =>
    [...buildModelFiles(spec, dtype, SEED, POSITIONS)].filter(
      (entry): entry is [string, Uint8Array<ArrayBuffer>] => entry[1] instanceof Uint8Array,
    ),
  );
  return modelFiles(spec.config, Object.fromEntries(graphs));
}

/** LFM2's fields as transformers.js reads them (its configs.js, getCacheNames). */
function hybridFiles(small: Uint8Array): Map<string, FileContent> {
  const config = {
    ...SMALL_CONFIG,
    architectures: ['Lfm2ForCausalLM'],
    model_type: 'lfm2',
    num_hidden_layers: 4,
    layer_types: ['conv', 'full_attention', 'conv', 'full_attention'],
    conv_L_cache: CONV_LENGTH,
    conv_dim: SMALL.hiddenSize,
  };
  return modelFiles(config, { 'onnx/model.onnx': withConvLayers(small, SMALL.hiddenSize) });
}

function noOnnxFiles(): Map<string, FileContent> {
  return new Map<string, FileContent>([
    ['README.md', '---\nlibrary_name: transformers\n---\nServed by the fake hub.\n'],
    ['config.json', JSON.stringify(SMALL_CONFIG)],
    ['model.safetensors', new Uint8Array(4096)],
  ]);
}

/** The names and the config of a T5; what the graphs hold does not matter, since it must be refused before. */
function encoderDecoderFiles(small: Uint8Array): Map<string, FileContent> {
  const config = {
    architectures: ['T5ForConditionalGeneration'],
    model_type: 't5',
    is_encoder_decoder: true,
    d_model: 64,
    d_kv: 16,
    num_heads: 4,
    num_layers: 2,
    num_decoder_layers: 2,
    vocab_size: SMALL.vocabSize,
  };
  return modelFiles(config, {
    'onnx/encoder_model.onnx': small,
    'onnx/decoder_model_merged.onnx': small,
  });
}
