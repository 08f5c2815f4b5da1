/** The example beside the chart, with the bytes that platform-notes.md saw: 24 layers x 2 KV heads x 64 x fp32. */
import { expect, it } from 'vitest';
import { lengthRecord } from '../protocol/sample-record.fixture';
import { slackExample } from './slack-example';

it('is one tensor at 129 tokens: 66,048 bytes in a buffer of 131,072', () => {
  expect(slackExample(lengthRecord())).toEqual({
    model: 'twin:Qwen/Qwen2.5-0.5B-Instruct',
    tokens: 129,
    tensor: 66048,
    resident: 131072,
    count: 48,
  });
});

it('is none where buffers are as large as their tensors, or were not measured', () => {
  const record = lengthRecord();
  const exact = record.cells.map((cell) => ({ ...cell, residentBytes: cell.tensorBytes }));
  expect(slackExample({ ...record, cells: exact })).toBeNull();
  const unmeasured = record.cells.map((cell) => ({ ...cell, residentBytes: null }));
  expect(slackExample({ ...record, cells: unmeasured })).toBeNull();
});
