/** The library on a browser's real Cache API, fetch answers and Blobs; only the hub is a function. */
import { afterEach, expect, it } from 'vitest';
import { browserDeps } from './deps';
import { run } from './download.fixture';
import { broken, fakes, serve } from './fakes.fixture';
import { deleteAllStored, deleteStored, listStored } from './storage';

const never = new AbortController().signal;

/** Fakes whose cache, clock and estimate are the browser's. */
function real(respond: Parameters<typeof fakes>[0]): ReturnType<typeof fakes> {
  const made = fakes(respond);
  return { ...made, deps: { ...browserDeps(), fetch: made.deps.fetch } };
}

afterEach(async () => {
  await deleteAllStored(browserDeps(), never);
});

it('resumes a broken download from stored parts, then needs no network, and can be deleted', async () => {
  let breaks = 4;
  const hub = real((seen, signal) =>
    breaks-- > 0
      ? new Response(broken(seen.range === null ? ['01234', '5678'] : [], 'error'), {
          status: seen.range === null ? 200 : 206,
        })
      : serve('0123456789')(seen, signal),
  );
  await expect(run(hub)).rejects.toThrow('ended after 9 of 10 bytes');
  expect(await listStored(hub.deps, never)).toMatchObject([
    { repo: 'owner/name', bytes: 8, whole: false, files: [{ path: 'onnx/model_q4.onnx', bytes: 8 }] },
  ]);
  expect((await run(hub)).texts).toEqual({ 'onnx/model_q4.onnx': '0123456789' });
  expect(hub.seen.at(-1)?.range).toBe('bytes=8-');
  const offline = real(() => Promise.reject(new TypeError('offline')));
  expect((await run(offline)).texts).toEqual({ 'onnx/model_q4.onnx': '0123456789' });
  const [stored] = await listStored(hub.deps, never);
  if (!stored) throw new Error('the model is stored');
  expect(stored).toMatchObject({ bytes: 10, whole: true });
  await deleteStored(hub.deps, stored, never);
  expect(await listStored(hub.deps, never)).toEqual([]);
});

it('knows what the browser allows to store', async () => {
  const { quota } = await browserDeps().estimate();
  expect(quota).toBeGreaterThan(0);
});
