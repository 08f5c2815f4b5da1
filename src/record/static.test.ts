/** Records of preallocated caches in files and links: used bytes and capacity stand apart, and come back. */
import { describe, expect, it } from 'vitest';
import { parseRecordText } from '../protocol/schemas';
import { staticGrowthRecord, staticLengthRecord } from '../protocol/static-record.fixture';
import { compareResults, expectedFromRecord } from './compare';
import { recordCsv, recordJson, recordMarkdown } from './export';
import { decodeResults, encodeResults } from './link';

const column = (csv: string, name: string): (string | undefined)[] => {
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  const at = head.split(',').indexOf(name);
  return lines.map((line) => line.split(',')[at]);
};

describe('a record of a preallocated cache', () => {
  it.each([staticLengthRecord(), staticGrowthRecord()])('comes back from JSON whole', (record) => {
    const back = parseRecordText(recordJson(record));
    expect([back.recipe, back.cells, back.growth]).toEqual([record.recipe, record.cells, record.growth]);
  });

  it('has columns of its own in CSV; the ratio is that of the used bytes', () => {
    const csv = recordCsv(staticLengthRecord());
    expect(column(csv, 'used_bytes')).toEqual(['3145728', '3170304']);
    expect(column(csv, 'tensor_bytes')).toEqual(['3932160', '3932160']);
    expect(column(csv, 'room_tokens')).toEqual(['160', '160']);
    expect(column(csv, 'room_formula_bytes')).toEqual(['3932160', '3932160']);
    expect(column(csv, 'ratio')).toEqual(['1', '1']);
    expect(column(recordCsv(staticGrowthRecord()), 'moves')).toEqual(['', '0', '0', '1', '1']);
  });

  it('has them in Markdown, with the policy in words', () => {
    const text = recordMarkdown(staticLengthRecord());
    expect(text).toContain('| used bytes | room | tensor bytes (capacity) |');
    expect(text).toContain('| 3,170,304 | 3,170,304 | 160 | 3,932,160 | 1.0000 |');
    expect(text).toContain('2 of 2 capacities equal the formula at the room.');
    expect(text).toContain('cache policy static');
    expect(recordMarkdown(staticGrowthRecord())).toContain(
      '| 24,576 | 24,576 | 1 | 132 | 3,244,032 | 3,244,032 | 260 | 1 | 6,389,760 | 1.0000 |',
    );
  });

  it.each([staticLengthRecord(), staticGrowthRecord()])('travels in a link', async (record) => {
    const { cells, growth } = await decodeResults(await encodeResults(record));
    const expected = expectedFromRecord(record);
    expect([cells, growth]).toEqual([expected.cells, expected.growth]);
    expect(compareResults({ ...expected, source: 'link', cells, growth }, record).verdict).toBe('same');
  });

  it('differs from one whose buffers hold less, though their dims are the same', () => {
    const cells = staticLengthRecord().cells.map((cell) => ({ ...cell, usedBytes: 3_145_728 }));
    const here = { ...staticLengthRecord(), cells };
    expect(compareResults(expectedFromRecord(staticLengthRecord()), here)).toMatchObject({
      verdict: 'different',
      counts: { same: 1, different: 1 },
    });
    const growth = staticGrowthRecord().growth.map((one) => ({
      ...one,
      steps: one.steps.map((step) => (step.tokens === 131 ? { ...step, usedBytes: 1 } : step)),
    }));
    const compared = compareResults(expectedFromRecord(staticGrowthRecord()), {
      ...staticGrowthRecord(),
      growth,
    });
    expect(compared.growth[0]?.firstDifference).toEqual({ tokens: 131, expected: 3_219_456, here: 1 });
  });
});
