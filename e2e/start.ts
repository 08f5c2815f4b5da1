/** `npm start`: builds what is needed, serves the page, prints its address and opens a browser where there is one. */
import { parseArgs } from 'node:util';
import open from 'open';
import { buildIfStale, serveBuild } from './support/site';

/** A desktop to open a browser on: none on a CI machine, none on a Linux without a display, none when NO_OPEN is set. */
function hasDesktop(env: NodeJS.ProcessEnv): boolean {
  if (env['CI'] || env['NO_OPEN']) return false;
  return process.platform !== 'linux' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
}

try {
  // --port is for the test suite, which needs to know the address beforehand: a taken port is then an error.
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  await buildIfStale(console.log);
  const site = await serveBuild({ port: Number(values.port ?? 4173), strict: values.port !== undefined });
  console.log(`KV Cache Lab is at ${site.url} (Ctrl+C stops it)`);
  if (hasDesktop(process.env)) {
    // A missing browser is no reason to stop serving; the address is printed above.
    const child = await open(site.url).catch(() => null);
    child?.on('error', () => undefined);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
