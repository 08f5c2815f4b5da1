/** The rule of transformers.js and ONNX Runtime, in bytes. */
import type { Geometry } from '../geometry';
import type { EngineBytes, EngineNote, EngineOptions } from './engine';
import { plainEntry, stateElementBytes, sumEntries } from './entry';
import { underGraphRule } from './graph';

/** Types that `past_key_values` inputs of exported graphs have (transformers.js modeling_utils.js, `addPastKeyValues`). */
const OFFERED = new Set(['fp32', 'fp16']);

/** The geometry under `underGraphRule`, every token kept. */
export function transformersJsBytes(geometry: Geometry, options: EngineOptions): EngineBytes {
  const stateBytes = stateElementBytes(geometry, options.dtype);
  const entries = underGraphRule(geometry).caches.map((cache) =>
    plainEntry(cache, { ...options, stateBytes }),
  );
  return sumEntries('transformers.js', entries, {
    batch: options.batch,
    notes: graphNotes(geometry, options),
  });
}

function graphNotes({ caches }: Geometry, { dtype }: EngineOptions): EngineNote[] {
  const notes: EngineNote[] = [];
  if (!OFFERED.has(dtype.id))
    notes.push({ code: 'dtype-not-offered', params: { engine: 'transformers.js', dtype: dtype.id } });
  if (caches.some(({ kind }) => kind === 'sliding' || kind === 'chunked'))
    notes.push({ code: 'graph-keeps-all', params: {} });
  const latent = caches.find(({ kind, expanded }) => kind === 'latent' && expanded);
  if (latent?.expanded) {
    const { kvHeads, keyDim, valueDim } = latent.expanded;
    const times = Math.round((kvHeads * (keyDim + valueDim) * 10) / latent.elementsPerToken) / 10;
    notes.push({ code: 'latent-expanded', params: { times } });
  }
  if (caches.some(({ kind }) => kind === 'indexer')) notes.push({ code: 'indexer-left-out', params: {} });
  if (caches.some(({ kind }) => kind === 'compressed'))
    notes.push({ code: 'compressed-as-ideal', params: { engine: 'transformers.js' } });
  return notes;
}
