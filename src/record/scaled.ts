/** Models of which only some layers were measured: what the formula gives for all of them. Nothing here is a measurement. */
import { formulaBytes } from '../geometry/bytes';
import { quantisedGeometry } from '../geometry/quantised';
import { formatInteger } from '../protocol/format';
import type { LabRecord, ModelRecord, Scaled } from '../protocol/record';

export interface ScaledModel {
  model: string;
  dtype: string;
  layersMeasured: number;
  layersOf: number;
  /** The whole model's formula bytes at each batch and length that was planned for the measured layers, in their order. */
  whole: { batch: number; tokens: number; formulaBytes: number }[];
}

/** What a cell or a growth was planned at, and the whole model's formula bytes there; null where all layers were measured. */
export function wholeFormulaBytes(
  { scaled, cacheType, quantised }: Pick<ModelRecord, 'scaled' | 'cacheType' | 'quantised'>,
  size: { batch: number; tokens: number },
): number | null {
  if (scaled === undefined) return null;
  const { whole } = scaled;
  // Rows in a tensor of floats are WebGPU's, with their scale.
  const scaleBytes = cacheType.startsWith('float') ? SCALE_BYTES : 0;
  const kept =
    quantised === undefined
      ? whole
      : quantisedGeometry(whole, { bits: quantised.bits === '8' ? 8 : 4, scaleBytes });
  return formulaBytes(kept, { ...size, elementBytes: elementBytes(cacheType) });
}

const SCALE_BYTES = 4;

/** Bytes of one element of a twin's cache of floats: the page builds float32 and float16. */
function elementBytes(cacheType: string): number {
  return cacheType === 'float16' ? 2 : 4;
}

/** Every model of a record whose layers were measured in part. */
export function scaledModels(record: LabRecord): ScaledModel[] {
  return record.models.flatMap((model) =>
    model.scaled === undefined ? [] : [scaledModel(record, model, model.scaled)],
  );
}

/** How many layers of each such model were measured, each model once, whatever its variants. */
export function scaledLayers({
  models,
}: Pick<LabRecord, 'models'>): { model: string; measured: number; of: number }[] {
  const layers = models.flatMap(({ id, scaled }) =>
    scaled === undefined
      ? []
      : [[id, { model: id, measured: scaled.layersMeasured, of: scaled.layersOf }] as const],
  );
  return [...new Map(layers).values()];
}

function scaledModel(
  record: LabRecord,
  model: ModelRecord,
  { layersMeasured, layersOf }: Scaled,
): ScaledModel {
  const own = (part: { model: string; dtype: string }): boolean =>
    part.model === model.id && part.dtype === model.dtype;
  const cells = record.cells.filter(own).map(({ batch, tokens }) => ({ batch, tokens }));
  const ends = record.growth.filter(own).map(({ batch, promptTokens, steps }) => ({
    batch,
    tokens: steps.at(-1)?.tokens ?? promptTokens,
  }));
  const sizes = new Map([...cells, ...ends].map((size) => [`${size.batch} ${size.tokens}`, size]));
  const whole = [...sizes.values()].map((size) => ({
    ...size,
    formulaBytes: wholeFormulaBytes(model, size) ?? 0,
  }));
  return { model: model.id, dtype: model.dtype, layersMeasured, layersOf, whole };
}

/** The same in one English sentence a model, for exports. */
export function scaledSentences(record: LabRecord): string[] {
  return scaledModels(record).map(({ model, dtype, layersMeasured, layersOf, whole }) => {
    const sizes = whole.map(
      ({ batch, tokens, formulaBytes: bytes }) =>
        `${formatInteger(bytes)} bytes at ${formatInteger(tokens)} tokens${batch > 1 ? ` x ${formatInteger(batch)} sequences` : ''}`,
    );
    const measured = `${model}, ${dtype}: ${formatInteger(layersMeasured)} of ${formatInteger(layersOf)} layers measured`;
    return sizes.length === 0
      ? `${measured}.`
      : `${measured}; the whole model’s cache would be ${sizes.join(', ')} by formula (scaled, not measured).`;
  });
}
