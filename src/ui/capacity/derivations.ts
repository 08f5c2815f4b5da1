/** How each of the planner's figures follows: the formula with its numbers put in. Pure. */
import { engineOptions, type FoundModel } from '../../experiments/capacity';
import { sessionOf } from '../../geometry/capacity/room';
import type { Count } from '../../geometry/capacity/types';
import { engineBytes } from '../../geometry/engines';
import { kvDtype } from '../../geometry/engines/kv-dtype';
import type { CapacityResult, CapacityState, PlannedModel } from '../../protocol/capacity';
import { derive, type DerivationLine } from '../architecture/derivation';
import { lineText, numberText } from '../architecture/derivation-text';
import type { CapacityTranslate } from './words';

export interface DerivationContext {
  result: CapacityResult;
  model: PlannedModel;
  found: FoundModel;
  tr: CapacityTranslate;
}

/** vLLM splits every layer over the GPUs: its room and its sessions are counted on one of them. */
function isPerGpu({ engine, gpus }: CapacityState): boolean {
  return engine === 'vllm' && gpus > 1;
}

/** Room that one session's bytes are counted against; null without known weights. */
function roomOf({ result: { state }, model }: DerivationContext): number | null {
  return isPerGpu(state) ? model.budgetPerGpu : model.budgetBytes;
}

export function roomLines(context: DerivationContext): string[] {
  const { result, model, tr } = context;
  const { state, gpu } = result;
  const room = roomOf(context);
  if (room === null || model.weights === null) return [tr('cap.weights.missing')];
  const params = {
    gpus: state.gpus,
    gpu: gpu.bytes,
    share: numberText(state.share),
    reserve: state.reserve,
    weights: model.weights.bytes,
  };
  if (model.missingBytes > 0) return [tr('cap.how.roomMissing', { missing: model.missingBytes })];
  return [
    tr(isPerGpu(state) ? 'cap.how.roomEach' : 'cap.how.room', { ...params, room, total: room * state.gpus }),
  ];
}

/** What one session keeps per token or whatever its length, by kind of layer. */
export function cacheLines(
  { result: { state }, found, tr }: DerivationContext,
  figure: 'first' | 'far' | 'fixed',
): string[] {
  if (found.cache === null) return [];
  if (!('geometry' in found.cache)) return [tr('cap.how.typed')];
  const { geometry } = found.cache;
  const dtype = kvDtype(state.kv);
  if (state.engine === 'ideal') {
    const lines: DerivationLine[] = derive(geometry, { dtype, tokens: 1 })[figure];
    return lines.map((line) => lineText(line, figure === 'fixed' ? 'sequence' : 'token', tr));
  }
  const split = state.engine === 'vllm' ? state.gpus : 1;
  const { layers } = engineBytes(geometry, state.engine, {
    dtype,
    batch: 1,
    tokens: 1,
    tensorParallel: split,
    ...engineOptions(state),
  });
  const bytesOf = (layer: (typeof layers)[number]): number =>
    figure === 'first' ? layer.bytesPerToken : figure === 'far' ? layer.bytesPerTokenFar : layer.fixedBytes;
  const bytes = layers.reduce((sum, layer) => sum + layer.count * bytesOf(layer), 0);
  const key = figure === 'fixed' ? 'cap.how.fixed.engine' : 'cap.how.perToken.engine';
  return [
    ...layers
      .filter((layer) => bytesOf(layer) > 0)
      .map((layer) =>
        tr(key, { count: layer.count, kind: tr(`kind.${layer.kind}`), bytes: numberText(bytesOf(layer)) }),
      ),
    tr('cap.how.rule', { engine: tr(`engine.${state.engine}`), kv: state.kv }),
    ...(split > 1 ? [tr('cap.how.copies', { gpus: split, bytes, total: split * bytes })] : []),
  ];
}

/** The most tokens that fit: by division where the cache is a plain product, else by the next token that does not fit. */
export function tokenLines(context: DerivationContext): string[] {
  const { model, tr } = context;
  const room = roomOf(context);
  if (room === null || model.kvTokens === null) return [];
  const plain = model.fixedBytes === 0 && model.bytesPerTokenFar === model.bytesPerTokenFirst;
  if (plain && context.result.state.engine === 'ideal' && typeof model.kvTokens === 'number') {
    const { bytesPerTokenFirst, kvTokens } = model;
    return [tr('cap.how.tokens', { room, perToken: numberText(bytesPerTokenFirst), tokens: kvTokens })];
  }
  return searchLines(context, room, model.kvTokens, 1);
}

export function largestLines(context: DerivationContext): string[] {
  const { model, result } = context;
  const room = roomOf(context);
  if (room === null || model.largestContext === null) return [];
  return searchLines(context, room, model.largestContext.tokens, result.state.sessions);
}

function searchLines(
  { result: { state }, found, tr }: DerivationContext,
  room: number,
  tokens: Count,
  sessions: number,
): string[] {
  if (found.cache === null) return [];
  if (tokens === 0) return [tr('cap.how.tokensNone', { room })];
  if (tokens === 'unbounded') return [tr('cap.how.tokensUnbounded', { room })];
  const { engine, gpus, kv } = state;
  const session = sessionOf(found.cache, { engine, gpus, dtype: kvDtype(kv), options: engineOptions(state) });
  const params = {
    tokens,
    bytes: session.bytes(tokens),
    room,
    more: tokens + 1,
    moreBytes: session.bytes(tokens + 1),
    sessions,
  };
  // A length that the engine refuses is no number of bytes.
  if (!Number.isFinite(params.moreBytes)) return [];
  return [tr(sessions === 1 ? 'cap.how.tokensSearch' : 'cap.how.largest', params)];
}

/** Sessions at each context: the room divided by one session's bytes. */
export function sessionLines(context: DerivationContext): string[] {
  const { result, model, tr } = context;
  const room = roomOf(context);
  if (room === null) return [];
  const share = isPerGpu(result.state) ? result.state.gpus : 1;
  return model.rows.flatMap(({ tokens, sessionBytes, sessions }) =>
    sessionBytes === null || typeof sessions !== 'number'
      ? []
      : [
          tr(sessions === 1 ? 'cap.how.sessionsOne' : 'cap.how.sessions', {
            tokens,
            room,
            bytes: sessionBytes / share,
            sessions,
          }),
        ],
  );
}
