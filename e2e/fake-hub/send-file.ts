/** Sends the bytes of a file: ranges, lengths, and the faults that happen while bytes travel. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { COMMON_HEADERS } from './answers';
import type { Fault } from './types';

/** Faults that spoil the body of an answer, in the order of their precedence. */
export const BODY_FAULTS = [
  'truncated',
  'html',
  'stalled',
  'slow',
  'no-length',
  'ignores-range',
] as const satisfies readonly Fault['kind'][];

type BodyFault = Extract<Fault, { kind: (typeof BODY_FAULTS)[number] }>;

const HTML = '<!DOCTYPE html><html><head><title>Sign in to the network</title></head><body></body></html>';
/** Pieces a second of a slow answer. */
const SLOW_PIECES = 20;

export interface SentFile {
  bytes: Uint8Array;
  contentType: string;
  /** Without quotes. */
  etag: string;
  commit: string;
}

/**
 * @param fault One of BODY_FAULTS, or null for a good answer.
 * @param waiting Where an answer that waits half way leaves what lets it go on.
 */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, contentType, etag, commit }: SentFile,
  fault: BodyFault | null,
  waiting: Set<() => void>,
): void {
  const headers = {
    ...COMMON_HEADERS,
    'Accept-Ranges': 'bytes',
    'Content-Type': contentType,
    ETag: `"${etag}"`,
    'X-Repo-Commit': commit,
  };
  if (fault?.kind === 'html') {
    response
      .writeHead(200, {
        ...headers,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Length': HTML.length,
      })
      .end(request.method === 'HEAD' ? undefined : HTML);
    return;
  }
  const whole =
    fault?.kind === 'truncated' && fault.mode === 'short' ? bytes.subarray(0, half(bytes)) : bytes;
  const range = fault?.kind === 'ignores-range' ? null : parseRange(request.headers.range, whole.length);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { ...headers, 'Content-Range': `bytes */${whole.length}` }).end();
    return;
  }
  const body = range === null ? whole : whole.subarray(range.start, range.end + 1);
  response.writeHead(range === null ? 200 : 206, {
    ...headers,
    ...(fault?.kind === 'no-length' ? {} : { 'Content-Length': body.length }),
    ...(range === null ? {} : { 'Content-Range': `bytes ${range.start}-${range.end}/${whole.length}` }),
  });
  if (request.method === 'HEAD') response.end();
  else sendBody(response, body, fault, waiting);
}

function sendBody(
  response: ServerResponse,
  body: Uint8Array,
  fault: BodyFault | null,
  waiting: Set<() => void>,
): void {
  if (fault?.kind === 'stalled') {
    response.write(body.subarray(0, half(body)));
  } else if (fault?.kind === 'truncated' && fault.mode === 'cut') {
    response.write(body.subarray(0, half(body)));
    waiting.add(() => response.destroy());
  } else if (fault?.kind === 'no-length' && fault.pause === true) {
    response.write(body.subarray(0, half(body)));
    waiting.add(() => response.end(body.subarray(half(body))));
  } else if (fault?.kind === 'slow') {
    void drip(response, body, fault.bytesPerSecond);
  } else {
    response.end(body);
  }
}

/** Writes until all is sent or the other side has gone. */
async function drip(response: ServerResponse, body: Uint8Array, bytesPerSecond: number): Promise<void> {
  const piece = Math.max(1, Math.round(bytesPerSecond / SLOW_PIECES));
  for (let sent = 0; sent < body.length && !response.destroyed; sent += piece) {
    response.write(body.subarray(sent, sent + piece));
    await wait(1000 / SLOW_PIECES);
  }
  response.end();
}

function half(bytes: Uint8Array): number {
  return Math.floor(bytes.length / 2);
}

/** One range of RFC 9110, section 14.1.2; several ranges, or another unit, count as none. Both ends are inclusive. */
function parseRange(
  header: string | undefined,
  length: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const end = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  return start > end ? 'unsatisfiable' : { start, end };
}
