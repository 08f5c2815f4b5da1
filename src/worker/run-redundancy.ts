/**
 * Experiment `redundancy`: feeds the documents, reads keys and values of the full layers from the live cache after each, and
 * predicts layers from layers on solver workers. It measures only: the page joins the savings.
 */
import { bufferFault } from './buffer-limits';
import { checkBackends } from './check-backends';
import { checkMethodHere } from './check-method';
import { countCache } from './decode';
import { NoiseFloor } from './noise-floor';
import { prefill } from './prefill';
import { fullTensors, layersOf, readRows } from './read-cache';
import { tokeniseDocuments, type TokenisedDocument } from './redundancy-documents';
import { addDocument, candidatesOf, pairOrder, redundancyJobs, type ReadTensor } from './redundancy-jobs';
import type { PassContext } from './run-experiment';
import type { KvCache } from './runtime-types';
import { jobsAtOnce } from '../experiments/plan-redundancy';
import { fedTokens } from '../experiments/units';
import { LabError } from '../protocol/faults';
import type { Report } from '../protocol/messages';
import type { MeasuredRedundancy, RedundancyState } from '../protocol/redundancy';
import type { Kind } from '../redundancy/types';

/**
 * @returns Where the cache tensors were.
 * @throws LabError as `tokeniseDocuments`, `fullTensors`, `readRows` and `solveJobs`; buffer-too-large.
 */
export async function* runRedundancy(
  context: PassContext,
  { state }: { state: RedundancyState },
): AsyncGenerator<Report, Record<string, number>> {
  const { pass, signal } = context;
  const stopped = (): boolean => signal.aborted;
  const documents = await tokeniseDocuments(context, state);
  const tensors = fullTensors(context).map((tensor): ReadTensor => ({
    ...tensor,
    channels: 0,
    documents: [],
  }));
  const fault = bufferFault(context, state.skip + state.keep);
  if (fault) throw new LabError(fault.code, fault.params, fault.detail);
  const found: MeasuredRedundancy = {
    documents: documents.map(({ name, tokens, sha256 }) => ({ name, tokens, sha256 })),
    layers: layersOf(tensors),
    channels: [],
    lambdas: candidatesOf(state.split),
    pairs: [],
    noiseFloor: null,
  };
  const report = (): Report => ({ type: 'redundancy', passId: pass.id, found: { ...found } });
  yield report();
  yield* checkBackends(context, tensors, documents);

  const noise = new NoiseFloor(context, tensors);
  const locations = yield* feedAll(context, state, documents, tensors, noise);
  if (stopped()) return locations;
  found.channels = channelsOf(tensors);
  found.noiseFloor = noise.difference;
  yield report();
  yield noise.check(documents[0]?.name ?? '', state.keep);

  const channels = Math.max(...tensors.map((tensor) => tensor.channels));
  const most = jobsAtOnce(channels, state);
  yield context.phase('solve', 0, 1);
  for await (const event of context.solve(redundancyJobs(tensors, state, pass.seed), { signal, most })) {
    switch (event.type) {
      case 'progress':
        yield context.phase('solve', event.done, event.total);
        break;
      case 'pairs':
        found.pairs = [...found.pairs, ...event.pairs].sort(pairOrder);
        yield report();
        break;
      case 'note':
        yield { type: 'note', passId: pass.id, note: event.note };
        break;
    }
  }
  if (!stopped()) yield* checkMethodHere(context);
  return locations;
}

/** Feeds every document, the first one twice, and fills the tensors' rows. Stops early when the signal is aborted. */
async function* feedAll(
  context: PassContext,
  state: RedundancyState,
  documents: readonly TokenisedDocument[],
  tensors: readonly ReadTensor[],
  noise: NoiseFloor,
): AsyncGenerator<Report, Record<string, number>> {
  const stopped = (): boolean => context.signal.aborted;
  let locations: Record<string, number> = {};
  let fed = 0;
  for (const [index, document] of documents.entries()) {
    for (const again of index === 0 ? [false, true] : [false]) {
      const cache = context.model.emptyCache();
      try {
        yield* feed(context, cache, document, { fed, total: fedTokens(state), measured: fed === 0 });
        if (stopped()) return locations;
        locations = countCache(context, cache).locations;
        fed += document.ids.length;
        for (const tensor of tensors) {
          const rows = await readRows(context, cache, tensor, state.skip, document.name);
          if (again) noise.compare(tensor, rows);
          else addDocument(tensor, rows);
          if (stopped()) return locations;
        }
      } finally {
        await cache.dispose();
      }
    }
  }
  return locations;
}

/** One prefill, measured as a cell when it is the first. */
async function* feed(
  context: PassContext,
  cache: KvCache,
  { ids }: TokenisedDocument,
  { fed, total, measured }: { fed: number; total: number; measured: boolean },
): AsyncGenerator<Report> {
  const { pass, ledger, signal } = context;
  const before = context.device();
  ledger.resetPeak();
  yield context.phase('prefill', fed, total);
  let prefillMs = 0;
  let logitsBytes = 0;
  let startedAt = performance.now();
  for await (const chunk of prefill(context, cache, [ids], 0, ids.length)) {
    prefillMs += performance.now() - startedAt;
    logitsBytes = Math.max(logitsBytes, chunk.logitsBytes);
    yield context.phase('prefill', fed + chunk.tokens, total);
    startedAt = performance.now();
  }
  if (!measured || signal.aborted) return;
  const { tensorBytes, residentBytes } = countCache(context, cache);
  yield {
    type: 'cell',
    passId: pass.id,
    cell: {
      tokens: ids.length,
      tensorBytes,
      residentBytes,
      deviceBytes: { before, after: context.device(), peak: context.peak() },
      processBytesBefore: null,
      processBytes: null,
      logitsBytes,
      prefillMs,
    },
  };
}

/** Channels of each layer's keys and values; 0 where a layer keeps no values. */
function channelsOf(tensors: readonly ReadTensor[]): MeasuredRedundancy['channels'] {
  return layersOf(tensors).map((layer) => {
    const of = (kind: Kind): number =>
      tensors.find((tensor) => tensor.layer === layer && tensor.kind === kind)?.channels ?? 0;
    return { K: of('K'), V: of('V') };
  });
}
