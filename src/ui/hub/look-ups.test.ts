/** Look-ups: one state a model, the newest request wins, what was forgotten stays away. */
import { describe, expect, it } from 'vitest';
import type { LookedUp } from '../../lab/look-up';
import { LabError, type Fault } from '../../protocol/faults';
import { LookUps } from './look-ups';

const PINNED = 'lab/tiny@0e03000000000000000000000000000000000a33';

function foundAs(pinned: string): LookedUp {
  return {
    ...{ kind: 'hub', pinned, name: 'lab/tiny', revision: 'x', listing: null, parameters: null },
    ...{ config: {}, variants: [], files: new Map() },
  };
}

/** A hub whose answers the test gives by hand. */
function manual() {
  const calls: {
    id: string;
    signal: AbortSignal;
    notice: (fault: Fault) => void;
    resolve: (found: LookedUp) => void;
    reject: (error: Error) => void;
  }[] = [];
  const lookUps = new LookUps(
    (id, signal, notice) =>
      new Promise((resolve, reject) => {
        calls.push({ id, signal, notice, resolve, reject });
      }),
  );
  const call = (n: number) => {
    const made = calls[n];
    if (made === undefined) throw new Error(`no call ${n}`);
    return made;
  };
  return { lookUps, call, statusOf: (id: string) => lookUps.states.value.get(id)?.status };
}

describe('look-ups', () => {
  it('find a model, also under its id with the commit', async () => {
    const { lookUps, call, statusOf } = manual();
    const looking = lookUps.look('lab/tiny');
    expect(statusOf('lab/tiny')).toBe('looking');
    const notice: Fault = { code: 'storage-none', params: {} };
    call(0).notice(notice);
    call(0).resolve(foundAs(PINNED));
    expect((await looking)?.pinned).toBe(PINNED);
    expect(lookUps.states.value.get('lab/tiny')).toEqual(lookUps.states.value.get(PINNED));
    expect(lookUps.states.value.get(PINNED)).toMatchObject({ status: 'found', notices: [notice] });
  });

  it('say why a model was not found', async () => {
    const { lookUps, call } = manual();
    const looking = lookUps.look('lab/x');
    call(0).reject(new LabError('hub-no-onnx'));
    expect(await looking).toBeNull();
    expect(lookUps.states.value.get('lab/x')).toEqual({
      status: 'failed',
      fault: { code: 'hub-no-onnx', params: {} },
    });
  });

  it('end an older request for the same model', async () => {
    const { lookUps, call, statusOf } = manual();
    const first = lookUps.look('lab/tiny');
    const second = lookUps.look('lab/tiny');
    expect(call(0).signal.aborted).toBe(true);
    call(0).reject(new LabError('cancelled'));
    expect(await first).toBeNull();
    expect(statusOf('lab/tiny')).toBe('looking');
    call(1).resolve(foundAs(PINNED));
    await second;
    expect(statusOf('lab/tiny')).toBe('found');
  });

  it.each(['forget', 'clear'] as const)('%s: an answer that comes later changes nothing', async (how) => {
    const { lookUps, call } = manual();
    const looking = lookUps.look('lab/tiny');
    if (how === 'forget') lookUps.forget('lab/tiny');
    else lookUps.clear();
    expect(call(0).signal.aborted).toBe(true);
    call(0).resolve(foundAs(PINNED));
    expect(await looking).toBeNull();
    expect(lookUps.states.value.size).toBe(0);
  });
});
