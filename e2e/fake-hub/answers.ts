/** How the hub answers: the headers of every answer, JSON, redirects, and the hub's own errors. */
import type { ServerResponse } from 'node:http';

/**
 * The page asks from another origin, under COEP require-corp. The real hub exposes most of these too
 * (X-Error-Code and X-Error-Message tell a gated repository from a missing one).
 */
export const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Length, Content-Range, Accept-Ranges, ETag, Retry-After, X-Repo-Commit, X-Linked-Size, X-Linked-ETag, X-Error-Code, X-Error-Message',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

type Headers = Record<string, string | number>;

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Headers = {},
): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      ...COMMON_HEADERS,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text);
}

/** @param code The hub's X-Error-Code: RevisionNotFound, EntryNotFound, GatedRepo, … */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  { code, retryAfter }: { code?: string; retryAfter?: number } = {},
): void {
  sendJson(
    response,
    status,
    { error: message },
    {
      // A header holds no other characters; a revision may.
      'X-Error-Message': message.replace(/[^ -~]/g, '?'),
      ...(code === undefined ? {} : { 'X-Error-Code': code }),
      ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
    },
  );
}

/** A preflight: any page may send GET and HEAD with any header, a Range for instance. */
export function sendPreflight(response: ServerResponse): void {
  response
    .writeHead(204, {
      ...COMMON_HEADERS,
      'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
      'Access-Control-Allow-Headers': 'Range, Authorization, Content-Type, If-None-Match',
      'Access-Control-Max-Age': '0',
    })
    .end();
}

/**
 * What the hub says for a repository that is not there: 401, since to a stranger it could as well be a private one
 * (huggingface_hub, utils/_http.py, `hf_raise_for_status`: "401 is misleading as it is returned for … missing repos").
 */
export function sendUnknownRepo(response: ServerResponse): void {
  sendError(response, 401, 'Invalid username or password.');
}

const STATUS_MESSAGES = {
  401: ['Access to this model is restricted. You must be authenticated to access it.', 'GatedRepo'],
  403: ['Access to this model is restricted and you are not in the authorized list.', 'GatedRepo'],
  404: ['Repository not found', 'RepoNotFound'],
  429: ['We had to rate limit you.', undefined],
  500: ['Internal Error - We are working hard to fix this as soon as possible!', undefined],
  503: ['Service Unavailable', undefined],
} as const;

/** An error of that status in the hub's words. */
export function sendStatus(
  response: ServerResponse,
  status: keyof typeof STATUS_MESSAGES,
  retryAfter?: number,
): void {
  const [message, code] = STATUS_MESSAGES[status];
  sendError(response, status, message, {
    ...(code === undefined ? {} : { code }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
