import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeHub } from './server';
import type { FakeHub, FakeRepo } from './types';

const SHA = '1234567890abcdef1234567890abcdef12345678';
const OTHER_SHA = 'fedcba0987654321fedcba0987654321fedcba09';
const WEIGHTS = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
// echo -n '{"a":1}' | wc -c
const CONFIG = '{"a":1}';

const REPOS: FakeRepo[] = [
  {
    id: 'lab/one',
    sha: SHA,
    files: new Map<string, Uint8Array | string>([
      ['config.json', CONFIG],
      ['onnx/model.onnx', WEIGHTS],
    ]),
    safetensorsTotal: 42,
  },
  {
    id: 'lab/closed',
    sha: OTHER_SHA,
    gated: 'manual',
    filesStatus: 403,
    files: new Map([
      ['README.md', 'open'],
      ['config.json', CONFIG],
    ]),
    listedOnly: new Map([['onnx/model.onnx', 6_000_000_000]]),
  },
];

let hub: FakeHub;
beforeAll(async () => {
  hub = await startFakeHub({ repos: REPOS });
});
afterAll(() => hub.close());

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(hub.url + path, init);
const api = (rest: string): string => `/api/models/lab/one${rest}`;
const file = (path: string, revision = SHA): string => `/lab/one/resolve/${revision}/${path}`;

describe('the listing', () => {
  it('tells the commit, the files with their sizes and LFS hashes, and the parameters', async () => {
    const response = await get(api('/revision/main?blobs=true'));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      id: 'lab/one',
      sha: SHA,
      gated: false,
      safetensors: { total: 42, parameters: { BF16: 42 } },
      siblings: [
        { rfilename: 'config.json', size: 7 },
        {
          rfilename: 'onnx/model.onnx',
          size: 1000,
          lfs: {
            // python3 -c "import hashlib; print(hashlib.sha256(bytes(i % 251 for i in range(1000))).hexdigest())"
            sha256: '4e4c294b331f7a2099a379bec34b9f9fc03dc46ab465d998f4d683da53487e6d',
            size: 1000,
          },
        },
      ],
    });
  });

  it('has no sizes unless asked for blobs', async () => {
    const body = (await (await get(api('/revision/main'))).json()) as { siblings: unknown };
    expect(body.siblings).toEqual([{ rfilename: 'config.json' }, { rfilename: 'onnx/model.onnx' }]);
  });

  it.each(['', '/revision/main', `/revision/${SHA}`, '/revision/1234567'])(
    'finds the commit by %j',
    async (revision) => {
      expect(await (await get(api(revision))).json()).toMatchObject({ sha: SHA });
    },
  );

  it.each([
    ['a branch that is not there', 'dev', 'dev'],
    ['six digits', '123456', '123456'],
    ['another commit', OTHER_SHA, OTHER_SHA],
    ['an encoded slash', 'refs%2Fpr%2F1', 'refs/pr/1'],
    ['letters that no header may hold', '%EA%B0%80', '\uac00'],
  ])('answers 404 to %s', async (_, revision, named) => {
    const response = await get(api(`/revision/${revision}`));
    expect(response.status).toBe(404);
    expect(response.headers.get('x-error-code')).toBe('RevisionNotFound');
    expect(await response.json()).toEqual({ error: `Invalid rev id: ${named}` });
  });

  it('of a gated repository is public, and names files that are not there', async () => {
    const body: unknown = await (await get('/api/models/lab/closed/revision/main?blobs=true')).json();
    expect(body).toMatchObject({
      gated: 'manual',
      siblings: [
        { rfilename: 'README.md' },
        { rfilename: 'config.json' },
        { rfilename: 'onnx/model.onnx', size: 6e9 },
      ],
    });
    expect(body).not.toHaveProperty('safetensors');
  });

  it('of an unknown repository is 401 without a code, as to a stranger on the real hub', async () => {
    for (const path of ['/api/models/lab/none/revision/main', `/lab/none/resolve/main/config.json`]) {
      const response = await get(path);
      expect(response.status).toBe(401);
      expect(response.headers.get('x-error-code')).toBeNull();
    }
  });
});

describe('files', () => {
  it('small ones come at once', async () => {
    const response = await get(file('config.json'), { redirect: 'manual' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('7');
    expect(response.headers.get('x-repo-commit')).toBe(SHA);
    expect(await response.text()).toBe(CONFIG);
  });

  it('models are sent to the CDN, which has all their bytes', async () => {
    const first = await get(file('onnx/model.onnx', 'main'), { redirect: 'manual' });
    expect(first.status).toBe(302);
    expect(first.headers.get('location')).toMatch(/^\/cdn\/[0-9a-f]{64}$/);
    expect(first.headers.get('x-linked-size')).toBe('1000');
    const followed = await get(file('onnx/model.onnx'));
    expect(followed.redirected).toBe(true);
    expect(followed.headers.get('content-length')).toBe('1000');
    expect(new Uint8Array(await followed.arrayBuffer())).toEqual(WEIGHTS);
  });

  it.each([
    ['bytes=990-', 'bytes 990-999/1000', 990, 1000],
    ['bytes=0-9', 'bytes 0-9/1000', 0, 10],
    ['bytes=995-2000', 'bytes 995-999/1000', 995, 1000],
    ['bytes=-4', 'bytes 996-999/1000', 996, 1000],
  ])('range %s is 206, %s', async (range, contentRange, start, end) => {
    const response = await get(file('onnx/model.onnx'), { headers: { Range: range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(WEIGHTS.slice(start, end));
  });

  it('a range behind the end is 416', async () => {
    const response = await get(file('onnx/model.onnx'), { headers: { Range: 'bytes=1000-' } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */1000');
  });

  it('HEAD tells the length and sends nothing', async () => {
    const response = await get(file('onnx/model.onnx'), { method: 'HEAD' });
    expect(response.headers.get('content-length')).toBe('1000');
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  it('what is not there is 404 EntryNotFound', async () => {
    const response = await get(file('generation_config.json'));
    expect(response.status).toBe(404);
    expect(response.headers.get('x-error-code')).toBe('EntryNotFound');
  });

  it('of a gated repository are 403 GatedRepo, but for its README', async () => {
    const response = await get('/lab/closed/resolve/main/config.json');
    expect(response.status).toBe(403);
    expect(response.headers.get('x-error-code')).toBe('GatedRepo');
    expect((await get('/lab/closed/resolve/main/README.md')).status).toBe(200);
  });
});

describe('other origins', () => {
  it.each([api(''), file('config.json'), file('onnx/model.onnx'), '/nothing', '/lab/none/resolve/main/x'])(
    '%s can be read by any page, under COEP too',
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['Content-Length', 'Content-Range', 'ETag', 'Retry-After', 'X-Repo-Commit']),
      );
    },
  );

  it('a redirect can be followed by any page', async () => {
    const { headers } = await get(file('onnx/model.onnx'), { redirect: 'manual' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('a preflight allows Range', async () => {
    const response = await get(file('config.json'), { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toMatch(/\bRange\b/);
    expect(response.headers.get('access-control-allow-methods')).toMatch(/\bHEAD\b/);
  });
});

describe('the log', () => {
  it('has each request with its range, its status and the file that a CDN path stands for', async () => {
    const before = hub.requests.length;
    await get(file('onnx/model.onnx', 'main'), { headers: { Range: 'bytes=5-' } });
    await get(api('?blobs=true'));
    expect(hub.requests.slice(before)).toEqual([
      {
        method: 'GET',
        path: '/lab/one/resolve/main/onnx/model.onnx',
        file: 'lab/one/onnx/model.onnx',
        range: 'bytes=5-',
        status: 302,
      },
      {
        method: 'GET',
        path: expect.stringMatching(/^\/cdn\//) as string,
        file: 'lab/one/onnx/model.onnx',
        range: 'bytes=5-',
        status: 206,
      },
      { method: 'GET', path: '/api/models/lab/one?blobs=true', file: null, range: null, status: 200 },
    ]);
  });
});

it('answers 405 to a POST and 404 to bad percent-encoding', async () => {
  expect((await get(api(''), { method: 'POST' })).status).toBe(405);
  expect((await get('/lab/one/resolve/main/%E0%A4%A')).status).toBe(404);
});
