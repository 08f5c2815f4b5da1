/** What the build is made of, what a first visit loads, and that it works from any path of a static host. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { preview } from 'vite';
import { assetNames, assetText, DIST, gzipBytes, onlyAsset } from '../support/dist';
import { expect, gpuTest, test } from '../support/fixtures';
import { cellAt, type LabPage } from '../support/lab-page';
import { SECOND_PORT } from '../support/ports';
import { ROOT } from '../support/site';
import { hostHeaders, serveFolder } from '../support/static-server';

/** Issue 2: at most 60 KB of JavaScript (gzip) before Run. */
const FIRST_PAINT_BYTES = 61_440;

/** Text that only the named library has, also minified. Each must be somewhere in the build, or the test is blind. */
const LIBRARY_MARKS = {
  'onnxruntime-web': 'ort-wasm-simd-threaded',
  'transformers.js': 'apply_chat_template',
  'chart.js': 'is not a registered',
  'onnx-proto': 'onnx.ModelProto',
};

/** Names of the scripts of ours that a page asks for from now on. */
function scriptsOf(page: Page): Set<string> {
  const names = new Set<string>();
  page.on('request', (request) => {
    const name = /\/assets\/([^/?]+\.m?js)$/.exec(new URL(request.url()).pathname)?.[1];
    if (name !== undefined) names.add(name);
  });
  return names;
}

test('first paint: at most 60 KB of JavaScript, no model, runtime or chart code', async ({ page, lab }) => {
  const names = scriptsOf(page);
  await lab.open();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(1500);
  expect(names.size).toBeGreaterThan(0);
  const sizes = [...names].map((name) => ({ name, bytes: gzipBytes(name) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`first paint: ${total} bytes of JavaScript (gzip) in ${sizes.length} files`, sizes);
  expect(total).toBeLessThanOrEqual(FIRST_PAINT_BYTES);
  const scripts = assetNames().filter((name) => /\.m?js$/.test(name));
  for (const [library, mark] of Object.entries(LIBRARY_MARKS)) {
    const holders = scripts.filter((name) => assetText(name).includes(mark));
    expect(holders, `files of the build with ${library}`).not.toEqual([]);
    expect(
      holders.filter((name) => names.has(name)),
      `${library} in the first paint`,
    ).toEqual([]);
  }
});

test('each worker is a file of its own, and ORT’s WASM is a file of the build, of the installed version', () => {
  for (const worker of ['lab', 'solver'])
    expect(onlyAsset(new RegExp(`^${worker}\\.worker-[\\w-]+\\.js$`))).toContain(worker);
  // With WebGPU for models, for browsers with JSPI and without; and the plain one, which has float64, for solver workers.
  for (const build of [
    'ort-wasm-simd-threaded.jspi',
    'ort-wasm-simd-threaded.asyncify',
    'ort-wasm-simd-threaded',
  ]) {
    const installed = readFileSync(join(ROOT, `node_modules/onnxruntime-web/dist/${build}.wasm`));
    const name = build.replaceAll('.', '\\.');
    const shipped = readFileSync(join(DIST, 'assets', onlyAsset(new RegExp(`^${name}-[\\w-]+\\.wasm$`))));
    expect(shipped.equals(installed), build).toBe(true);
    expect(onlyAsset(new RegExp(`^${name}-[\\w-]+\\.mjs$`))).toBeTruthy();
  }
});

/** Runs the smallest recipe at a path and checks where its parts came from. */
async function runAt(lab: LabPage, url: string): Promise<void> {
  const seen: { path: string; status: number; type: string }[] = [];
  lab.page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!response.url().startsWith('blob:')) {
      seen.push({
        path: pathname,
        status: response.status(),
        type: (response.headers()['content-type'] ?? '').split(';')[0] ?? '',
      });
    }
  });
  const { pathname } = new URL(url);
  await lab.open('tokens=8', { path: url });
  expect(await lab.page.evaluate(() => crossOriginIsolated)).toBe(true);
  await lab.run();
  await lab.waitEnd();
  const record = await lab.record();
  expect(record.status, JSON.stringify(record.faults)).toBe('done');
  expect(cellAt(record, 8).ratio).toBe(1);
  for (const [part, type] of [
    [/\/lab\.worker-[\w-]+\.js$/, 'text/javascript'],
    [/\/ort-wasm[\w.-]+\.mjs$/, 'text/javascript'],
    [/\/ort-wasm[\w.-]+\.wasm$/, 'application/wasm'],
  ] as const) {
    const responses = seen.filter(({ path }) => part.test(path));
    expect(responses, `responses for ${String(part)}`).not.toEqual([]);
    for (const response of responses) {
      expect(response).toMatchObject({ status: 200, type });
      expect(response.path.startsWith(`${pathname}assets/`), response.path).toBe(true);
    }
  }
  expect(seen.filter(({ status }) => status >= 400)).toEqual([]);
}

test('the page’s own server sends every header of public/_headers', async ({ page }) => {
  const response = await page.goto('/');
  const sent = response?.headers() ?? {};
  const wanted = Object.entries(hostHeaders());
  expect(wanted.length).toBeGreaterThanOrEqual(4);
  for (const [name, value] of wanted) expect(sent[name.toLowerCase()], name).toBe(value);
  expect((await page.request.get('/no-such-file.json')).status()).toBe(404);
});

gpuTest('the same build runs from a sub-path of a static host', async ({ lab }) => {
  const site = await serveFolder({ folder: DIST, prefix: '/kv-cache-lab/' });
  try {
    await runAt(lab, site.url);
  } finally {
    await site.close();
  }
});

gpuTest('a build with --base /kv-cache-lab/ runs under vite preview', async ({ lab }) => {
  const outDir = mkdtempSync(join(tmpdir(), 'kvlab-base-'));
  const base = '/kv-cache-lab/';
  execFileSync('npx', ['vite', 'build', '--base', base, '--outDir', outDir, '--emptyOutDir'], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  const server = await preview({
    root: ROOT,
    base,
    logLevel: 'warn',
    build: { outDir },
    preview: { port: SECOND_PORT, strictPort: true, open: false },
  });
  try {
    await runAt(lab, `http://localhost:${SECOND_PORT}${base}`);
  } finally {
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  }
});
