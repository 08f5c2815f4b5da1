/** Downloads against a fake hub: parts, storage, resuming, cancelling, progress. */
import { describe, expect, it } from 'vitest';
import { faultOf, MODEL, run, URL_OF_MODEL } from './download.fixture';
import { broken, COMMIT, fakes, type Fakes, HOST, serve } from './fakes.fixture';

const WHOLE = {
  [`${MODEL}?part=0&of=4`]: 4,
  [`${MODEL}?part=1&of=4`]: 4,
  [`${MODEL}?part=2&of=4`]: 2,
  [`${MODEL}?whole`]: 12,
};

describe('storing', () => {
  it('stores a file in parts and takes it from there without a request', async () => {
    const online = fakes(serve('0123456789'));
    expect((await run(online)).texts).toEqual({ [MODEL]: '0123456789' });
    expect(online.seen).toEqual([{ url: URL_OF_MODEL, range: null }]);
    expect(online.caches.sizes()).toEqual(WHOLE);
    const offline = fakes(() => Promise.reject(new TypeError('offline')), { caches: online.caches.storage });
    const again = await run(offline);
    expect(again.texts).toEqual({ [MODEL]: '0123456789' });
    expect(offline.seen).toEqual([]);
    expect(again.progress.at(-1)).toEqual({
      files: [{ path: MODEL, bytes: 10, total: 10 }],
      bytes: 10,
      total: 10,
    });
  });

  it('sends no cookies, no referrer, and bypasses the browser’s own HTTP cache', async () => {
    const inits: (RequestInit | undefined)[] = [];
    const { deps } = fakes(serve('0123456789'), {
      fetch: (_, init) => {
        inits.push(init);
        return Promise.resolve(new Response('0123456789'));
      },
    });
    await run({ ...fakes(serve('')), deps });
    expect(inits).toMatchObject([
      { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store', headers: {} },
    ]);
  });

  it('encodes each segment of a path', async () => {
    const hub = fakes(serve('0123456789'));
    await run(hub, [{ path: 'onnx/a b#1.onnx_data', bytes: 10 }]);
    expect(hub.seen[0]?.url).toBe(`${HOST}/owner/name/resolve/${COMMIT}/onnx/a%20b%231.onnx_data`);
  });

  it('returns files in the order asked for, two at a time', async () => {
    let open = 0;
    let most = 0;
    const hub = fakes(async () => {
      most = Math.max(most, ++open);
      await Promise.resolve();
      open--;
      return new Response('ab');
    });
    const files = ['d', 'c', 'b', 'a'].map((path) => ({ path, bytes: 2 }));
    expect(Object.keys((await run(hub, files)).texts)).toEqual(['d', 'c', 'b', 'a']);
    expect(most).toBe(2);
  });

  it('downloads an empty file', async () => {
    expect((await run(fakes(serve('')), [{ path: 'empty', bytes: 0 }])).texts).toEqual({ empty: '' });
  });

  it.each([
    ['QuotaExceededError', 'storage-full', { needed: 10, free: 1000 }],
    ['UnknownError', 'storage-failed', { detail: 'UnknownError: no room' }],
  ])('goes on from memory when storing fails with %s', async (name, code, params) => {
    const hub = fakes(serve('0123456789'));
    hub.caches.beforePut = () => Promise.reject(new DOMException('no room', name));
    const { texts, notices } = await run(hub);
    expect(texts).toEqual({ [MODEL]: '0123456789' });
    expect(notices).toMatchObject([{ code, params }]);
    expect(hub.caches.sizes()).toEqual({});
  });

  it('keeps what was stored before storage ran full, and does not call the file whole', async () => {
    const hub = fakes(serve('0123456789'));
    hub.caches.beforePut = (key) =>
      key.includes('part=1') ? Promise.reject(new DOMException('', 'QuotaExceededError')) : Promise.resolve();
    expect((await run(hub)).texts).toEqual({ [MODEL]: '0123456789' });
    expect(hub.caches.sizes()).toEqual({ [`${MODEL}?part=0&of=4`]: 4 });
  });

  it('downloads without a Cache API, and says so once', async () => {
    const files = [
      { path: 'a', bytes: 1 },
      { path: 'b', bytes: 1 },
    ];
    const { texts, notices } = await run(fakes(serve('x'), { caches: null }), files);
    expect(texts).toEqual({ a: 'x', b: 'x' });
    expect(notices).toEqual([{ code: 'storage-none', params: {} }]);
  });

  it('downloads again when reading from storage hangs', async () => {
    const hub = fakes(serve('0123456789'));
    await run(hub);
    hub.caches.beforeMatch = () => {
      setTimeout(() => {
        hub.clock.expire();
      }, 0);
      return new Promise(() => undefined);
    };
    const { texts, notices } = await run(hub);
    expect(texts).toEqual({ [MODEL]: '0123456789' });
    expect(notices).toEqual([{ code: 'storage-stalled', params: { seconds: 25 } }]);
    expect(hub.seen).toHaveLength(2);
  });

  it('loads the missing rest when the browser evicted a part', async () => {
    const hub = fakes(serve('0123456789'));
    await run(hub);
    hub.caches.entries.delete(`${URL_OF_MODEL}?part=1&of=4`);
    expect((await run(hub)).texts).toEqual({ [MODEL]: '0123456789' });
    expect(hub.seen.at(-1)?.range).toBe('bytes=4-');
  });
});

describe('resuming', () => {
  /** The first two parts and a bit, then the given end; afterwards a good server. */
  function breaking(end: 'error' | 'open', times: number): Fakes {
    let left = times;
    const hub: Fakes = fakes((seen, signal) => {
      if (left-- <= 0) return serve('0123456789')(seen, signal);
      const body = broken(seen.range === null ? ['01234', '5678'] : [], end, () => {
        hub.clock.expire();
      });
      return new Response(body, { status: seen.range === null ? 200 : 206 });
    });
    return hub;
  }

  it('goes on at the byte where a connection broke', async () => {
    const hub = breaking('error', 1);
    expect((await run(hub)).texts).toEqual({ [MODEL]: '0123456789' });
    expect(hub.seen.map(({ range }) => range)).toEqual([null, 'bytes=9-']);
    expect(hub.caches.sizes()).toEqual(WHOLE);
  });

  it('goes on from the last whole part in a later visit', async () => {
    const hub = breaking('error', 4);
    expect(await faultOf(run(hub))).toMatchObject({
      code: 'hub-truncated',
      params: { file: MODEL, received: 9, expected: 10 },
    });
    expect(hub.caches.sizes()).toEqual({ [`${MODEL}?part=0&of=4`]: 4, [`${MODEL}?part=1&of=4`]: 4 });
    expect((await run(hub)).texts).toEqual({ [MODEL]: '0123456789' });
    expect(hub.seen.at(-1)?.range).toBe('bytes=8-');
  });

  it('resumes a stalled connection', async () => {
    const hub = breaking('open', 3);
    expect((await run(hub)).texts).toEqual({ [MODEL]: '0123456789' });
    expect(hub.seen.map(({ range }) => range)).toEqual([null, 'bytes=9-', 'bytes=9-', 'bytes=9-']);
  });

  it('gives up after three resumed stalls without progress, and drops the connections', async () => {
    const signals: (AbortSignal | null)[] = [];
    const hub: Fakes = fakes((_, signal) => {
      signals.push(signal);
      return new Response(
        broken([], 'open', () => {
          hub.clock.expire();
        }),
      );
    });
    expect(await faultOf(run(hub))).toEqual({
      code: 'hub-stalled',
      params: { file: MODEL, host: HOST, seconds: 20, tries: 4 },
    });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true, true]);
  });

  it('counts a server that never answers as stalled', async () => {
    const hub: Fakes = fakes(() => {
      setTimeout(() => {
        hub.clock.expire();
      }, 0);
      return new Promise(() => undefined);
    });
    expect(await faultOf(run(hub))).toMatchObject({ code: 'hub-stalled', params: { tries: 4 } });
  });

  it('starts anew when the server ignores Range', async () => {
    let first = true;
    const hub = fakes(() => {
      const body = first ? broken(['01234', '5678'], 'error') : 'ABCDEFGHIJ';
      first = false;
      return new Response(body);
    });
    expect((await run(hub)).texts).toEqual({ [MODEL]: 'ABCDEFGHIJ' });
  });

  it('starts anew when the server answers another range than was asked for', async () => {
    let tries = 0;
    const hub = fakes((seen) => {
      if (++tries === 1) return new Response(broken(['01234'], 'error'));
      if (seen.range === null) return new Response('ABCDEFGHIJ');
      return new Response('9', { status: 206, headers: { 'content-range': 'bytes 9-9/10' } });
    });
    expect((await run(hub)).texts).toEqual({ [MODEL]: 'ABCDEFGHIJ' });
    expect(hub.seen.map(({ range }) => range)).toEqual([null, 'bytes=5-', null]);
  });

  it('asks without Range in the last try, for proxies that refuse it', async () => {
    const hub = breaking('error', 4);
    await faultOf(run(hub));
    const deps = fakes(
      (seen) => {
        if (seen.range !== null) throw new TypeError('CORS');
        return new Response('ABCDEFGHIJ');
      },
      { caches: hub.caches.storage },
    );
    expect((await run(deps)).texts).toEqual({ [MODEL]: 'ABCDEFGHIJ' });
    expect(deps.seen.map(({ range }) => range)).toEqual(['bytes=8-', 'bytes=8-', 'bytes=8-', null]);
  });

  it('keeps whole parts when there is no network at all', async () => {
    const hub = breaking('error', 4);
    await faultOf(run(hub));
    const offline = fakes(() => Promise.reject(new TypeError('offline')), { caches: hub.caches.storage });
    expect(await faultOf(run(offline))).toMatchObject({
      code: 'hub-unreachable',
      params: { host: HOST, tries: 4 },
    });
    expect(hub.caches.sizes()).toEqual({ [`${MODEL}?part=0&of=4`]: 4, [`${MODEL}?part=1&of=4`]: 4 });
  });
});

describe('cancelling', () => {
  it('settles while a connection is silent, and keeps whole parts', async () => {
    const stop = new AbortController();
    const hub = fakes(
      () =>
        new Response(
          broken(['01234'], 'open', () => {
            stop.abort();
          }),
        ),
    );
    expect(await faultOf(run(hub, undefined, stop.signal))).toEqual({ code: 'cancelled', params: {} });
    expect(hub.caches.sizes()).toEqual({ [`${MODEL}?part=0&of=4`]: 4 });
  });

  it('settles while storage is stuck', async () => {
    const stop = new AbortController();
    const hub = fakes(serve('0123456789'));
    hub.caches.beforePut = () => {
      setTimeout(() => {
        stop.abort();
      }, 0);
      return new Promise(() => undefined);
    };
    expect((await faultOf(run(hub, undefined, stop.signal))).code).toBe('cancelled');
  });

  it('asks for nothing when it was cancelled before', async () => {
    const hub = fakes(serve('0123456789'));
    expect((await faultOf(run(hub, undefined, AbortSignal.abort()))).code).toBe('cancelled');
    expect(hub.seen).toEqual([]);
  });
});

describe('progress', () => {
  it('takes totals from the list, then from content-length, and has none otherwise', async () => {
    const hub = fakes((seen) =>
      seen.url.endsWith('/b')
        ? new Response('0123456789', { headers: { 'content-length': '10' } })
        : new Response('0123456789'),
    );
    const files = [
      { path: 'a', bytes: 10 },
      { path: 'b', bytes: null },
      { path: 'c', bytes: null },
    ];
    const { progress } = await run(hub, files);
    expect(progress[0]).toEqual({
      files: [
        { path: 'a', bytes: 0, total: 10 },
        { path: 'b', bytes: 0, total: null },
        { path: 'c', bytes: 0, total: null },
      ],
      bytes: 0,
      total: null,
    });
    const open = progress.findLast(({ files: [, , c] }) => c?.total === null);
    expect(open?.files).toEqual([
      { path: 'a', bytes: 10, total: 10 },
      { path: 'b', bytes: 10, total: 10 },
      { path: 'c', bytes: 10, total: null },
    ]);
    expect(progress.at(-1)).toMatchObject({ bytes: 30, total: 30 });
  });

  it('never has more bytes than the total: a compressed answer is longer than its content-length', async () => {
    const hub = fakes(() => new Response('0123456789', { headers: { 'content-length': '4' } }));
    const { texts, progress } = await run(hub, [{ path: 'a', bytes: null }]);
    expect(texts).toEqual({ a: '0123456789' });
    const totals = progress.map(({ files: [a] }) => [a?.bytes, a?.total]);
    expect(totals).toEqual([
      [0, null],
      [0, null],
      [4, 4],
      [8, null],
      [10, null],
      [10, 10],
    ]);
  });
});
