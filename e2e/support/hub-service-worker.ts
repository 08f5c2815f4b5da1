/** A build with a service worker beside it, such as the one that gives a page its isolation headers on hosts without any. */
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Site } from './site';
import { serveFolder } from './static-server';

/** Passes every request on, and tells which. */
const SCRIPT = `
const urls = [];
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  urls.push(event.request.url);
  event.respondWith(fetch(event.request));
});
addEventListener('message', (event) => event.ports[0].postMessage(urls));
`;

/** Serves a copy of a build with the script test-service-worker.js. */
export async function serveWithServiceWorker(dist: string): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'kvlab-service-worker-'));
  cpSync(dist, folder, { recursive: true });
  writeFileSync(join(folder, 'test-service-worker.js'), SCRIPT);
  return await serveFolder({ folder });
}
