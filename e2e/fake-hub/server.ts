/** The fake model hub: huggingface.co's paths over HTTP on localhost, with faults on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { COMMON_HEADERS, sendError, sendJson, sendPreflight, sendStatus, sendUnknownRepo } from './answers';
import { FaultBook } from './faults';
import { BODY_FAULTS, sendFile } from './send-file';
import { listing, resolveRevision, storeRepo, type StoredFile, type StoredRepo } from './stored-repo';
import type { FakeHub, FakeRepo, HubRequest } from './types';

const API_PATH = /^\/api\/models\/([^/]+\/[^/]+)(?:\/revision\/([^/]+))?$/;
const RESOLVE_PATH = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/;
const CDN_PATH = /^\/cdn\/([0-9a-f]{64})$/;

/**
 * Starts a hub on localhost.
 * @param port 0 takes any free one.
 */
export async function startFakeHub({
  repos,
  port = 0,
}: {
  repos: readonly FakeRepo[];
  port?: number;
}): Promise<FakeHub> {
  const handler = new Handler(repos.map(storeRepo));
  const server = createServer((request, response) => {
    handler.answer(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, 'localhost', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    requests: handler.requests,
    setFault: (repoId, fault) => {
      handler.setFault(repoId, fault);
    },
    goOn: () => {
      handler.goOn();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

class Handler {
  readonly requests: HubRequest[] = [];
  private readonly repos: Map<string, StoredRepo>;
  private readonly cdn: Map<string, StoredFile>;
  private readonly faults = new FaultBook();
  /** What lets an answer go on that waits half way. */
  private readonly waiting = new Set<() => void>();

  constructor(repos: StoredRepo[]) {
    this.repos = new Map(repos.map((repo) => [repo.id, repo]));
    this.cdn = new Map(
      repos.flatMap((repo) => [...repo.stored.values()].map((file) => [file.cdnKey, file] as const)),
    );
  }

  setFault(...[repoId, fault]: Parameters<FakeHub['setFault']>): void {
    if (!this.repos.has(repoId)) throw new Error(`The fake hub has no repository ${repoId}.`);
    this.faults.set(repoId, fault === null ? [] : 'kind' in fault ? [fault] : fault);
  }

  goOn(): void {
    if (this.waiting.size === 0) throw new Error('No answer of the fake hub waits half way.');
    for (const next of this.waiting) next();
    this.waiting.clear();
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const file = this.route(request, response, url);
    this.requests.push({
      method: request.method ?? '',
      path: url.pathname + url.search,
      file,
      range: request.headers.range ?? null,
      status: response.statusCode,
    });
  }

  /** Answers, and returns `owner/name/file` where the path names a file. */
  private route(request: IncomingMessage, response: ServerResponse, url: URL): string | null {
    if (request.method === 'OPTIONS') {
      sendPreflight(response);
      return null;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendError(response, 405, 'Method not allowed');
      return null;
    }
    const cdnKey = CDN_PATH.exec(url.pathname)?.[1];
    const onCdn = cdnKey === undefined ? undefined : this.cdn.get(cdnKey);
    if (onCdn) {
      this.sendBytes(request, response, onCdn);
      return `${onCdn.repo.id}/${onCdn.path}`;
    }
    const [apiId, apiRevision = 'main'] = matchDecoded(API_PATH, url.pathname);
    if (apiId !== undefined) {
      this.sendListing(response, apiId, apiRevision, url);
      return null;
    }
    const [id, revision, file] = matchDecoded(RESOLVE_PATH, url.pathname);
    if (id === undefined || revision === undefined || file === undefined) {
      sendError(response, 404, 'Not found');
      return null;
    }
    this.resolveFile(request, response, { id, revision, path: file });
    return `${id}/${file}`;
  }

  private sendListing(response: ServerResponse, id: string, revision: string, url: URL): void {
    const repo = this.repos.get(id);
    if (!repo) {
      sendUnknownRepo(response);
      return;
    }
    const fault = this.faults.take(id, url.pathname, ['status']);
    if (fault) sendStatus(response, fault.status, fault.retryAfter);
    else if (resolveRevision(repo, revision) === null) sendUnknownRevision(response, revision);
    else {
      const withBlobs = url.searchParams.get('blobs') === 'true';
      sendJson(
        response,
        200,
        listing(repo, withBlobs, (file) => this.currentBytes(file, 'peek')),
      );
    }
  }

  private resolveFile(
    request: IncomingMessage,
    response: ServerResponse,
    { id, revision, path }: { id: string; revision: string; path: string },
  ): void {
    const repo = this.repos.get(id);
    if (!repo) {
      sendUnknownRepo(response);
      return;
    }
    const commit = resolveRevision(repo, revision);
    if (commit === null) {
      sendUnknownRevision(response, revision);
      return;
    }
    const fault = this.faults.take(id, `/${id}/resolve/${commit}/${path}`, ['status', 'missing-file']);
    const file = repo.stored.get(path);
    if (fault?.kind === 'status') sendStatus(response, fault.status, fault.retryAfter);
    else if (repo.filesStatus !== undefined && path !== 'README.md') sendStatus(response, repo.filesStatus);
    else if (fault !== null || !file) sendError(response, 404, 'Entry not found', { code: 'EntryNotFound' });
    else if (file.lfs) redirectToCdn(response, file);
    else this.sendBytes(request, response, file);
  }

  private sendBytes(request: IncomingMessage, response: ServerResponse, file: StoredFile): void {
    const { repo } = file;
    // Asking for the head of a file is no try to get it: it shows the fault and does not use it up.
    const use = request.method === 'HEAD' ? 'peek' : 'take';
    const bytes = this.currentBytes(file, use);
    sendFile(
      request,
      response,
      {
        bytes,
        contentType: file.lfs ? 'application/octet-stream' : 'text/plain; charset=utf-8',
        etag: file.sha256,
        commit: repo.sha,
      },
      this.faults[use](repo.id, canonicalPath(file), BODY_FAULTS),
      this.waiting,
    );
  }

  /** The file as it is now: a corrupt one is corrupt in the repository itself. */
  private currentBytes(file: StoredFile, use: 'peek' | 'take'): Uint8Array {
    const fault = this.faults[use](file.repo.id, canonicalPath(file), ['corrupt']);
    if (fault === null) return file.bytes;
    // No protobuf has a first byte of 0xFF: wire type 7 does not exist.
    return fault.mode === 'garbled'
      ? new Uint8Array(file.bytes.length).fill(0xff)
      : file.bytes.subarray(0, Math.floor(file.bytes.length / 2));
  }
}

function canonicalPath(file: StoredFile): string {
  return `/${file.repo.id}/resolve/${file.repo.sha}/${file.path}`;
}

function sendUnknownRevision(response: ServerResponse, revision: string): void {
  sendError(response, 404, `Invalid rev id: ${revision}`, { code: 'RevisionNotFound' });
}

/** Where the hub sends the browser for a large file, with what it knows about it. */
function redirectToCdn(response: ServerResponse, file: StoredFile): void {
  response
    .writeHead(302, {
      ...COMMON_HEADERS,
      Location: `/cdn/${file.cdnKey}`,
      'Content-Length': 0,
      'X-Repo-Commit': file.repo.sha,
      'X-Linked-Size': file.bytes.length,
      'X-Linked-ETag': `"${file.sha256}"`,
    })
    .end();
}

/** The groups of a match, each decoded by itself: a revision may hold an encoded slash. Empty where nothing matches. */
function matchDecoded(pattern: RegExp, path: string): (string | undefined)[] {
  try {
    return (pattern.exec(path) ?? [])
      .slice(1)
      .map((group: string | undefined) => group && decodeURIComponent(group));
  } catch {
    return []; // Not valid percent-encoding, so no path of ours.
  }
}
