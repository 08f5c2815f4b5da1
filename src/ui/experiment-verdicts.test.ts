/** The verdicts of dtype, batch, KV heads and weights, made from records; the article's numbers (shared/golden/paper-tables.json). */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog, loadPart, t } from '../i18n';
import { formatInteger } from '../protocol/format';
import { ARTICLE_MODELS, defaultRecipe, type Lang, type Recipe } from '../protocol/recipe';
import type { Cell, LabRecord, ModelRecord } from '../protocol/record';
import {
  growthRecord,
  lengthRecord,
  QWEN,
  sampleCell,
  sampleGrowth,
} from '../protocol/sample-record.fixture';
import { batchParts, dtypeParts, experimentParts, gqaParts, weightsParts } from './experiment-verdicts';
import { recordVerdict, type Words } from './verdict-text';
import { weightsRows } from './weights-rows';

const words = (lang: Lang): Words => ({
  tr: (key, params) => t(lang, key, params),
  int: (value) => formatInteger(value, lang),
});
const en = words('en');

function recordOf(recipe: Recipe, cells: Cell[], models: ModelRecord[] = []): LabRecord {
  return { ...lengthRecord(), recipe, cells, models, growth: [] };
}

function loaded(patch: Partial<ModelRecord>): ModelRecord {
  const [model] = lengthRecord().models;
  if (model === undefined) throw new Error('the sample has a model');
  return { ...model, ...patch };
}

/** Qwen at 512 tokens in a variant, with what its graph says of the cache. */
const variant = (dtype: Cell['dtype'], bytes: number, device: Cell['device'] = 'webgpu'): Cell =>
  sampleCell({ dtype, device, tokens: 512, formulaBytes: bytes, tensorBytes: bytes });
const VARIANTS = [
  variant('fp32', 12582912),
  variant('fp16', 6291456, 'wasm'),
  variant('q4', 12582912),
  variant('q4f16', 6291456, 'wasm'),
];
const GRAPHS = [
  loaded({ dtype: 'fp32' }),
  loaded({ dtype: 'fp16', cacheType: 'float16' }),
  loaded({ dtype: 'q4' }),
  loaded({ dtype: 'q4f16', cacheType: 'float16' }),
];

beforeAll(() => loadPart('en', 'report'));

describe('dtype', () => {
  it('says the half, that quantised weights change nothing, and what ran on WASM', () => {
    expect(recordVerdict(recordOf(defaultRecipe('dtype'), VARIANTS, GRAPHS), en).sentence).toBe(
      'float16 takes exactly half of float32: 6,291,456 against 12,582,912 bytes; quantising the weights changes nothing in the cache: q4 12,582,912, q4f16 6,291,456; fp16, q4f16 ran on WASM, since this GPU has no shader-f16; 4 of 4 cells equal to the byte.',
    );
  });

  it('goes by the graph’s element type, not by the variant’s name', () => {
    // A q4 file whose graph keeps float16: its bytes are those of float16, and that is no difference.
    const cells = [...VARIANTS.slice(0, 2), variant('q4', 6291456)];
    const graphs = [...GRAPHS.slice(0, 2), loaded({ dtype: 'q4', cacheType: 'float16' })];
    expect(dtypeParts(recordOf(defaultRecipe('dtype'), cells, graphs), en)[1]).toBe(
      'quantising the weights changes nothing in the cache: q4 6,291,456',
    );
  });

  it('does not call half what is not half, nor the same what differs', () => {
    const cells = [VARIANTS[0], variant('fp16', 6291457), variant('q4', 12582913)].filter(
      (cell) => cell !== undefined,
    );
    expect(dtypeParts(recordOf(defaultRecipe('dtype'), cells, GRAPHS), en)).toEqual([
      'float16 takes 6,291,457 bytes, float32 12,582,912',
      'the cache of quantised weights differs from that of their element type: q4 12,582,913',
    ]);
  });

  it('puts bytes that are not the formula’s first', () => {
    const cells = [{ ...sampleCell(), dtype: 'fp32' as const, tensorBytes: 3145729 }];
    const { sentence, equal } = recordVerdict(
      recordOf(defaultRecipe('dtype'), [...cells, ...VARIANTS], GRAPHS),
      en,
    );
    expect(equal).toBe(false);
    expect(sentence).toMatch(/^4 of 5 cells equal to the byte; the worst ratio is 1\.0000003/);
  });
});

/** Batches 1 and 8 of Qwen at 512 tokens, three times; page memory as the article's RSS moved. */
function batchRecord(moved: (batch: number, repeat: number) => number | null): LabRecord {
  const cells = [1, 8].flatMap((batch) =>
    [0, 1, 2].map((repeat) => {
      const change = moved(batch, repeat);
      const bytes = batch * 12582912;
      return sampleCell({
        ...{ batch, repeat, tokens: 512, formulaBytes: bytes, tensorBytes: bytes },
        processBytesBefore: change === null ? null : 400000000,
        processBytes: change === null ? null : 400000000 + change,
      });
    }),
  );
  return recordOf(defaultRecipe('batch'), cells, [loaded({})]);
}

describe('batch', () => {
  const blind = batchRecord((batch, repeat) => (batch === 1 ? 75386880 : -48103424) + repeat);

  it('says proportion, repeats, and that page memory is no measure', () => {
    expect(batchParts(blind, en)).toEqual([
      'The cache grows with the batch: 12,582,912 bytes at batch 1, 100,663,296 at batch 8',
      'tensor bytes are the same in 3 of 3 repeats everywhere',
      'page memory moved by -48,103,424 to +75,386,882 bytes, so it is no measure of the cache',
    ]);
  });

  it('says what one token more did', () => {
    const growth = [0, 1, 2].map((repeat) => {
      const [step, ...more] = sampleGrowth(512, 1).steps;
      if (step === undefined) throw new Error('the sample has a step');
      const steps = [{ ...step, processBytes: 400000000 - 48103424 * repeat }, ...more];
      return { ...sampleGrowth(512, 1), repeat, promptProcessBytes: 400000000, steps };
    });
    expect(batchParts({ ...blind, growth }, en).at(-1)).toBe(
      'at batch 1 one token more added 24,576 bytes to the cache, and page memory moved by -96,206,848 to 0',
    );
  });

  it('does not call page memory blind where it follows the cache within 5%, as on WASM', () => {
    const follows = batchRecord((batch) => batch * 12582912 * 1.04);
    expect(batchParts(follows, en)[2]).toContain('page memory followed the cache within 5% here');
    const strays = batchRecord((batch, repeat) => batch * 12582912 * (repeat === 2 ? 1.06 : 1));
    expect(batchParts(strays, en)[2]).toContain('so it is no measure of the cache');
  });

  it('says what was not measured, and bytes that stray', () => {
    const without = batchRecord(() => null);
    expect(batchParts(without, en)[2]).toBe('page memory was not measured');
    const cells = without.cells.map((cell, index) =>
      index === 1 ? { ...cell, tensorBytes: 12582911 } : cell,
    );
    expect(batchParts({ ...without, cells }, en)[1]).toBe(
      'tensor bytes differ between repeats at 1 of 2 points',
    );
  });
});

describe('KV heads', () => {
  const recipe = defaultRecipe('gqa');
  const without = 'mha:Qwen/Qwen2.5-0.5B-Instruct';

  it('says the article’s 7.0 times and 172,032 bytes per token, with what was measured', () => {
    const cells = [
      sampleCell(),
      sampleCell({ model: without, formulaBytes: 22020096, tensorBytes: 22020096 }),
    ];
    expect(gqaParts(recordOf(recipe, cells, [loaded({})]), en)).toEqual([
      'Qwen2.5-0.5B-Instruct keeps 2 KV heads for 14 attention heads: 24,576 bytes per token instead of 172,032, 7.0× less',
      'measured 3,145,728 against 22,020,096 bytes at 128 tokens',
    ]);
  });

  it('says that GPT-2 shares none', () => {
    const gpt2 = { ...recipe, model: ['twin:openai-community/gpt2'] };
    expect(gqaParts(recordOf(gpt2, [sampleCell({ model: 'twin:openai-community/gpt2' })]), en)).toEqual([
      'GPT-2 has as many KV heads as attention heads already: 1.0×',
    ]);
  });
});

describe('weights', () => {
  it('says who owns the memory where, without a run', () => {
    const rows = weightsRows({ ...defaultRecipe('weights'), model: [...ARTICLE_MODELS, 'tiny'] }, null);
    expect(rows.map(({ missing }) => missing)).toEqual([null, null, null, 'builtIn']);
    // The article: from 40 requests on for Qwen2.5-0.5B, from 4 on for GPT-2.
    expect(weightsParts(rows, en)).toEqual([
      'Qwen2.5-0.5B-Instruct: up to 39 requests of 2,048 tokens the weights take more memory, from 40 on the cache does',
      'SmolLM2-135M-Instruct: up to 5 requests of 2,048 tokens the weights take more memory, from 6 on the cache does',
      'GPT-2: up to 3 requests of 2,048 tokens the weights take more memory, from 4 on the cache does',
    ]);
  });

  it('takes parameters and files of a model from outside from the record, and says what it does not know', () => {
    const recipe: Recipe = { ...defaultRecipe('weights'), model: ['owner/name'], dtype: ['q4'] };
    expect(weightsRows(recipe, null)[0]).toMatchObject({ missing: 'unknown', crossover: null });
    const model = loaded({
      id: 'owner/name',
      dtype: 'q4',
      source: 'hub',
      parameters: null,
      weightBytes: 2457600,
    });
    const [row] = weightsRows(recipe, recordOf(recipe, [], [model]));
    expect(row).toMatchObject({ missing: null, weightBytes: 2457600 });
    expect(weightsRows({ ...recipe, model: [QWEN] }, null)[0]?.missing).toBe('quantised');
  });
});

describe('in Korean', () => {
  beforeAll(() => loadCatalog('ko'));

  it('says whole sentences', () => {
    expect(recordVerdict(recordOf(defaultRecipe('dtype'), VARIANTS, GRAPHS), words('ko')).sentence).toBe(
      'float16은 float32의 정확히 절반입니다(6,291,456바이트 대 12,582,912바이트). 가중치를 양자화해도 캐시는 그대로입니다(q4 12,582,912, q4f16 6,291,456). 이 GPU에 shader-f16이 없어 WASM에서 돌린 것이 있습니다(fp16, q4f16). 4칸 중 4칸이 바이트까지 같습니다.',
    );
  });
});

it('leaves length, growth and weights to the sentence that counts', () => {
  expect(experimentParts(growthRecord(), en)).toEqual([]);
  const { sentence } = recordVerdict(recordOf(defaultRecipe('weights'), [sampleCell()]), en);
  expect(sentence).toBe('1 of 1 cells equal to the byte; the GPU’s buffers have no slack.');
});
