/** Faults that are findings are told once, others above the numbers. */
import { expect, it } from 'vitest';
import { policiesRecord } from '../protocol/policies-record.fixture';
import { lengthRecord } from '../protocol/sample-record.fixture';
import { untoldFaults } from './untold-faults';

const DISABLED = {
  code: 'allocator-failed',
  params: { mode: 'disabled', detail: 'Buffer used in submit while destroyed' },
} as const;
const LOST = { code: 'device-lost', params: { detail: 'destroyed' } } as const;

it('leaves out what a row of the compared policies says, and nothing else', () => {
  expect(untoldFaults(policiesRecord({ faults: [DISABLED, LOST] }))).toEqual([LOST]);
});

it('leaves out nothing elsewhere', () => {
  expect(untoldFaults({ ...lengthRecord(), faults: [DISABLED] })).toEqual([DISABLED]);
});
