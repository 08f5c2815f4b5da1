/** The article's tables against small records: an equal number is ok, any other is told, and a missing one is never equal. */
import { expect, it } from 'vitest';
import { growthRecord, lengthRecord, QWEN, sampleCell } from '../../src/protocol/sample-record.fixture';
import type { LabRecord } from '../../src/protocol/record';
import { differences, PAPER, paperTable, type PaperPartName, type PaperRow } from './paper';

function rowsOf(name: PaperPartName, record: LabRecord | null): PaperRow[] {
  return PAPER[name].rows(record);
}

function row(rows: PaperRow[], what: string): PaperRow | undefined {
  return rows.find((one) => one.what === what);
}

it('tells what of the 13 cells is there, what differs and what is missing', () => {
  const rows = rowsOf('table', lengthRecord());
  expect(row(rows, `${QWEN} at 512 tokens`)?.found).toBe('12,582,912');
  expect(row(rows, 'twin:openai-community/gpt2 at 2,048 tokens')?.found).toBe(
    'skipped: over the maximum position',
  );
  // 3 models' bytes per token, 15 cells and their count; this record has only 2 of the 13, that skipped one and one model.
  expect(rows).toHaveLength(19);
  expect(differences(rows)).toHaveLength(15);
  expect(row(differences(rows), `${QWEN} at 4,096 tokens`)?.found).toBe('not measured');
});

it('sees one byte, and a formula that differs from the tensors', () => {
  const off = (patch: Parameters<typeof sampleCell>[0]): string | undefined =>
    row(rowsOf('table', { ...lengthRecord(), cells: [sampleCell(patch)] }), `${QWEN} at 128 tokens`)?.found;
  expect(off({})).toBe('3,145,728');
  expect(off({ tensorBytes: 3_145_729 })).toBe('3,145,729 (formula 3,145,728)');
  expect(off({ formulaBytes: 3_145_729 })).toBe('3,145,728 (formula 3,145,729)');
});

it('has the article’s growth, which one byte or one step less is not', () => {
  const record = growthRecord(6, 32);
  expect(differences(rowsOf('growth', record))).toEqual([]);
  expect(differences(rowsOf('growth', growthRecord(6, 31))).map(({ what }) => what)).toEqual([
    'steps',
    'final tokens',
    'final bytes',
  ]);
  expect(differences(rowsOf('growth', growthRecord(7, 32))).map(({ what }) => what)).toContain(
    'prompt tokens',
  );
  const [growth] = record.growth;
  const steps = growth?.steps.map((step, index) => ({ ...step, deltaTensor: index === 3 ? 24_580 : 24_576 }));
  const odd = { ...record, growth: growth && steps ? [{ ...growth, steps }] : [] };
  expect(differences(rowsOf('growth', odd)).map(({ what }) => what)).toEqual([
    'largest step',
    'distinct steps',
  ]);
});

it('says where an element type ran, and never calls bfloat16 measured', () => {
  const skipped = { tensorBytes: null, formulaBytes: 6_291_456, skipped: 'no' };
  const cells = [
    sampleCell({ tokens: 512, tensorBytes: 12_582_912, formulaBytes: 12_582_912 }),
    sampleCell({ dtype: 'fp16', device: 'wasm', tensorBytes: 6_291_456, formulaBytes: 6_291_456 }),
    sampleCell({ dtype: 'bf16', ...skipped }),
  ];
  const rows = rowsOf('dtype', { ...lengthRecord(), cells });
  expect(rows.map(({ what, found }) => [what, found])).toEqual([
    ['float32 on WebGPU', '12,582,912'],
    ['float16 on WASM', '6,291,456'],
    ['bfloat16, by formula', '6,291,456'],
    ['bfloat16, measured', 'not measured'],
  ]);
  expect(differences(rows)).toEqual([]);
});

it('counts repeats; process bytes inform and are compared with nothing', () => {
  const repeats = [12_582_912, 12_582_912, 12_582_908].map((tensorBytes, repeat) =>
    sampleCell({
      tokens: 512,
      repeat,
      tensorBytes,
      processBytesBefore: 1_000_000,
      processBytes: 1_500_000 + repeat,
    }),
  );
  const rows = rowsOf('batch', { ...lengthRecord(), cells: repeats });
  expect(rows[0]).toEqual({
    what: 'batch 1: tensor bytes, identical in',
    expected: '12,582,912 in 3 of 3',
    found: '12,582,912 in 2 of 3',
  });
  expect(row(rows, 'batch 1: process bytes, median (range)')).toMatchObject({
    expected: null,
    found: '500,001 (500,000 to 500,002)',
  });
  expect(row(rows, 'batch 8: process bytes, median (range)')?.found).toBe('not measured: not asked for');
});

it('has the factor of grouped-query attention from the measured bytes alone', () => {
  const own = (tensorBytes: number): string | undefined =>
    row(
      rowsOf('gqa', {
        ...lengthRecord(),
        cells: [sampleCell(), sampleCell({ model: 'mha:Qwen/Qwen2.5-0.5B-Instruct', tensorBytes })],
      }),
      'measured: times as many bytes',
    )?.found;
  expect(own(22_020_096)).toBe('7.0x');
  expect(own(22_020_097)).not.toBe('7.0x');
});

it('has the article’s crossover without measuring', () => {
  const rows = rowsOf('crossover', null);
  expect(rows).toHaveLength(6);
  expect(differences(rows)).toEqual([]);
});

it('prints ok and different, and nothing for what only informs', () => {
  const table = paperTable('Title', [
    { what: 'a', expected: '1', found: '1' },
    { what: 'long', expected: '2', found: '30' },
    { what: 'c', expected: null, found: '4' },
  ]);
  expect(table.split('\n')).toEqual([
    'Title',
    '      article  here',
    'a           1     1         ok',
    'long        2    30  different',
    'c                 4',
  ]);
});
