/** The capacity planner: how many sessions a GPU holds beside the weights. Pure and instant. */
import { attempt } from '../engines/attempt';
import { kvDtype } from '../engines/kv-dtype';
import { roomFor, sessionOf, splitOver, type Room, type Session, type SessionSettings } from './room';
import { holds, mostSessions, mostTokens } from './search';
import type {
  CapacityInput,
  CapacityModel,
  CapacityPlan,
  CapacityReason,
  GpusRow,
  ModelCapacity,
  SessionRow,
  WhatIf,
  WhatIfRow,
} from './types';
import { UTILISATION, withoutGrouping } from './what-if';

/** More GPUs than this are not searched. */
const MOST_GPUS = 1024;

/**
 * Plans every model side by side. Room = GPU memory x usable share - what is kept free - weights; sessions = room / bytes of
 * one session, rounded down (second article; vLLM counts the same way, `get_num_blocks` in core/kv_cache_utils.py).
 * @throws RangeError naming a value that cannot be: negative or fractional bytes, a share outside 0 to 1, an unknown dtype.
 */
export function planCapacity(input: CapacityInput): CapacityPlan {
  check(input);
  return { models: input.models.map((model) => planModel(model, input)) };
}

function planModel(model: CapacityModel, input: CapacityInput): ModelCapacity {
  const settings = { ...input, dtype: kvDtype(input.dtype), options: input.options };
  const { value: session, refusal } = attempt(() => sessionOf(model.cache, settings));
  if (session === null) return refused(model, input, settings, refusal);
  const { weightBytes } = model;
  const room = weightBytes === null ? null : roomFor(input, weightBytes, input.gpus);
  const copies = splitOver(input.engine, input.gpus);
  const { bytesPerTokenFirst, bytesPerTokenFar, fixedBytes, notes } = session.size;
  const rows = sessionRows(model, input, session, room?.bytes ?? null);
  const first = bytesPerTokenFirst * copies;
  return {
    name: model.name,
    reason: reasonOf(model, input, room),
    weightBytes,
    budgetBytes: room && room.bytes * (room.perGpu ? input.gpus : 1),
    budgetPerGpu: room && (room.perGpu ? room.bytes : Math.floor(room.bytes / input.gpus)),
    missingBytes: room?.missing ?? 0,
    bytesPerTokenFirst: first,
    bytesPerTokenFar: bytesPerTokenFar * copies,
    fixedBytes: fixedBytes * copies,
    kvTokens: room && mostTokens(session.bytes, room.bytes),
    rows,
    largestContext: room && largestContext(model, input, session, room.bytes),
    gpusNeeded: gpusRows(model, input, settings, rows),
    whatIf: whatIfRows(model, input, settings, { session, room }),
    timesReported: input.reportedBytesPerToken === undefined ? null : first / input.reportedBytesPerToken,
    notes,
  };
}

/** The engine does not run the model on so many GPUs; how many it needs may still be said. */
function refused(
  model: CapacityModel,
  input: CapacityInput,
  settings: SessionSettings,
  detail: string,
): ModelCapacity {
  return {
    name: model.name,
    reason: { code: 'capacity-engine-refuses', params: { model: model.name, detail } },
    weightBytes: model.weightBytes,
    budgetBytes: null,
    budgetPerGpu: null,
    missingBytes: 0,
    bytesPerTokenFirst: 0,
    bytesPerTokenFar: 0,
    fixedBytes: 0,
    kvTokens: null,
    rows: [],
    largestContext: null,
    gpusNeeded: gpusRows(model, input, settings, []),
    whatIf: [],
    timesReported: null,
    notes: [],
  };
}

function reasonOf(
  { name }: CapacityModel,
  { gpus }: CapacityInput,
  room: Room | null,
): CapacityReason | null {
  if (!room) return { code: 'capacity-weights-unknown', params: { model: name } };
  return room.missing === 0
    ? null
    : { code: 'capacity-weights-do-not-fit', params: { model: name, missing: room.missing, gpus } };
}

function sessionRows(
  model: CapacityModel,
  input: CapacityInput,
  session: Session,
  room: number | null,
): SessionRow[] {
  const copies = splitOver(input.engine, input.gpus);
  return input.contexts.map((tokens) => {
    const bytes = session.bytes(tokens);
    const detail = session.refusal(tokens);
    const overMaximum = isOver(model, tokens);
    if (detail !== null) {
      const reason: CapacityReason = { code: 'capacity-context-refused', params: { tokens, detail } };
      return { tokens, sessionBytes: null, sessions: null, overMaximum, reason };
    }
    const sessions = room === null ? null : mostSessions(bytes, room);
    return { tokens, sessionBytes: bytes * copies, sessions, overMaximum, reason: null };
  });
}

function largestContext(
  model: CapacityModel,
  { sessions }: CapacityInput,
  session: Session,
  room: number,
): ModelCapacity['largestContext'] {
  const tokens = mostTokens((length) => session.bytes(length) * sessions, room);
  return { tokens, overMaximum: tokens !== 'unbounded' && isOver(model, tokens) };
}

function isOver({ cache }: CapacityModel, tokens: number): boolean {
  const maximum = 'geometry' in cache ? cache.geometry.maxPositions : null;
  return maximum !== null && tokens > maximum;
}

function gpusRows(
  model: CapacityModel,
  input: CapacityInput,
  settings: SessionSettings,
  rows: readonly SessionRow[],
): GpusRow[] {
  const { name, weightBytes } = model;
  const sessionOn = sessionsByGpus(model, settings);
  return input.contexts.map((tokens, index) => {
    const here = rows[index]?.sessions ?? null;
    const copies =
      here === 'unbounded' ? 1 : here === null || here === 0 ? null : Math.ceil(input.sessions / here);
    if (weightBytes === null) {
      const reason: CapacityReason = { code: 'capacity-weights-unknown', params: { model: name } };
      return { tokens, gpus: null, copies: null, reason };
    }
    const { found, tried } = leastGpus(model, { ...input, tokens, weightBytes }, sessionOn);
    const params = { model: name, tried, sessions: input.sessions, tokens };
    return {
      tokens,
      gpus: found,
      copies,
      reason: found === null ? { code: 'capacity-no-gpus', params } : null,
    };
  });
}

/** One session's cache by number of GPUs, each made once; null where vLLM cannot split the model so. */
function sessionsByGpus(
  { cache }: CapacityModel,
  settings: SessionSettings,
): (gpus: number) => Session | null {
  const known = new Map<number, Session | null>();
  return (gpus) => {
    // Only vLLM's cost depends on the number.
    const key = splitOver(settings.engine, gpus);
    const session = known.has(key)
      ? known.get(key)
      : attempt(() => sessionOf(cache, { ...settings, gpus: key })).value;
    known.set(key, session ?? null);
    return session ?? null;
  };
}

/** Tries numbers of GPUs upwards; those that vLLM cannot split the model over are passed over. */
function leastGpus(
  { cache }: CapacityModel,
  input: CapacityInput & { tokens: number; weightBytes: number },
  sessionOn: (gpus: number) => Session | null,
): { found: number | null; tried: number } {
  // vLLM asks that the GPUs divide the attention heads, so none above their number can do.
  const heads = input.engine === 'vllm' && 'geometry' in cache ? cache.geometry.attentionHeads : MOST_GPUS;
  const most = Math.min(MOST_GPUS, Math.max(1, heads));
  for (let gpus = 1; gpus <= most; gpus += 1) {
    const room = roomFor(input, input.weightBytes, gpus);
    if (room.missing > 0) continue;
    const bytes = sessionOn(gpus)?.bytes(input.tokens) ?? Infinity;
    if (holds(input.sessions, bytes, room.bytes)) return { found: gpus, tried: most };
  }
  return { found: null, tried: most };
}

function whatIfRows(
  model: CapacityModel,
  input: CapacityInput,
  settings: SessionSettings,
  { session, room }: { session: Session; room: Room | null },
): WhatIfRow[] {
  const copies = splitOver(input.engine, input.gpus);
  const row = (what: WhatIf, other: Session | null, share = 1): WhatIfRow[] => {
    if (!other) return [];
    const bytes = room === null ? null : Math.floor(room.bytes * share);
    return [
      {
        what,
        bytesPerTokenFirst: other.size.bytesPerTokenFirst * copies,
        kvTokens: bytes === null ? null : mostTokens(other.bytes, bytes),
        rows: sessionRows(model, input, other, bytes),
      },
    ];
  };
  const geometry = 'geometry' in model.cache ? model.cache.geometry : null;
  const ungrouped = geometry && withoutGrouping(geometry);
  const fp8 = settings.dtype.id === 'fp8' ? null : kvDtype('fp8');
  return [
    ...row('no-gqa', ungrouped && attempt(() => sessionOf({ geometry: ungrouped }, settings)).value),
    ...row(
      'fp8-cache',
      geometry && fp8 && attempt(() => sessionOf({ geometry }, { ...settings, dtype: fp8 })).value,
    ),
    ...row('utilisation-low', session, UTILISATION.low),
    ...row('utilisation-high', session, UTILISATION.high),
  ];
}

function check(input: CapacityInput): void {
  const counts: [string, number, number][] = [
    ['gpuBytes', input.gpuBytes, 1],
    ['gpus', input.gpus, 1],
    ['reserveBytes', input.reserveBytes, 0],
    ['sessions', input.sessions, 1],
    ...input.contexts.map((tokens): [string, number, number] => ['contexts', tokens, 1]),
    ...input.models.map(({ weightBytes }): [string, number, number] => ['weightBytes', weightBytes ?? 0, 0]),
  ];
  for (const [name, value, least] of counts)
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`${name} = ${value} is no whole number of ${least} or more`);
  if (!(input.usableShare > 0 && input.usableShare <= 1))
    throw new RangeError(`usableShare = ${input.usableShare} is not over 0 and up to 1`);
  const perToken = [
    input.reportedBytesPerToken ?? 1,
    ...input.models.map(({ cache }) => ('geometry' in cache ? 1 : cache.bytesPerToken)),
  ];
  if (perToken.some((bytes) => !(bytes > 0 && bytes < 2 ** 40)))
    throw new RangeError('bytes per token must be over 0');
}
