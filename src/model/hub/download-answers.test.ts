/** Answers that are not the file: refused, busy, cut short, too long, or something else altogether. */
import { expect, it } from 'vitest';
import { describeFault } from '../../protocol/faults';
import { faultOf, MODEL, run } from './download.fixture';
import { broken, COMMIT, fakes, HOST, serve } from './fakes.fixture';

it.each([
  [401, {}, 'hub-gated', { repo: 'owner/name', host: HOST, status: 401 }],
  [403, {}, 'hub-gated', { repo: 'owner/name', host: HOST, status: 403 }],
  [
    401,
    { 'x-error-code': 'RepoNotFound' },
    'hub-not-found',
    { repo: 'owner/name', revision: COMMIT, host: HOST },
  ],
  [404, {}, 'hub-file-missing', { file: MODEL, where: `${HOST}/owner/name@${COMMIT}` }],
  [418, {}, 'hub-status', { host: HOST, status: 418, file: MODEL }],
])('HTTP %i %j is %s, at once', async (status, headers, code, params) => {
  const hub = fakes(() => new Response('no', { status, headers }));
  expect(await faultOf(run(hub))).toEqual({ code, params });
  expect(hub.seen).toHaveLength(1);
  expect(hub.caches.sizes()).toEqual({});
});

it.each([429, 500, 502, 503, 504])('HTTP %i is tried four times, with back-off', async (status) => {
  const hub = fakes(() => new Response('', { status }));
  expect(await faultOf(run(hub))).toEqual({ code: 'hub-busy', params: { host: HOST, status, tries: 4 } });
  expect(hub.clock.backOffs).toEqual([1000, 2000, 4000]);
});

it.each([
  ['7', 7000],
  ['3600', 30_000],
  // now() of the fakes is 22:13:20.
  ['Tue, 14 Nov 2023 22:13:25 GMT', 5000],
  ['Tue, 14 Nov 2023 22:00:00 GMT', 0],
  ['soon', 1000],
])('waits as Retry-After: %s says, at most 30 s', async (value, ms) => {
  let first = true;
  const hub = fakes((seen, signal) => {
    if (!first) return serve('0123456789')(seen, signal);
    first = false;
    return new Response('', { status: 429, headers: { 'retry-after': value } });
  });
  expect((await run(hub)).texts).toEqual({ [MODEL]: '0123456789' });
  expect(hub.clock.backOffs).toEqual([ms]);
});

it('says both numbers of a file that ends early, and keeps nothing of it', async () => {
  const hub = fakes(serve('0123456'));
  const fault = await faultOf(run(hub));
  expect(describeFault(fault)).toBe(
    'The file onnx/model_q4.onnx ended after 7 of 10 bytes. Start the download again; if it ends there again, the host has a damaged copy.',
  );
  expect(hub.seen.map(({ range }) => range)).toEqual([null, 'bytes=7-']);
  expect(hub.caches.sizes()).toEqual({});
});

it('knows an early end by content-length where the list has no size', async () => {
  const hub = fakes(serve('0123456', { 'content-length': '10' }));
  expect(await faultOf(run(hub, [{ path: MODEL, bytes: null }]))).toMatchObject({
    code: 'hub-truncated',
    params: { received: 7, expected: 10 },
  });
});

it('stops at the first byte too many, and keeps nothing', async () => {
  const hub = fakes(serve('0123456789AB'));
  expect(await faultOf(run(hub))).toEqual({
    code: 'hub-overlong',
    params: { file: MODEL, received: 12, expected: 10 },
  });
  expect(hub.caches.sizes()).toEqual({});
});

it.each([
  ['config.json', '{}', { 'content-type': 'text/html; charset=utf-8' }, 'HTML'],
  ['config.json', '\n <p>hello', { 'content-type': 'application/json' }, 'HTML'],
  [MODEL, '<xml version="1"/>', {}, 'HTML'],
  ['onnx/model.onnx_data', '<!DOCTYPE html><p>', {}, 'HTML'],
  [MODEL, 'version https://git-lfs.github.com/spec/v1', {}, 'a Git LFS pointer'],
  ['config.json', '{"a": 1', {}, 'text that is not JSON'],
  ['tokenizer.json', 'Not here', {}, 'text that is not JSON'],
])('%s with %j %j is not stored', async (path, body, headers, found) => {
  const hub = fakes(serve(body, headers));
  expect(await faultOf(run(hub, [{ path, bytes: null }], undefined, 64))).toEqual({
    code: 'hub-wrong-type',
    params: { file: path, found },
  });
  expect(hub.caches.sizes()).toEqual({});
  const good = fakes(serve('{}'), { caches: hub.caches.storage });
  expect((await run(good, [{ path, bytes: 2 }])).texts).toEqual({ [path]: '{}' });
});

it('tells a page from a file of the wrong size', async () => {
  const hub = fakes(serve('<!doctype html><title>Sign in</title>'));
  expect((await faultOf(run(hub, undefined, undefined, 64))).code).toBe('hub-wrong-type');
});

it('lets weights begin with any byte', async () => {
  expect((await run(fakes(serve('<<<<')), [{ path: 'onnx/model.onnx_data', bytes: 4 }])).texts).toEqual({
    'onnx/model.onnx_data': '<<<<',
  });
});

it('stops the other files when one fails', async () => {
  const hub = fakes((seen) =>
    seen.url.endsWith('/bad') ? new Response('', { status: 404 }) : new Response(broken(['01234'], 'open')),
  );
  const files = [
    { path: 'good', bytes: 10 },
    { path: 'bad', bytes: 10 },
    { path: 'never', bytes: 10 },
  ];
  expect((await faultOf(run(hub, files))).code).toBe('hub-file-missing');
  expect(hub.seen.map(({ url }) => url.split('/').at(-1))).toEqual(['good', 'bad']);
});

it('asks for no weights before all other files are here', async () => {
  const files = [MODEL, 'tokenizer.json', 'tokenizer_config.json'].map((path) => ({ path, bytes: 2 }));
  const names = (hub: ReturnType<typeof fakes>): (string | undefined)[] =>
    hub.seen.map(({ url }) => url.split('/').at(-1));
  const good = fakes(serve('{}'));
  expect(Object.keys((await run(good, files)).texts)).toEqual(files.map(({ path }) => path));
  expect(names(good)).toEqual(['tokenizer.json', 'tokenizer_config.json', 'model_q4.onnx']);
  const bad = fakes((seen, signal) =>
    seen.url.endsWith('_config.json') ? new Response('', { status: 404 }) : serve('{}')(seen, signal),
  );
  expect((await faultOf(run(bad, files))).code).toBe('hub-file-missing');
  expect(names(bad)).toEqual(['tokenizer.json', 'tokenizer_config.json']);
});

it('keeps what was stored when a page comes in place of the rest', async () => {
  const hub = fakes(() => new Response(broken(['01234'], 'error')));
  await faultOf(run(hub));
  const portal = fakes(serve('<html>', { 'content-type': 'text/html' }), { caches: hub.caches.storage });
  expect((await faultOf(run(portal))).code).toBe('hub-wrong-type');
  const good = fakes(serve('0123456789'), { caches: hub.caches.storage });
  expect((await run(good)).texts).toEqual({ [MODEL]: '0123456789' });
  expect(good.seen[0]?.range).toBe('bytes=4-');
});

it('forgets the parts of a long file that turns out to be no JSON', async () => {
  const hub = fakes(serve('{"a": 1, '));
  expect((await faultOf(run(hub, [{ path: 'tokenizer.json', bytes: 9 }]))).code).toBe('hub-wrong-type');
  expect(hub.caches.sizes()).toEqual({});
});
