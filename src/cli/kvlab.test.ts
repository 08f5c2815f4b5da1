/** The bin as a child process: exit codes, JSON on standard output, one line on standard error. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('kvlab.js', import.meta.url));

/** Fields of Qwen/Qwen3-8B's config.json (second article: 147,456 bytes per token at two bytes per element). */
const QWEN3_8B = {
  model_type: 'qwen3',
  hidden_size: 4096,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  num_hidden_layers: 36,
  head_dim: 128,
  torch_dtype: 'bfloat16',
};
/** Fields of openai-community/gpt2's config.json, which names no element type. */
const GPT2 = {
  model_type: 'gpt2',
  n_embd: 768,
  n_head: 12,
  n_layer: 12,
  n_positions: 1024,
  vocab_size: 50257,
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kvlab-'));
  writeFileSync(join(folder, 'qwen3.json'), `\uFEFF${JSON.stringify(QWEN3_8B)}`);
  writeFileSync(join(folder, 'gpt2.json'), JSON.stringify(GPT2));
  writeFileSync(join(folder, 'page.json'), '<!doctype html><title>Not here</title>');
  writeFileSync(join(folder, 'bad.json'), JSON.stringify({ ...QWEN3_8B, num_hidden_layers: -3 }));
  writeFileSync(join(folder, 'empty.json'), '{}');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function kvlab(args: string[], input = ''): { status: number | null; stdout: string; stderr: string } {
  // From another folder, as a person would call it by its path.
  return spawnSync(process.execPath, [BIN, ...args], { cwd: folder, input, encoding: 'utf8' });
}

describe('kvlab bytes', () => {
  it('prints the article’s cache of Qwen3-8B as one JSON object', () => {
    const { status, stdout, stderr } = kvlab([
      'bytes',
      'qwen3.json',
      '--tokens',
      '32768',
      '--dtype',
      'bf16',
      '--json',
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // 4.5 GiB a session of 32,768 tokens (second article).
    expect(JSON.parse(stdout)).toEqual({
      bytes: 4_831_838_208,
      fixedBytes: 0,
      bytesPerTokenFirst: 147_456,
      bytesPerTokenFar: 147_456,
      layers: [{ kind: 'full', count: 36, bytesPerToken: 4096, fixedBytes: 0 }],
      assumed: [],
    });
  });

  it('reads standard input, counts sequences, and says that it assumed the type', () => {
    const { status, stdout } = kvlab(
      ['bytes', '-', '--tokens=10', '--batch', '3', '--json'],
      JSON.stringify(GPT2),
    );
    expect(status).toBe(0);
    const answer = JSON.parse(stdout) as { bytes: number; assumed: { field: string; value: string }[] };
    // GPT-2: 36,864 bytes per token at two bytes per element (golden config-cases, gpt2-names).
    expect(answer.bytes).toBe(1_105_920);
    expect(answer.assumed).toMatchObject([{ field: 'torch_dtype', value: 'bf16' }]);
  });

  it('gives every group what it adds far out, so that the groups make the sum (DeepSeek V4)', () => {
    const { status, stdout } = kvlab(
      ['bytes', '-', '--dtype', 'bf16', '--json'],
      JSON.stringify({
        model_type: 'deepseek_v4',
        ...{ hidden_size: 7168, num_hidden_layers: 2, num_attention_heads: 128, num_key_value_heads: 1 },
        ...{ head_dim: 512, qk_rope_head_dim: 64, sliding_window: 128, index_head_dim: 128 },
        compress_ratios: [4, 128, 0],
      }),
    );
    expect(status).toBe(0);
    // 512 x 2 / 4, 128 x 2 / 4 and 512 x 2 / 128 bytes a token.
    const answer = JSON.parse(stdout) as {
      bytesPerTokenFar: number;
      layers: { kind: string; bytesPerTokenFar?: number }[];
    };
    expect(answer.bytesPerTokenFar).toBe(328);
    expect(answer.layers.map(({ kind, bytesPerTokenFar }) => [kind, bytesPerTokenFar])).toEqual([
      ['sliding', undefined],
      ['compressed', 256],
      ['indexer', 64],
      ['compressed', 8],
    ]);
  });

  it('takes 0 tokens: nothing but what is fixed', () => {
    const { status, stdout } = kvlab(['bytes', 'gpt2.json', '--tokens', '0', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ bytes: 0, fixedBytes: 0, bytesPerTokenFirst: 36_864 });
  });

  it('prints a table with what was read', () => {
    const { status, stdout } = kvlab(['bytes', 'qwen3.json', '--tokens', '32768', '--engine', 'vllm']);
    expect(status).toBe(0);
    expect(stdout).toContain('4,831,838,208 bytes (4.5 GiB) for 1 sequence of 32,768 tokens');
    expect(stdout).toContain('num_key_value_heads = 8');
  });

  it('is what npx finds in the root of the repository, without a registry', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const { status, stdout } = spawnSync('npx', ['kvlab', '--help'], {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        npm_config_cache: join(folder, 'npm'),
        npm_config_registry: 'http://127.0.0.1:9',
      },
    });
    expect(status).toBe(0);
    expect(stdout).toContain('--encoder-tokens');
  });

  it.each([
    ['a file that is not there', ['bytes', 'none.json'], 'none.json cannot be read: there is no such file.'],
    ['a folder', ['bytes', '.'], '. is a folder: give the path of a config.json in it.'],
    ['a page', ['bytes', 'page.json', '--json'], 'page.json: '],
    ['an impossible field', ['bytes', 'bad.json', '--json'], '“num_hidden_layers” = -3'],
    ['missing fields', ['bytes', 'empty.json', '--json'], 'num_hidden_layers'],
    ['a negative number', ['bytes', 'gpt2.json', '--tokens', '-5'], '--tokens is “-5”'],
    [
      'GPUs of an engine that has no rule for them',
      ['bytes', 'qwen3.json', '--tensor-parallel', '8'],
      '--tensor-parallel is a setting of vllm; the engine ideal keeps one cache.',
    ],
    ['an unknown option', ['bytes', 'gpt2.json', '--frobnicate'], '--frobnicate'],
  ])('says %s in one line and exits with 2', (_, args, sentence) => {
    const { status, stdout, stderr } = kvlab(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});
