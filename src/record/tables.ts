/** Tables in files: Markdown and CSV (RFC 4180), with text from outside made harmless. */

/** Text from a record as text in Markdown: no table cell, HTML tag, link, emphasis or line of its own. */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}

export interface Column {
  title: string;
  number: boolean;
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map((column) => column.title)),
    line(columns.map((column) => (column.number ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

export const words = (title: string): Column => ({ title, number: false });
export const numbers = (title: string): Column => ({ title, number: true });

/** What a field of a CSV may hold; null is empty. */
export type Value = string | number | boolean | null;

/** A field: a text that a spreadsheet would take for a formula gets a leading apostrophe; quotes where RFC 4180 asks for them. */
export function field(value: Value | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}
