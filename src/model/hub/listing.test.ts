/** File lists: parsed, pinned to a commit, stored for offline use. */
import { describe, expect, it } from 'vitest';
import { type Fault, LabError } from '../../protocol/faults';
import { COMMIT, fakes, HOST } from './fakes.fixture';
import { readListing } from './listing';

const OTHER = 'f'.repeat(40);
const MAIN = { repo: 'a/b', revision: 'main' };
const PINNED = { repo: 'a/b', revision: COMMIT };
const never = new AbortController().signal;

function answer(changes: object = {}): Response {
  const siblings = [{ rfilename: 'config.json', size: 5 }, { rfilename: 'onnx/model.onnx' }];
  return Response.json({ sha: COMMIT, siblings, ...changes });
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof LabError) return error.fault;
  throw new Error(`no LabError: ${String(error)}`);
}

it('resolves a branch to its commit', async () => {
  const hub = fakes(() => answer({ gated: 'manual', safetensors: { total: 494_032_768 }, downloads: 3 }));
  expect(await readListing(hub.deps, HOST, MAIN, never)).toEqual({
    repo: 'a/b',
    asked: 'main',
    revision: COMMIT,
    files: [
      { path: 'config.json', bytes: 5 },
      { path: 'onnx/model.onnx', bytes: null },
    ],
    gated: true,
    parameters: 494_032_768,
    stored: false,
  });
  expect(hub.seen.map(({ url }) => url)).toEqual([`${HOST}/api/models/a/b/revision/main?blobs=true`]);
});

it.each([
  [false, false],
  ['auto', true],
  [true, true],
  [null, false],
])('gated: %j means %j', async (gated, expected) => {
  const listing = await readListing(fakes(() => answer({ gated })).deps, HOST, MAIN, never);
  expect(listing.gated).toBe(expected);
});

it('passes over paths that would leave the repository', async () => {
  const siblings = ['../x', 'a/../../x', '/x', 'a//x', './x', 'fine'].map((rfilename) => ({ rfilename }));
  const listing = await readListing(fakes(() => answer({ siblings })).deps, HOST, MAIN, never);
  expect(listing.files).toEqual([{ path: 'fine', bytes: null }]);
});

describe('a commit', () => {
  it('is asked for by itself only, in lower case', async () => {
    const hub = fakes(() => answer());
    const upper = { ...PINNED, revision: COMMIT.toUpperCase() };
    expect((await readListing(hub.deps, HOST, upper, never)).revision).toBe(COMMIT);
    expect(hub.seen.map(({ url }) => url)).toEqual([`${HOST}/api/models/a/b/revision/${COMMIT}?blobs=true`]);
  });

  it('is refused when the hub answers with another one', async () => {
    const hub = fakes(() => answer({ sha: OTHER }));
    expect(await faultOf(readListing(hub.deps, HOST, PINNED, never))).toEqual({
      code: 'hub-bad-listing',
      params: { host: HOST, detail: `commit ${OTHER}` },
    });
    expect(hub.seen).toHaveLength(1);
  });

  it('is not asked for again once its list is stored, by itself or through a branch', async () => {
    const hub = fakes(() => answer());
    await readListing(hub.deps, HOST, MAIN, never);
    const again = await readListing(hub.deps, HOST, PINNED, never);
    expect(again).toMatchObject({ asked: COMMIT, revision: COMMIT, stored: true });
    expect(again.files).toHaveLength(2);
    expect(hub.seen).toHaveLength(1);
  });

  it('is asked for at another host', async () => {
    const hub = fakes(() => answer());
    await readListing(hub.deps, HOST, PINNED, never);
    expect((await readListing(hub.deps, 'https://other.test', PINNED, never)).stored).toBe(false);
  });
});

describe('without network', () => {
  it('takes the newest stored list of a branch, after one try', async () => {
    let sha = COMMIT;
    const hub = fakes(() => answer({ sha }));
    await readListing(hub.deps, HOST, MAIN, never);
    sha = OTHER;
    await readListing(hub.deps, HOST, MAIN, never);
    const offline = fakes(() => Promise.reject(new TypeError('offline')), { caches: hub.caches.storage });
    const listing = await readListing(offline.deps, HOST, MAIN, never);
    expect(listing).toMatchObject({ revision: OTHER, stored: true });
    expect(offline.seen).toHaveLength(1);
  });

  it.each([429, 503])('takes the stored list at HTTP %i too', async (status) => {
    const hub = fakes(() => answer());
    await readListing(hub.deps, HOST, MAIN, never);
    const busy = fakes(() => new Response('', { status }), { caches: hub.caches.storage });
    expect((await readListing(busy.deps, HOST, MAIN, never)).stored).toBe(true);
  });

  it('does not hide that a repository is gone behind its stored list', async () => {
    const hub = fakes(() => answer());
    await readListing(hub.deps, HOST, MAIN, never);
    const gone = fakes(() => new Response('', { status: 404 }), { caches: hub.caches.storage });
    expect((await faultOf(readListing(gone.deps, HOST, MAIN, never))).code).toBe('hub-not-found');
  });

  it('says so after four tries when nothing is stored', async () => {
    const hub = fakes(() => Promise.reject(new TypeError('offline')));
    expect(await faultOf(readListing(hub.deps, HOST, MAIN, never))).toEqual({
      code: 'hub-unreachable',
      params: { host: HOST, tries: 4 },
      detail: 'TypeError: offline',
    });
    expect(hub.clock.backOffs).toEqual([1000, 2000, 4000]);
  });
});

describe('answers that are no list', () => {
  it.each([
    [401, {}, 'hub-gated'],
    [403, {}, 'hub-gated'],
    [401, { 'x-error-code': 'RepoNotFound' }, 'hub-not-found'],
    [404, { 'x-error-code': 'RevisionNotFound' }, 'hub-not-found'],
    [404, {}, 'hub-not-found'],
  ])('HTTP %i %j is %s', async (status, headers, code) => {
    const hub = fakes(() => new Response('', { status, headers }));
    expect((await faultOf(readListing(hub.deps, HOST, MAIN, never))).code).toBe(code);
  });

  it.each([
    ['<!doctype html>', 'text/html', 'hub-wrong-type'],
    ['{"sha"', 'application/json', 'hub-bad-listing'],
    ['[]', 'application/json', 'hub-bad-listing'],
    [`{"sha":"main","siblings":[]}`, 'application/json', 'hub-bad-listing'],
    [`{"sha":"${COMMIT}"}`, 'application/json', 'hub-bad-listing'],
  ])('%s is a fault, is not stored, and a good answer heals it', async (body, type, code) => {
    const hub = fakes(() => new Response(body, { headers: { 'content-type': type } }));
    expect((await faultOf(readListing(hub.deps, HOST, MAIN, never))).code).toBe(code);
    expect(hub.caches.entries.size).toBe(0);
    const good = fakes(() => answer(), { caches: hub.caches.storage });
    expect((await readListing(good.deps, HOST, MAIN, never)).stored).toBe(false);
  });
});

it('works without a Cache API, and when storage fails or is stuck', async () => {
  expect((await readListing(fakes(() => answer(), { caches: null }).deps, HOST, MAIN, never)).stored).toBe(
    false,
  );
  const full = fakes(() => answer());
  full.caches.beforePut = () => Promise.reject(new DOMException('', 'QuotaExceededError'));
  expect((await readListing(full.deps, HOST, MAIN, never)).revision).toBe(COMMIT);
  const stuck = fakes(() => answer());
  stuck.caches.beforeMatch = () => {
    setTimeout(() => {
      stuck.clock.expire();
    }, 0);
    return new Promise(() => undefined);
  };
  expect((await readListing(stuck.deps, HOST, MAIN, never)).revision).toBe(COMMIT);
});

it('can be cancelled while the hub is silent', async () => {
  const stop = new AbortController();
  const hub = fakes(() => {
    setTimeout(() => {
      stop.abort();
    }, 0);
    return new Promise(() => undefined);
  });
  expect((await faultOf(readListing(hub.deps, HOST, MAIN, stop.signal))).code).toBe('cancelled');
});
