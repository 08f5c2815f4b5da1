/** The command line of `kvlab bytes` as typed values, or one sentence that names the option. */
import { parseArgs } from 'node:util';
import { CliError } from './cli-error';
import { engineId, type EngineId } from '../geometry/engines';
import { kvDtype, type KvDtype } from '../geometry/engines/kv-dtype';

export interface BytesArguments {
  /** Path of a config.json, or `-` for standard input. */
  file: string;
  json: boolean;
  engine: EngineId;
  /** Null where the config's own type is meant. */
  dtype: KvDtype | null;
  tokens: number;
  batch: number;
  maxTokens?: number | undefined;
  batchedTokens?: number | undefined;
  ubatch?: number | undefined;
  tensorParallel?: number | undefined;
  /** Tokens of the encoder's output, for models with one. */
  encoderTokens?: number | undefined;
}

export const HELP = `kvlab bytes <config.json> [options]

How many bytes a language model's KV cache takes, read from its config.json.

  <config.json>           path of the file; - reads standard input
  --tokens N              tokens per sequence (default: 1)
  --batch N               sequences (default: 1)
  --dtype TYPE            fp32, bf16, fp16, fp8, int8, int4, nvfp4, q8_0, q5_1, q5_0, q4_1, q4_0, iq4_nl,
                          or bits per element such as 3bit (default: the config's float type, else bf16)
  --engine ENGINE         ideal, transformers.js, vllm, llama.cpp or preallocated (default: ideal)
  --max-tokens N          preallocated: tokens reserved per sequence (default: the model's maximum)
  --batched-tokens N      vllm: max_num_batched_tokens (default: 8192)
  --ubatch N              llama.cpp: n_ubatch (default: 512)
  --tensor-parallel N     vllm: GPUs that share each layer, 1 to 1,024; bytes are those of one GPU (default: 1)
  --encoder-tokens N      encoder-decoder models: tokens of the encoder's output (default: the longest)
  --json                  print JSON instead of a table
  --help                  this text

Exit code 0, or 2 with one sentence on standard error.
`;

const OPTIONS = {
  tokens: { type: 'string' },
  batch: { type: 'string' },
  dtype: { type: 'string' },
  engine: { type: 'string' },
  'max-tokens': { type: 'string' },
  'batched-tokens': { type: 'string' },
  ubatch: { type: 'string' },
  'tensor-parallel': { type: 'string' },
  'encoder-tokens': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Largest number of an option: past this nothing that exists is asked for, and products stay exact. */
const MOST = 2 ** 40;
/** Most GPUs that share a layer: far above any machine, and no more than a model has heads to share out. */
const MOST_GPUS = 1024;

/**
 * Reads the arguments after `kvlab`; null when help is asked for.
 * @throws CliError naming the option or the command.
 */
export function readArguments(argv: readonly string[]): BytesArguments | null {
  const { values, positionals } = parsed(argv);
  if (values.help === true) return null;
  const [command, file, ...more] = positionals;
  if (command !== 'bytes') {
    const found = command === undefined ? 'No command is given' : `There is no command “${command}”`;
    throw new CliError(`${found}: write kvlab bytes <config.json>, or kvlab --help.`);
  }
  if (file === undefined)
    throw new CliError('No file is given: write kvlab bytes <config.json>, or - for standard input.');
  if (more.length > 0)
    throw new CliError(`One config.json is read at a time; “${more.join(' ')}” is too much.`);
  const number = (name: NumberOption): number | undefined => readNumber(name, values[name]);
  const tensorParallel = readNumber('tensor-parallel', values['tensor-parallel'], 1, MOST_GPUS);
  const engine = naming('--engine', () => engineId(values.engine ?? 'ideal'));
  refuseSplit(engine, tensorParallel);
  return {
    file,
    json: values.json === true,
    engine,
    dtype: values.dtype === undefined ? null : naming('--dtype', () => kvDtype(values.dtype ?? '')),
    // No token yet: the states and the encoder's part alone.
    tokens: readNumber('tokens', values.tokens, 0) ?? 1,
    batch: number('batch') ?? 1,
    maxTokens: number('max-tokens'),
    batchedTokens: number('batched-tokens'),
    ubatch: number('ubatch'),
    tensorParallel,
    encoderTokens: number('encoder-tokens'),
  };
}

type NumberOption = Exclude<keyof typeof OPTIONS, 'dtype' | 'engine' | 'json' | 'help'>;

function parsed(argv: readonly string[]): ReturnType<typeof parseAll> {
  try {
    return parseAll(argv);
  } catch (error) {
    // Node's messages advise at length; the first sentence names the option.
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split(/\.(?:\s|$)|\n/);
    throw new CliError(`${first}; kvlab --help lists the options.`);
  }
}

function parseAll(argv: readonly string[]) {
  return parseArgs({ args: withSignedValues(argv), options: OPTIONS, allowPositionals: true, strict: true });
}

/** `--tokens -5` as `--tokens=-5`, so that the value is refused and not taken for an option. */
function withSignedValues(argv: readonly string[]): string[] {
  return argv.flatMap((text, index) => {
    const next = argv[index + 1] ?? '';
    if (/^-\d/.test(text) && /^--[a-z-]+$/.test(argv[index - 1] ?? '')) return [];
    return /^--[a-z-]+$/.test(text) && /^-\d/.test(next) ? [`${text}=${next}`] : [text];
  });
}

/** Only vLLM's rule splits a cache over GPUs; the others would print the whole cache as one GPU's part. */
function refuseSplit(engine: EngineId, gpus: number | undefined): void {
  if (engine === 'vllm' || gpus === undefined || gpus === 1) return;
  throw new CliError(`--tensor-parallel is a setting of vllm; the engine ${engine} keeps one cache.`);
}

function readNumber(
  name: NumberOption,
  text: string | undefined,
  least = 1,
  most = MOST,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text.trim()) ? Number(text) : NaN;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new CliError(
    `--${name} is “${text.slice(0, 60)}”; it must be a whole number from ${least} to ${most.toLocaleString('en-US')}.`,
  );
}

/** Puts the option's name before the sentence of a value that is not known. */
function naming<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CliError(`${option}: ${error.message}`);
  }
}
