/** A table as Markdown and as CSV, as it is copied. Pure. */
import { field, numbers, plain, table, words } from '../../record/tables';
import { numberText } from './derivation-text';

export interface TableText {
  /** Titles of the columns. */
  head: readonly string[];
  /** Numbers as numbers: CSV has them without separators. */
  rows: readonly (readonly (string | number)[])[];
}

/** A Markdown table; columns of numbers are set to the right. */
export function tableMarkdown({ head, rows }: TableText): string {
  const isNumber = (column: number): boolean =>
    rows.length > 0 && rows.every((row) => typeof row[column] === 'number');
  const columns = head.map((title, column) => (isNumber(column) ? numbers : words)(plain(title)));
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? numberText(cell) : plain(cell))),
  );
  return `${table(columns, cells)}\n`;
}

/** CSV with a line of titles. */
export function tableCsv({ head, rows }: TableText): string {
  return [head, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
