/** `npx tsx e2e/fake-hub/serve.ts [--port N]`: a hub with all ready-made repositories, to try the page's hub features offline. */
import { parseArgs } from 'node:util';
import { readyMadeRepos } from './repos';
import { startFakeHub } from './server';

const { values } = parseArgs({ options: { port: { type: 'string', default: '4180' } } });
const repos = await readyMadeRepos();
const hub = await startFakeHub({ repos, port: Number(values.port) });
console.log(
  `A fake model hub is at ${hub.url} (Ctrl+C ends it). Set it as the host in the page's settings, then try:`,
);
for (const { id, sha } of repos) console.log(`  ${id}@${sha}`);
