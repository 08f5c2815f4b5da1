/** What `kvlab bytes` prints: one JSON object, or a table with the derivation. */
import type { BytesArguments } from './arguments';
import type { BytesAnswer } from './bytes-command';
import { ENGINE_NOTES } from '../geometry/engines/notes';
import { fillSentence } from '../protocol/faults';
import { formatBytes } from '../protocol/format';

/**
 * The JSON of the answer: `bytes` for all tokens and sequences (of one GPU), everything else of one
 * sequence; `layers` are groups of equal layers with the values of one layer. Whole numbers, but for a layer's `bytesPerTokenFar` where
 * several tokens share an entry.
 */
export function reportJson({ size, assumed }: BytesAnswer): string {
  return JSON.stringify({
    bytes: size.bytes,
    fixedBytes: size.fixedBytes,
    bytesPerTokenFirst: size.bytesPerTokenFirst,
    bytesPerTokenFar: Math.round(size.bytesPerTokenFar),
    layers: size.layers.map(({ kind, count, bytesPerToken, bytesPerTokenFar, fixedBytes }) => ({
      kind,
      count,
      bytesPerToken,
      // Only where the first token adds nothing yet: elsewhere a layer's far bytes are these, or 0 past its window.
      ...(bytesPerToken === 0 && bytesPerTokenFar > 0 ? { bytesPerTokenFar } : {}),
      fixedBytes,
    })),
    assumed,
  });
}

/** The same for people, with the fields that the numbers come from. */
export function reportTable(answer: BytesAnswer, options: BytesArguments): string {
  const { geometry, size, dtype } = answer;
  const sequences = options.batch === 1 ? '1 sequence' : `${show(options.batch)} sequences`;
  const tokens = options.tokens === 1 ? '1 token' : `${show(options.tokens)} tokens`;
  const gpus = options.tensorParallel ?? 1;
  return [
    `${geometry.modelType}, ${dtype.name}, engine ${size.engine}`,
    `${show(size.bytes)} bytes${rounded(size.bytes)} for ${sequences} of ${tokens}` +
      (gpus > 1 ? ` on each of ${gpus} GPUs; ${show(size.bytesAllGpus)} bytes on all` : ''),
    '',
    ...table([
      ['layers', 'kind', 'bytes per token', 'past every cap', 'fixed bytes'],
      ...size.layers.map(({ kind, count, ...layer }) => [
        `${show(count)} x`,
        kind,
        show(layer.bytesPerToken),
        show(layer.bytesPerTokenFar),
        show(layer.fixedBytes),
      ]),
      ['', 'sum', show(size.bytesPerTokenFirst), show(size.bytesPerTokenFar), show(size.fixedBytes)],
    ]),
    ...section(
      'Read from config.json',
      (geometry.fields ?? []).map(({ name, value }) => `${name} = ${String(value)}`),
    ),
    ...section(
      'Assumed',
      answer.assumed.map(({ field, value, reason }) => `${field} = ${String(value)}: ${reason}`),
    ),
    ...section(
      'Notes',
      size.notes.map(({ code, params }) => fillSentence(ENGINE_NOTES[code], params)),
    ),
    '',
  ].join('\n');
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${heading}:`, ...lines.map((line) => `  ${line}`)];
}

/** Columns as wide as their widest cell, numbers to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, column) => (column === 1 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`.trimEnd(),
  );
}

function show(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

/** The same in KiB, MiB or GiB, in brackets; nothing below 1 KiB. */
function rounded(bytes: number): string {
  return bytes < 1024 ? '' : ` (${formatBytes(bytes)})`;
}
