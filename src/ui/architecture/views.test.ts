/** What the section says in words and rows: sentences, layers, engines, tables to copy. */
import { beforeAll, describe, expect, it } from 'vitest';
import { engineBytes } from '../../geometry/engines';
import { kvDtype } from '../../geometry/engines/kv-dtype';
import { readGeometry } from '../../geometry/read-config';
import { loadPart, t } from '../../i18n';
import { derive } from './derivation';
import { lineText } from './derivation-text';
import { engineDerivation } from './engine-derivation';
import { engineRows, engineSentence, narrowsStates, timesText } from './engine-rows';
import { groupLayers, layerRanges, layerViews } from './layer-groups';
import { groupRow, layerFacts, layerRow } from './layer-rows';
import { saysOf } from './says';
import { parseBits, parseTokens, usualDtype } from './settings';
import { tableCsv, tableMarkdown } from './table-text';
import type { InputTranslate } from './words';

const tr: InputTranslate = (key, params) => t('en', key, params);
const bf16 = kvDtype('bf16');

/** 4 layers, every fourth full: 2 KV heads of 64; three convolutions and states each. */
const HYBRID = {
  model_type: 'qwen3_next',
  num_hidden_layers: 4,
  num_attention_heads: 8,
  num_key_value_heads: 2,
  head_dim: 64,
  hidden_size: 512,
  full_attention_interval: 4,
  linear_conv_kernel_dim: 4,
  linear_key_head_dim: 32,
  linear_num_key_heads: 4,
  linear_num_value_heads: 8,
  linear_value_head_dim: 32,
  mamba_ssm_dtype: 'float32',
};
const LLAMA = {
  model_type: 'llama',
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  hidden_size: 4096,
};
const GEMMA = {
  model_type: 'gemma3_text',
  num_hidden_layers: 12,
  num_attention_heads: 4,
  num_key_value_heads: 1,
  head_dim: 256,
  hidden_size: 1152,
  sliding_window: 512,
  sliding_window_pattern: 6,
};

beforeAll(async () => {
  await loadPart('en', 'architecture');
  await loadPart('en', 'input');
});

const says = (name: string, config: unknown): string => {
  const geometry = readGeometry(config);
  return saysOf(
    { name, geometry, dtype: bf16 },
    engineBytes(geometry, 'ideal', { dtype: bf16, batch: 1, tokens: 1 }),
    tr,
  );
};

describe('the sentence', () => {
  it('says all layers of a plain model', () => {
    // 32 x 8 x (128 + 128) x 2.
    expect(says('Llama', LLAMA)).toBe('Llama keeps 131,072 bytes a token in all 32 layers.');
  });
  it('says when windows are full', () => {
    expect(says('Gemma', GEMMA)).toBe(
      'Gemma keeps 12,288 bytes a token in all 12 layers until its windows are full (512 tokens), then 2,048 bytes a token in 2 of 12 layers.',
    );
  });
  it('says the passes of a looped model', () => {
    // 4 passes x 32 x 8 x (128 + 128) x 2.
    const looped = { ...LLAMA, model_type: 'ouro', total_ut_steps: 4 };
    expect(says('Ouro', looped)).toBe('Ouro keeps 524,288 bytes a token in all 32 layers x 4 passes.');
  });
  it('says state apart from tokens', () => {
    // 3 x (8 x 32 x 32 x 4 bytes of state + (2 x 128 + 256) channels x 3 x 2 bytes).
    expect(says('Q', HYBRID)).toBe(
      'Q keeps 512 bytes a token in 1 of 4 layers, and 107,520 bytes of state a sequence, whatever its length.',
    );
  });
});

describe('layers', () => {
  const views = layerViews(readGeometry(HYBRID), bf16);

  it('that are alike stand together, with their numbers', () => {
    expect(groupLayers(views).map((group) => groupRow(group, tr))).toEqual([
      ['state + convolution', '0–2', 3, '', '512 × 3, 8 × 32 × 32', '', 0, 35_840, 0],
      ['full attention', '3', 1, 2, '64 + 64', 'all', 512, 0, 512],
    ]);
  });
  it('say one by one what they keep', () => {
    expect(views.map((view) => layerFacts(view, tr)).slice(2)).toEqual([
      'Layer 2: state + convolution. 35,840 bytes fixed',
      'Layer 3: full attention. 512 bytes a token',
    ]);
    expect(layerRow(views[3] ?? fail(), tr)).toEqual([3, 'full attention', 2, '64 + 64', 'all', 512, 0]);
  });
  it.each([
    [[0, 1, 2, 5, 7, 8], '0–2, 5, 7–8'],
    [[3, 7, 11, 15], '3, 7, 11 … 15'],
    [[0, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23], '0, 2–3, 5–6 … 23'],
    [[], ''],
  ])('%j are %s', (layers, text) => {
    expect(layerRanges(layers)).toBe(text);
  });
});

describe('a derivation', () => {
  it('is the formula with the numbers put in', () => {
    const { first, fixed, total } = derive(readGeometry(HYBRID), { dtype: bf16, tokens: 1000 });
    expect(first.map((line) => lineText(line, 'token', tr))).toEqual([
      '1 full attention layer × 2 KV heads × (64 + 64) × 2 bytes = 512 bytes a token',
    ]);
    expect(fixed.map((line) => lineText(line, 'sequence', tr))).toEqual([
      '3 convolution layers × 512 channels × (4 − 1) inputs × 2 bytes = 9,216 bytes',
      '3 state layers × (8 × 32 × 32) elements × 4 bytes = 98,304 bytes',
    ]);
    expect(total.map((line) => lineText(line, 'sequence', tr))[0]).toBe(
      '1 full attention layer × 2 KV heads × (64 + 64) × 2 bytes × 1,000 tokens = 512,000 bytes',
    );
  });
  it('names the length at which a window is full', () => {
    const { total } = derive(readGeometry(GEMMA), { dtype: bf16, tokens: 4096 });
    expect(total.map((line) => lineText(line, 'sequence', tr))[0]).toBe(
      '10 sliding window layers × 1 KV head × (256 + 256) × 2 bytes × min(4,096, 512) tokens = 5,242,880 bytes',
    );
  });
});

describe('engines', () => {
  it('that keep windows whole are said to take the most', () => {
    const rows = engineRows(readGeometry(GEMMA), { dtype: kvDtype('fp16'), batch: 1, tokens: 32_768 }) ?? [];
    expect(rows.map(({ engine }) => engine)).toEqual([
      'ideal',
      'transformers.js',
      'vllm',
      'llama.cpp',
      'preallocated',
    ]);
    // Ideal 10 x 1,024 x 512 + 2 x 1,024 x 32,768; the graph 12 x 1,024 x 32,768.
    expect(rows.slice(0, 2).map(({ size }) => size?.bytes)).toEqual([72_351_744, 402_653_184]);
    expect(engineSentence(rows, 32_768, tr)).toMatch(
      /^At 32,768 tokens llama\.cpp takes the least \(1\.\d+x the ideal cache\) and transformers\.js \/ ONNX the most \(5\.6x\)/,
    );
  });
  it('show how their bytes follow', () => {
    const options = { dtype: kvDtype('fp16'), batch: 2, tokens: 32_768 };
    const lines = (engineRows(readGeometry(GEMMA), options) ?? []).map(({ size }) =>
      size === null ? [] : engineDerivation(readGeometry(GEMMA), size, options, tr),
    );
    expect(lines[1]).toEqual([
      '10 sliding window layers × 1 KV head × (256 + 256) × 2 bytes × 32,768 tokens = 335,544,320 bytes',
      '2 full attention layers × 1 KV head × (256 + 256) × 2 bytes × 32,768 tokens = 67,108,864 bytes',
      'x 2 sequences: in all 805,306,368 bytes',
    ]);
    expect(lines[3]?.slice(0, 2)).toEqual([
      '10 sliding window layers × 1,024 cells (⌈min(32,768, 512 + 512) ÷ 256⌉ × 256) × 1,024 bytes = 10,485,760 bytes',
      '2 full attention layers × 32,768 cells (⌈32,768 ÷ 256⌉ × 256) × 1,024 bytes = 67,108,864 bytes',
    ]);
  });
  it('that agree are said to agree', () => {
    const rows = engineRows(readGeometry(LLAMA), { dtype: kvDtype('fp16'), batch: 1, tokens: 4096 }) ?? [];
    expect(engineSentence(rows, 4096, tr)).toBe(
      'At 4,096 tokens every engine keeps exactly the ideal bytes.',
    );
  });
  it('that agree are told from preallocated, which reserves what the model was made for', () => {
    const geometry = { ...readGeometry(LLAMA), maxPositions: 8192 };
    const at = (tokens: number) =>
      engineSentence(engineRows(geometry, { dtype: kvDtype('fp16'), batch: 1, tokens }) ?? [], tokens, tr);
    expect(at(4096)).toBe(
      'At 4,096 tokens every engine but preallocated keeps exactly the ideal bytes. Preallocated, which is apart, reserves 8,192 tokens: 2.0x the ideal cache.',
    );
    expect(at(16_384)).toContain('Preallocated is refused at this length.');
  });
  it('are not compared above 2^53 bytes', () => {
    expect(engineRows(readGeometry(LLAMA), { dtype: bf16, batch: 64, tokens: 2 ** 40 })).toBeNull();
  });
  it('say where graphs narrow float32 states', () => {
    expect(narrowsStates(readGeometry(HYBRID), { dtype: bf16 })).toBe(true);
    expect(narrowsStates(readGeometry(HYBRID), { dtype: kvDtype('fp32') })).toBe(false);
    expect(narrowsStates(readGeometry(LLAMA), { dtype: bf16 })).toBe(false);
  });
  it.each([
    [1, '1x'],
    [1.0004, '1.0004x'],
    [0.97, '0.97x'],
    [5.94, '5.9x'],
    [71.1, '71x'],
  ])('%d times is %s', (ratio, text) => {
    expect(timesText(ratio)).toBe(text);
  });
});

describe('what is typed', () => {
  it.each([
    ['32768', 32_768],
    [' 32,768 ', 32_768],
    ['1 000 000', 1_000_000],
    ['0', null],
    ['-1', null],
    ['1e5', null],
    ['', null],
    ['99999999999', null],
  ])('%j tokens are %s', (text, tokens) => {
    expect(parseTokens(text)).toBe(tokens);
  });
  it('bits per element are above 0 and at most 64', () => {
    expect(parseBits('0.5')?.vectorBytes(128)).toBe(8);
    expect(parseBits('0,5')?.vectorBytes(128)).toBe(8);
    expect([parseBits('0'), parseBits('65'), parseBits('x')]).toEqual([null, null, null]);
  });
  it('the type is the config’s own, if a cache can have it', () => {
    expect(usualDtype({ ...readGeometry(LLAMA), dtype: 'torch.float16' })).toBe('fp16');
    expect(usualDtype({ ...readGeometry(LLAMA), dtype: 'float8_e4m3fn' })).toBe('bf16');
  });
});

describe('a table', () => {
  const table = {
    head: ['Kind', 'Bytes'],
    rows: [
      ['full | "a"', 1234],
      ['=cmd', 0.5],
    ],
  };
  it('is Markdown', () => {
    expect(tableMarkdown(table)).toBe(
      '| Kind | Bytes |\n| --- | ---: |\n| full \\| "a" | 1,234 |\n| =cmd | 0.5 |\n',
    );
  });
  it('is CSV', () => {
    expect(tableCsv(table)).toBe('Kind,Bytes\r\n"full | ""a""",1234\r\n\'=cmd,0.5\r\n');
  });
});

function fail(): never {
  throw new Error('no such layer');
}
