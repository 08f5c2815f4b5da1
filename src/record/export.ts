/** What leaves the page: a record as JSON, Markdown or CSV. */
import type { LabRecord } from '../protocol/record';

export { recordCsv } from './csv';
export { recordMarkdown } from './markdown';

/** The record as the JSON text that `parseRecordText` reads. */
export function recordJson(record: LabRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
