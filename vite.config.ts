/// <reference types="vitest/config" />
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const version = (path: string): string =>
  (JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version: string }).version;

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}

/** The headers that public/_headers gives to every path, so that every server of ours sends what a static host would. */
function pageHeaders(): Record<string, string> {
  const file = readFileSync(new URL('./public/_headers', import.meta.url), 'utf8');
  const text = file.slice(file.indexOf('\n/*\n'), file.indexOf('\n/assets/*\n'));
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\s+[A-Za-z-]+:/.test(line))
      .map((line) => {
        const [name = '', ...rest] = line.trim().split(':');
        return [name, rest.join(':').trim()];
      }),
  );
}

const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  // mpa: an unknown path is a 404, never index.html (transformers.js would parse that as JSON).
  appType: 'mpa',
  // Relative, so that the build works from any sub-path.
  base: './',
  define: {
    __APP_VERSION__: JSON.stringify(version('./package.json')),
    __APP_COMMIT__: JSON.stringify(commit()),
    __TRANSFORMERS_VERSION__: JSON.stringify(
      version('./node_modules/@huggingface/transformers/package.json'),
    ),
    __ORT_VERSION__: JSON.stringify(version('./node_modules/onnxruntime-web/package.json')),
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    // The build of ORT that takes its WASM from a URL of ours instead of carrying a copy inlined.
    conditions: ['onnxruntime-web-use-extern-wasm', 'module', 'browser', 'development|production'],
  },
  // A worker's dependencies are not seen by the scan at start; named here, the dev server never reloads a run away.
  optimizeDeps: {
    include: [
      'chart.js',
      'onnx-proto',
      'webgpu-memory',
      'pure-rand/distribution/uniformFloat32',
      'pure-rand/distribution/uniformFloat64',
      'pure-rand/distribution/uniformInt',
      'pure-rand/distribution/uniformFloat64',
      'pure-rand/distribution/uniformInt',
      'pure-rand/generator/xoroshiro128plus',
      '@petamoriken/float16',
    ],
    exclude: ['@huggingface/transformers', 'onnxruntime-web'],
  },
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
  server: { port: 5173, headers: isolation },
  preview: { port: 4173, headers: pageHeaders() },
});
