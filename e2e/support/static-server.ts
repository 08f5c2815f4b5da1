/** A static host for a build, as small as one can be: a prefix, MIME types, and the headers of public/_headers. */
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { ROOT, type Site } from './site';

const MIME: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
};

/** The headers that public/_headers gives to every path. */
export function hostHeaders(): Record<string, string> {
  const file = readFileSync(join(ROOT, 'public/_headers'), 'utf8');
  const lines = file.slice(file.indexOf('\n/*\n'), file.indexOf('\n/assets/*\n')).split('\n');
  const pairs = lines.flatMap((line) => {
    const [, name, value] = /^\s+([A-Za-z-]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/**
 * Serves a folder under a prefix such as `/kv-cache-lab/`; every other path is a 404.
 * @param port 0 takes any free one.
 */
export async function serveFolder({
  folder,
  prefix = '/',
  port = 0,
  headers = hostHeaders(),
}: {
  folder: string;
  prefix?: string;
  port?: number;
  headers?: Record<string, string>;
}): Promise<Site> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const below = path.startsWith(prefix) ? normalize(path.slice(prefix.length)) : null;
    const file = below === null || below.startsWith('..') ? null : join(folder, below);
    const served =
      file !== null && existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file;
    if (served === null || !existsSync(served)) {
      response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('Not found');
      return;
    }
    response.writeHead(200, {
      ...headers,
      'Content-Type': MIME[extname(served)] ?? 'application/octet-stream',
    });
    createReadStream(served).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${taken}${prefix}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
