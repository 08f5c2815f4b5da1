/** The models as they were loaded: file, cache inputs of the graph, where the cache lived, device bytes, and notes. */
import { DTYPE_BYTES, type Dtype } from '../protocol/recipe';
import type { LabRecord, MaybeBytes, ModelRecord } from '../protocol/record';
import { useUi } from './context';
import { noteInLanguage } from '../i18n/record-note';
import { FactRows, type Fact } from './fact-rows';
import { modelName } from './model-name';
import { choiceText } from './option-field';

/** The element type that a variant of a twin has its weights in. */
const WEIGHT_TYPES: Partial<Record<Dtype, string>> = { fp32: 'float32', fp16: 'float16', bf16: 'bfloat16' };

export function LoadedModels({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  if (record.models.length === 0) return null;
  return (
    <details class="panel" data-testid="loaded-models">
      <summary>
        <h3>{tr('loaded.title')}</h3>
      </summary>
      {record.models.map((model) => (
        <LoadedModel key={`${model.id} ${model.dtype}`} model={model} record={record} />
      ))}
    </details>
  );
}

function LoadedModel({ model, record }: { model: ModelRecord; record: LabRecord }) {
  const { tr, int } = useUi<'report'>();
  const { graphCache, cacheLocations, deviceBytes, notes, geometry } = model;
  const [first] = graphCache;
  const largest = record.cells
    .filter((cell) => cell.model === model.id && cell.dtype === model.dtype)
    .reduce((most, { logitsBytes }) => Math.max(most, logitsBytes ?? 0), 0);
  const logits = largest === 0 ? null : largest;
  const bytes = (value: MaybeBytes): string =>
    value === null ? tr('table.notMeasured') : `${int(value)} ${tr('unit.bytes')}`;
  // Of a twin they are its model's parameters in the chosen variant, whatever the published files hold.
  const weightsText = ({ source, parameters, dtype }: ModelRecord, weights: number): string =>
    source === 'twin' && parameters !== null
      ? tr('loaded.weightsOf', {
          ...{ bytes: bytes(weights), parameters: int(parameters), each: int(DTYPE_BYTES[dtype]) },
          dtype: WEIGHT_TYPES[dtype] ?? dtype,
        })
      : bytes(weights);
  const locations = Object.entries(cacheLocations)
    .map(([place, count]) => `${place}: ${int(count)}`)
    .join(', ');
  const facts: Fact[] = [
    [tr('loaded.revision'), model.revision === 'unknown' ? tr('many.unknown') : model.revision],
    [tr('loaded.file'), bytes(model.graphBytes)],
    [
      tr('loaded.heads'),
      tr('loaded.headsOf', { graph: model.graphAttentionHeads, model: geometry.attentionHeads }),
    ],
    [
      tr('loaded.cache'),
      first ? `${int(graphCache.length)}: ${first.name} … ${first.type} [${first.dims.join(', ')}]` : '0',
    ],
    [tr('loaded.cacheType'), `${model.cacheType} (${tr('points.fromGraph')})`],
    [tr('loaded.logits'), tr('loaded.logitsValue', { bytes: bytes(logits) })],
    ...(model.weightBytes === null
      ? []
      : ([[tr('loaded.weights'), weightsText(model, model.weightBytes)]] satisfies Fact[])),
    [tr('loaded.locations'), locations === '' ? tr('table.notMeasured') : locations],
    [tr('loaded.before'), bytes(deviceBytes.beforeLoad)],
    ...(deviceBytes.loadPeak === undefined
      ? []
      : ([[tr('loaded.peak'), bytes(deviceBytes.loadPeak)]] satisfies Fact[])),
    [tr('loaded.after'), bytes(deviceBytes.loaded)],
    [tr('loaded.released'), bytes(deviceBytes.released)],
    [tr('loaded.time'), `${int(model.loadMs)} ms`],
  ];
  return (
    <>
      <p>
        <strong>{modelName(model.id, tr)}</strong>, {choiceText(tr, model.dtype)}
      </p>
      <dl class="pairs">
        <FactRows facts={facts} />
      </dl>
      {model.geometryFrom === 'graph' && <p class="hint">{tr('loaded.geometryGraph')}.</p>}
      {notes.map((note) => (
        <Note key={note} note={note} />
      ))}
    </>
  );
}

/** A note of the record; records keep English, and the page says its own sentences in its own language. */
function Note({ note }: { note: string }) {
  const { language } = useUi<'report'>();
  const said = noteInLanguage(language, note);
  return (
    <p class="hint" {...(said === null ? { lang: 'en' } : {})}>
      {said ?? note}
    </p>
  );
}
