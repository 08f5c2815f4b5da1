/** The lines that a headless run prints: each number once, however the record's cells are sorted meanwhile. */
import { expect, it } from 'vitest';
import { lengthRecord, sampleCell } from '../../src/protocol/sample-record.fixture';
import { progressLines } from './headless';

it('tells a cell once, also when others are sorted in before it', () => {
  const seen = new Set<string>();
  const { models, ...record } = lengthRecord();
  const at = (tokens: number) => sampleCell({ tokens, tensorBytes: tokens * 24_576 });
  expect(progressLines(null, seen)).toEqual([]);
  expect(progressLines({ ...record, models: [], cells: [at(512)] }, seen)).toEqual([
    'twin:Qwen/Qwen2.5-0.5B-Instruct, fp32, 512 tokens: 12,582,912 bytes',
  ]);
  const later = { ...record, models, cells: [at(128), at(512), sampleCell({ batch: 2, repeat: 1 })] };
  expect(progressLines(later, seen)).toEqual([
    'twin:Qwen/Qwen2.5-0.5B-Instruct, fp32: loaded, 24,576 bytes per token',
    'twin:Qwen/Qwen2.5-0.5B-Instruct, fp32, 128 tokens: 3,145,728 bytes',
    'twin:Qwen/Qwen2.5-0.5B-Instruct, fp32, batch 2, repeat 2, 128 tokens: 3,145,728 bytes',
  ]);
  expect(progressLines(later, seen)).toEqual([]);
});
