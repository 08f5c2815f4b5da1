/** What is stored, after real downloads into the fake cache. */
import { expect, it } from 'vitest';
import { downloadFiles } from './download';
import { broken, COMMIT, fakes, type Fakes, HOST, serve } from './fakes.fixture';
import { readListing } from './listing';
import { deleteAllStored, deleteStored, listStored, storedBytes } from './storage';

const OTHER = 'f'.repeat(40);
const never = new AbortController().signal;

/** Lists and downloads `a/b` at two commits, the second one in part. */
async function filled(): Promise<Fakes> {
  let sha = COMMIT;
  const hub = fakes((seen, signal) => {
    if (seen.url.includes('/api/')) return Response.json({ sha, siblings: [] });
    if (seen.url.includes(OTHER)) return new Response(broken(['0123', '4'], 'error'));
    return serve('0123456789')(seen, signal);
  });
  for (sha of [COMMIT, OTHER]) {
    const listing = await readListing(hub.deps, HOST, { repo: 'a/b', revision: 'main' }, never);
    await downloadFiles(hub.deps, {
      host: HOST,
      listing,
      files: [{ path: 'onnx/a b.onnx', bytes: 10 }],
      signal: never,
      partBytes: 4,
      onProgress: () => undefined,
      onNotice: () => undefined,
    }).catch(() => undefined);
  }
  return hub;
}

it('lists whole and partial models with their bytes', async () => {
  const { deps } = await filled();
  const stored = await listStored(deps, never);
  const place = { host: HOST, repo: 'a/b', when: 1_700_000_000_000 };
  expect(stored).toEqual([
    {
      ...place,
      revision: COMMIT,
      files: [{ path: 'onnx/a b.onnx', bytes: 10, whole: true }],
      bytes: 10,
      whole: true,
    },
    {
      ...place,
      revision: OTHER,
      files: [{ path: 'onnx/a b.onnx', bytes: 4, whole: false }],
      bytes: 4,
      whole: false,
    },
  ]);
  expect(storedBytes(stored)).toBe(14);
});

it('deletes one model with the lists that lead to it, and leaves the other', async () => {
  const { deps, caches } = await filled();
  const [, partial] = await listStored(deps, never);
  if (!partial) throw new Error('there is a second model');
  await deleteStored(deps, partial, never);
  expect((await listStored(deps, never)).map(({ revision }) => revision)).toEqual([COMMIT]);
  expect([...caches.entries.keys()].filter((key) => key.includes('/api/'))).toEqual([
    `${HOST}/api/models/a/b/revision/${COMMIT}?blobs=true`,
  ]);
});

it('deletes everything', async () => {
  const { deps, caches } = await filled();
  await deleteAllStored(deps, never);
  expect(caches.entries.size).toBe(0);
  expect(await listStored(deps, never)).toEqual([]);
});

it('is empty without a Cache API, and before anything was stored', async () => {
  const none = fakes(serve(''), { caches: null });
  expect(await listStored(none.deps, never)).toEqual([]);
  await deleteAllStored(none.deps, never);
  expect(await listStored(fakes(serve('')).deps, never)).toEqual([]);
});
