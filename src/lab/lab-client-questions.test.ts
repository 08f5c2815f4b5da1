/** What a worker asks of the page, and what it is sent besides its passes. */
import { describe, expect, it } from 'vitest';
import type { MaybeBytes } from '../protocol/record';
import type { ModelSource } from '../protocol/source';
import { measure, type Measurement } from './lab-client';
import { tinyCell, WorkerFactory } from './testing';
import type { Pass, Report } from '../protocol/messages';

const PASS: Pass = {
  id: 0,
  model: 'tiny',
  dtype: 'fp32',
  batch: 1,
  policy: 'dynamic',
  room: 0,
  overflow: 'refuse',
  bits: '8',
  block: 16,
  device: 'webgpu',
  allocator: 'bucket',
  chunk: 0,
  seed: 0,
  repeat: 0,
  processBytes: true,
  work: { kind: 'length', stops: [64], steps: 0 },
};

function setup(processBytes: Measurement['processBytes'], sources: ModelSource[] = []) {
  const workers = new WorkerFactory();
  const abort = new AbortController();
  const reports: Report[] = [];
  const outcome = measure(
    workers.spawn,
    {
      passes: [PASS],
      sources,
      documents: [],
      processBytes,
      onReport: (report) => reports.push(report),
      remaining: () => [PASS],
      beforeRestart: () => Promise.resolve(),
    },
    abort.signal,
  );
  return { workers, abort, reports, outcome };
}

/** Lets promises that are settled have their say. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('process-wanted', () => {
  it.each<[string, MaybeBytes]>([
    ['the meter’s bytes', 155_400_000],
    ['null', null],
  ])('is answered with %s, and is no report', async (_, bytes) => {
    const { workers, reports, outcome } = setup(() => Promise.resolve(bytes));
    const { last } = workers;
    last.report({ type: 'process-wanted' });
    await turn();
    expect(last.commands.slice(1)).toEqual([{ type: 'process-bytes', runId: last.runId, bytes }]);
    expect(reports).toEqual([]);
    last.report({ type: 'done', cancelled: false });
    expect(await outcome).toEqual({ end: 'done' });
  });

  it('of another run is not answered', async () => {
    const { workers } = setup(() => Promise.resolve(1));
    workers.last.report({ type: 'process-wanted' }, workers.last.runId - 1);
    await turn();
    expect(workers.last.commands).toHaveLength(1);
  });

  it('is not answered after Cancel, nor after the end', async () => {
    let answer: (bytes: MaybeBytes) => void = () => undefined;
    const slow = () => new Promise<MaybeBytes>((resolve) => (answer = resolve));
    const { workers, abort, outcome } = setup(slow);
    const { last } = workers;
    last.report({ type: 'process-wanted' });
    abort.abort();
    answer(1);
    await turn();
    expect(last.commands.map(({ type }) => type)).toEqual(['run', 'cancel']);
    last.report({ type: 'process-wanted' });
    last.report({ type: 'done', cancelled: true });
    answer(2);
    await outcome;
    await turn();
    expect(last.commands.map(({ type }) => type)).toEqual(['run', 'cancel']);
  });
});

describe('models from outside', () => {
  it('are sent along, to a fresh worker again', async () => {
    const sources = [{ id: 'owner/name' } as ModelSource];
    const { workers } = setup(() => Promise.resolve(null), sources);
    const [first] = workers.made;
    expect(first?.commands[0]).toMatchObject({ type: 'run', sources });
    first?.report(tinyCell(0, 64));
    first?.report({
      type: 'pass-failed',
      passId: 0,
      fault: { code: 'device-lost', params: { detail: 'x' } },
    });
    await turn();
    expect(workers.made).toHaveLength(2);
    expect(workers.last.commands[0]).toMatchObject({ type: 'run', sources });
  });
});
