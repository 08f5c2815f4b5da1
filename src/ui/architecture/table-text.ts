/** A table as Markdown and as CSV (RFC 4180). Pure. */

export interface TableText {
  /** Titles of the columns. */
  head: readonly string[];
  /** Numbers as numbers: CSV has them without separators. */
  rows: readonly (readonly (string | number)[])[];
}

/** A Markdown table; columns of numbers are set to the right. */
export function tableMarkdown({ head, rows }: TableText): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const isNumber = (column: number): boolean =>
    rows.length > 0 && rows.every((row) => typeof row[column] === 'number');
  return [
    line(head.map(plain)),
    line(head.map((_, column) => (isNumber(column) ? '---:' : '---'))),
    ...rows.map((row) => line(row.map((cell) => (typeof cell === 'number' ? grouped(cell) : plain(cell))))),
    '',
  ].join('\n');
}

/** CSV with a line of titles. A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function tableCsv({ head, rows }: TableText): string {
  const cellOf = (cell: string | number): string => {
    if (typeof cell === 'number') return String(cell);
    const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [head, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

/** Text from outside as one cell: no table cell, tag, link or emphasis of its own. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}
