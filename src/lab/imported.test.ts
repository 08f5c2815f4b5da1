import { expect, it } from 'vitest';
import { trusted } from './imported';
import { lengthRecord } from '../protocol/sample-record.fixture';

it('does not take an edited file’s word for its ratio', () => {
  const record = lengthRecord();
  const cells = record.cells.map((cell, index) =>
    index === 0 ? { ...cell, tensorBytes: 5, ratio: 1 } : cell,
  );
  const shown = trusted({ ...record, cells });
  expect(shown.cells[0]?.ratio).not.toBe(1);
  expect(shown.checks.find(({ name }) => name === 'ratio')?.pass).toBe(false);
});

it('calls a run that was going on when it was saved interrupted', () => {
  expect(trusted({ ...lengthRecord(), status: 'running' }).status).toBe('interrupted');
});
