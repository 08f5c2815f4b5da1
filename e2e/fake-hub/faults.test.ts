import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeHub } from './server';
import type { Fault, FakeHub, FakeRepo } from './types';

const SHA = '1234567890abcdef1234567890abcdef12345678';
const WEIGHTS = new Uint8Array(1000).fill(7);
const REPO: FakeRepo = {
  id: 'lab/one',
  sha: SHA,
  files: new Map<string, Uint8Array | string>([
    ['config.json', '{"a":1}'],
    ['onnx/model.onnx', WEIGHTS],
    ['onnx/model.onnx_data', WEIGHTS],
  ]),
};

let hub: FakeHub;
beforeEach(async () => {
  hub = await startFakeHub({ repos: [REPO] });
});
afterEach(() => hub.close());

const file = (path: string, init?: RequestInit): Promise<Response> =>
  fetch(`${hub.url}/lab/one/resolve/${SHA}/${path}`, init);
const model = (init?: RequestInit): Promise<Response> => file('onnx/model.onnx', init);
const listing = (): Promise<Response> => fetch(`${hub.url}/api/models/lab/one/revision/main?blobs=true`);
const bytesOf = async (response: Response): Promise<Uint8Array> =>
  new Uint8Array(await response.arrayBuffer());
const spoil = (...faults: Fault[]): void => {
  hub.setFault('lab/one', faults);
};

/** Reads a body and lets the hub go on when so many bytes have come; how many come in all, and whether the connection broke. */
async function readWithPause(
  response: Response,
  pauseAt: number,
): Promise<{ bytes: number; broken: boolean }> {
  let bytes = 0;
  try {
    for await (const piece of response.body ?? []) {
      bytes += (piece as Uint8Array).length;
      if (bytes === pauseAt) hub.goOn();
    }
    return { bytes, broken: false };
  } catch {
    return { bytes, broken: true };
  }
}

describe('status', () => {
  it.each([401, 403, 404, 429, 500, 503] as const)(
    '%i for every request of the repository',
    async (status) => {
      spoil({ kind: 'status', status });
      const answers = [await listing(), await file('config.json'), await model()];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
      expect(await answers[0]?.json()).toEqual({ error: expect.any(String) as string });
    },
  );

  it('tells when to try again, and behaves after `times`', async () => {
    spoil({ kind: 'status', status: 429, retryAfter: 2, times: 2, path: /config\.json$/ });
    const first = await file('config.json');
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '2']);
    expect((await model()).status).toBe(200);
    expect((await file('config.json')).status).toBe(429);
    expect((await file('config.json')).status).toBe(200);
  });

  it('can be only for the listing', async () => {
    spoil({ kind: 'status', status: 503, path: /^\/api\// });
    expect((await listing()).status).toBe(503);
    expect((await file('config.json')).status).toBe(200);
  });
});

describe('truncated', () => {
  it('cut: the length is right, half of it comes, and a resume gets the rest', async () => {
    spoil({ kind: 'truncated', mode: 'cut', times: 1 });
    const response = await model();
    expect(response.headers.get('content-length')).toBe('1000');
    expect(await readWithPause(response, 500)).toEqual({ bytes: 500, broken: true });
    const resumed = await model({ headers: { Range: 'bytes=500-' } });
    expect([resumed.status, (await bytesOf(resumed)).length]).toEqual([206, 500]);
  });

  it('short: a whole answer that is shorter than the listing says', async () => {
    spoil({ kind: 'truncated', mode: 'short' });
    const response = await model();
    expect(response.headers.get('content-length')).toBe('500');
    expect((await bytesOf(response)).length).toBe(500);
    expect(await (await listing()).json()).toMatchObject({
      siblings: [{}, { rfilename: 'onnx/model.onnx', size: 1000 }, {}],
    });
  });
});

describe('corrupt', () => {
  it('garbled: as long as before, and no protobuf', async () => {
    spoil({ kind: 'corrupt', mode: 'garbled' });
    const bytes = await bytesOf(await model());
    expect([bytes.length, bytes[0]]).toEqual([1000, 0xff]);
  });

  it('cut: listing and length agree on half of the file', async () => {
    spoil({ kind: 'corrupt', mode: 'cut', path: /model\.onnx$/ });
    expect(await (await listing()).json()).toMatchObject({
      siblings: [
        {},
        { rfilename: 'onnx/model.onnx', size: 500, lfs: { size: 500 } },
        { rfilename: 'onnx/model.onnx_data', size: 1000 },
      ],
    });
    expect(await bytesOf(await model())).toEqual(WEIGHTS.slice(0, 500));
  });
});

it('html: 200 and a web page; the file itself afterwards', async () => {
  spoil({ kind: 'html', path: /config\.json$/, times: 1 });
  const response = await file('config.json');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
  expect(await (await file('config.json')).text()).toBe('{"a":1}');
});

it('stalled: half of the bytes, then nothing until the hub closes', async () => {
  spoil({ kind: 'stalled' });
  const response = await model();
  const reader = response.body?.getReader();
  let bytes = 0;
  while (bytes < 500) bytes += ((await reader?.read())?.value as Uint8Array | undefined)?.length ?? NaN;
  expect(bytes).toBe(500);
  const second = reader?.read().then(
    () => 'ended',
    () => 'broken',
  );
  // Another whole answer passes meanwhile, and the stalled one is still open.
  await (await file('config.json')).text();
  expect(await Promise.race([second, Promise.resolve('open')])).toBe('open');
  await hub.close();
  expect(await second).toBe('broken');
});

it('slow: in many pieces, and all of it in the end', async () => {
  spoil({ kind: 'slow', bytesPerSecond: 5000 });
  const response = await model();
  expect(response.headers.get('content-length')).toBe('1000');
  let pieces = 0;
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    pieces++;
    bytes += (piece as Uint8Array).length;
  }
  expect(bytes).toBe(1000);
  expect(pieces).toBeGreaterThan(1);
});

it('no-length: chunked', async () => {
  spoil({ kind: 'no-length' });
  const response = await model();
  expect(response.headers.get('content-length')).toBeNull();
  expect(response.headers.get('transfer-encoding')).toBe('chunked');
  expect(await bytesOf(response)).toEqual(WEIGHTS);
});

it('no-length with a pause: the second half comes when the hub goes on', async () => {
  spoil({ kind: 'no-length', pause: true });
  expect(() => {
    hub.goOn();
  }).toThrow('No answer of the fake hub waits');
  expect(await readWithPause(await model(), 500)).toEqual({ bytes: 1000, broken: false });
});

it('missing-file: listed, but 404', async () => {
  spoil({ kind: 'missing-file', path: /onnx_data$/ });
  expect(await (await listing()).text()).toContain('onnx/model.onnx_data');
  const response = await file('onnx/model.onnx_data');
  expect([response.status, response.headers.get('x-error-code')]).toEqual([404, 'EntryNotFound']);
  expect((await model()).status).toBe(200);
});

it('ignores-range: 200 and the whole file, also as the second of two faults', async () => {
  spoil({ kind: 'truncated', mode: 'cut', times: 1 }, { kind: 'ignores-range' });
  expect(await readWithPause(await model(), 500)).toEqual({ bytes: 500, broken: true });
  const response = await model({ headers: { Range: 'bytes=500-' } });
  expect([response.status, response.headers.get('content-range')]).toEqual([200, null]);
  expect((await bytesOf(response)).length).toBe(1000);
});

it('a HEAD shows a fault and does not use it up', async () => {
  spoil({ kind: 'html', times: 1 });
  expect((await model({ method: 'HEAD' })).headers.get('content-type')).toMatch(/^text\/html/);
  expect((await model()).headers.get('content-type')).toMatch(/^text\/html/);
  expect((await model()).headers.get('content-type')).toBe('application/octet-stream');
});

it('null makes it behave; an unknown repository and a stateful path are refused', async () => {
  spoil({ kind: 'status', status: 500 });
  hub.setFault('lab/one', null);
  expect((await listing()).status).toBe(200);
  expect(() => {
    hub.setFault('lab/none', null);
  }).toThrow('no repository lab/none');
  expect(() => {
    spoil({ kind: 'html', path: /x/g });
  }).toThrow('neither global nor sticky');
});
