/** What leaves the page: a record as JSON, Markdown or CSV. */
import type { LabRecord } from '../protocol/record';
import { scaledModels } from './scaled';

export { recordCsv } from './csv';
export { recordMarkdown } from './markdown';

/**
 * The record as the JSON text that `parseRecordText` reads. Models of which some layers were measured also carry what the
 * formula gives for all layers, apart from what was measured.
 */
export function recordJson(record: LabRecord): string {
  const scaled = scaledModels(record);
  const models = record.models.map((model) => {
    const whole = scaled.find((one) => one.model === model.id && one.dtype === model.dtype)?.whole;
    return model.scaled === undefined || whole === undefined
      ? model
      : { ...model, scaled: { ...model.scaled, wholeFormulaBytes: whole } };
  });
  return `${JSON.stringify({ ...record, models }, null, 2)}\n`;
}
