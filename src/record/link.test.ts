/** Links: what goes in comes out, within 2,000 characters; whatever else stands in a hash is refused and harms nothing. */
import { describe, expect, it } from 'vitest';
import { deflateRawSync } from 'node:zlib';
import { LabError } from '../protocol/faults';
import { parseRecipe } from '../protocol/options';
import { defaultRecipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import {
  GPT2,
  growthRecord,
  lengthRecord,
  QWEN,
  sampleCell,
  sampleGrowth,
  skippedCell,
} from '../protocol/sample-record.fixture';
import { expectedFromRecord } from './expected';
import { decodeResults, encodeResults, recipeLink, resultsLink } from './link';
import { packResults } from './pack';

const BASE = 'https://someone.github.io/kv-cache-lab/';

async function faultOf(hash: string): Promise<LabError['fault']> {
  try {
    await decodeResults(hash);
  } catch (error) {
    if (error instanceof LabError) return error.fault;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** A hash of ours around any bytes. */
const hashOf = (bytes: Uint8Array | string, version = 1): string =>
  `#r=${version}.${deflateRawSync(bytes).toString('base64url')}`;

/** 15 cells: five lengths of three models. */
function fifteenCells(): LabRecord {
  const models: [string, number, number[]][] = [
    [QWEN, 24576, [128, 512, 1024, 2048, 4096]],
    ['twin:HuggingFaceTB/SmolLM2-135M-Instruct', 46080, [128, 512, 1024, 2048, 4096]],
    [GPT2, 73728, [128, 512, 1024]],
  ];
  const cells = models.flatMap(([model, bytes, stops]) =>
    stops.map((tokens) =>
      sampleCell({ model, tokens, tensorBytes: tokens * bytes, residentBytes: tokens * bytes + 12345 }),
    ),
  );
  const skipped = [2048, 4096].map((tokens) => ({ ...skippedCell(), tokens }));
  return {
    ...lengthRecord(),
    recipe: {
      ...defaultRecipe(),
      model: models.map(([model]) => model),
      tokens: [128, 512, 1024, 2048, 4096],
      repeats: 2,
      allocator: 'simple',
    },
    cells: [...cells, ...skipped],
  };
}

describe('results in a link', () => {
  it.each<[string, LabRecord]>([
    ['length', lengthRecord()],
    ['growth', growthRecord()],
    ['15 cells', fifteenCells()],
    ['no environment', { ...lengthRecord(), environment: null }],
    ['nothing', { ...lengthRecord(), cells: [] }],
    ['an uneven growth', unevenGrowth()],
  ])('come back as they went in: %s', async (_, record) => {
    const hash = await encodeResults(record);
    expect(hash).toMatch(/^#r=1\.[\w-]+$/);
    const expected = { ...expectedFromRecord(record), source: 'link', environment: undefined };
    expect(await decodeResults(hash)).toEqual(expected);
    expect(await decodeResults(hash.slice(1))).toEqual(expected);
    expect(await decodeResults(encodeURIComponent(hash))).toEqual(expected);
  });

  it('carry the bytes as literals', async () => {
    const results = await decodeResults(await encodeResults(lengthRecord()));
    expect(
      results.cells.map((cell) => [cell.tokens, cell.tensorBytes, cell.residentBytes, cell.skipped]),
    ).toEqual([
      [128, 3145728, 3145728, null],
      [129, 3170304, 6291456, null],
      [512, 12582912, 12582912, null],
      [2048, null, null, 'over-max-position'],
    ]);
    expect(results).toMatchObject({
      source: 'link',
      createdAt: '2026-05-09T12:00:00.000Z',
      adapter: 'google swiftshader',
      software: true,
      backend: 'webgpu',
    });
  });

  it('stay under 2,000 characters for 15 cells and for 64 growth steps of three models', async () => {
    const cells = await resultsLink(BASE, fifteenCells());
    expect(cells.complete).toBe(true);
    expect(cells.url.length).toBeLessThanOrEqual(1000);
    const record = growthRecord(128, 64);
    const growth = [QWEN, GPT2, 'tiny'].map((model) => ({ ...sampleGrowth(128, 64), model }));
    const steps = await resultsLink(BASE, { ...record, growth });
    expect(steps.complete).toBe(true);
    expect(steps.url.length).toBeLessThanOrEqual(1000);
  });

  it('drop the steps first: the last one of each growth stays', async () => {
    const record = growthRecord(128, 2000);
    // Deltas without any pattern, so that neither run lengths nor deflate help.
    let state = 1;
    const steps = record.growth[0]?.steps.map((step) => {
      state = (state * 48271) % 2147483647;
      return { ...step, residentBytes: state };
    });
    const growth = record.growth.map((each) => ({ ...each, steps: steps ?? [] }));
    const { url, complete } = await resultsLink(BASE, { ...record, growth });
    expect(complete).toBe(false);
    const [found] = (await decodeResults(new URL(url).hash)).growth;
    expect(found).toMatchObject({ stepsPlanned: 2000, stepsMeasured: 2000 });
    expect(found?.steps).toEqual([{ tokens: 2128, tensorBytes: 52297728, residentBytes: state }]);
  });

  it('are left out when nothing else helps (field report E4)', async () => {
    const cells = Array.from({ length: 5000 }, (_, index) =>
      sampleCell({ tokens: index + 1, residentBytes: (index * 2654435761) % 4294967296 }),
    );
    const record = { ...lengthRecord(), cells };
    expect(await resultsLink(BASE, record)).toEqual({
      url: recipeLink(BASE, record.recipe),
      complete: false,
    });
  });
});

/** Steps with a missing resident measurement and a token count that jumps. */
function unevenGrowth(): LabRecord {
  const growth = sampleGrowth(7, 5);
  const steps = growth.steps.map((step, index) => ({
    ...step,
    tokens: step.tokens + (index > 2 ? 10 : 0),
    residentBytes: index === 1 || index === 2 ? null : step.residentBytes,
  }));
  return {
    ...growthRecord(),
    growth: [
      {
        ...growth,
        steps,
        stepsPlanned: 9,
        interrupted: 'Cancelled.',
        fault: { code: 'cancelled', params: {} },
      },
    ],
  };
}

describe('a hash that is not ours', () => {
  const whole = deflateRawSync(packResults(expectedFromRecord(lengthRecord())));
  const good = JSON.parse(packResults(expectedFromRecord(growthRecord()))) as {
    g: [unknown, number[], null, (number | null)[][]][];
  };
  /** Our payload with other run lengths for the tensor bytes. */
  const withRuns = (tokens: number[], tensor: (number | null)[]): string => {
    const [growth] = good.g;
    return hashOf(
      JSON.stringify({ ...good, g: [[growth?.[0], growth?.[1], null, [tokens, tensor, tokens]]] }),
    );
  };
  const subject = ['tiny', 'fp32', 1, 'dynamic', 'bucket', 'webgpu', 0];
  const cells = (of: unknown[], rows: unknown[]): string =>
    hashOf(JSON.stringify({ c: [[of, rows]], g: [] }));

  it('would be read with these helpers if it were good', async () => {
    expect((await decodeResults(cells(subject, [[1, 2, 3]]))).cells).toHaveLength(1);
    expect((await decodeResults(withRuns([1, 2], [5, 2]))).growth[0]?.steps).toHaveLength(2);
  });

  it.each([
    ['nothing', ''],
    ['a lone #', '#'],
    ['a lone percent sign', '#%'],
    ['another parameter, badly encoded', '#s=%E0%A4%A'],
    ['no version', '#r=AAAA'],
    ['no payload', '#r=1.'],
    ['version 0', '#r=0.AAAA'],
    ['a version of many digits', `#r=${'9'.repeat(400)}.AAAA`],
    ['a payload that is no base64url', '#r=1.<script>alert(1)</script>'],
    ['one letter of base64', '#r=1.A'],
    ['base64 of no deflate', '#r=1.AAAA'],
    ['an empty JSON text', hashOf('')],
    ['no JSON', hashOf('hello')],
    ['no UTF-8', hashOf(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))],
    ['foreign JSON', hashOf('{"a":1}')],
    ['null', hashOf('null')],
    ['a model that is a path', cells(['../../etc', ...subject.slice(1)], [[1, 2, 3]])],
    ['a model that is HTML', cells(['<img src=x onerror=alert(1)>', ...subject.slice(1)], [[1, 2, 3]])],
    ['negative bytes', cells(subject, [[1, -2, 3]])],
    ['bytes that are no integer', cells(subject, [[1, 2.5, 3]])],
    ['bytes over 2^53', cells(subject, [[1, 2 ** 60, 3]])],
    ['a reason that is a sentence', cells(subject, [[1, 'Click here!']])],
    ['a run longer than its steps', withRuns([1, 2], [5, 3])],
    ['a run of a billion steps', withRuns([1, 1e9], [5, 1e9])],
    ['a run of no steps', withRuns([1, 2], [5, 0, 5, 2])],
    ['half a run', withRuns([1, 2], [5, 2, 5])],
    ['bytes that fall below 0', withRuns([1, 2], [-9e15, 2])],
    ['a step without tensor bytes', withRuns([1, 2], [null, 2])],
    ['a zip bomb', hashOf(new Uint8Array(4_000_000))],
    ['a bomb of valid JSON', hashOf(`{"c":[],"g":[],"x":"${' '.repeat(300_000)}"}`)],
  ])('is damaged: %s', async (_, hash) => {
    expect(await faultOf(hash)).toEqual({ code: 'link-damaged', params: {} });
  });

  it('is damaged wherever it is truncated', async () => {
    const hash = `#r=1.${whole.toString('base64url')}`;
    await expect(decodeResults(hash)).resolves.toMatchObject({ source: 'link' });
    for (let length = 0; length < hash.length - 1; length += 7) {
      expect((await faultOf(hash.slice(0, length))).code).toBe('link-damaged');
    }
  });

  it('is damaged when it is binary garbage', async () => {
    let state = 7;
    for (let round = 0; round < 50; round += 1) {
      const bytes = Uint8Array.from({ length: 200 }, () => (state = (state * 48271) % 2147483647) & 255);
      expect((await faultOf(`#r=1.${Buffer.from(bytes).toString('base64url')}`)).code).toBe('link-damaged');
    }
  });

  it('is newer, with its version', async () => {
    expect(await faultOf('#r=2.whatever (it) may be')).toEqual({
      code: 'link-newer',
      params: { version: 2 },
    });
  });

  it('is too long before anything is unpacked', async () => {
    expect(await faultOf(`#r=1.${'A'.repeat(5_000_000)}`)).toEqual({
      code: 'link-too-long',
      params: { bytes: 5_000_005, limit: 8192 },
    });
    expect((await faultOf(`#r=1.${'A'.repeat(8188)}`)).code).toBe('link-too-long');
    expect((await faultOf(`#r=1.${'A'.repeat(8187)}`)).code).toBe('link-damaged');
  });
});

describe('recipeLink', () => {
  it('is the bare page for the default recipe, whatever the page’s own query was', () => {
    expect(recipeLink(`${BASE}?run=1#r=1.AAAA`, defaultRecipe())).toBe(BASE);
  });

  it('is readable', () => {
    expect(recipeLink(BASE, { ...defaultRecipe(), model: ['tiny', QWEN], tokens: [128, 129] })).toBe(
      'https://someone.github.io/kv-cache-lab/?model=tiny&model=twin:Qwen/Qwen2.5-0.5B-Instruct&tokens=128,129',
    );
  });

  it('survives Markdown: no character that ends or bends a link (field report E3)', () => {
    const recipe = { ...defaultRecipe('growth'), prompt: `f(x) [a](b) <c> *d* 'e' "f" \`g\` h|i \\ 한글\n(` };
    const link = recipeLink('https://lab.example/a(1)/', recipe);
    expect(link).toMatch(/^https:\/\/lab\.example\/a%281%29\/\?experiment=growth&prompt=[\w%.+-]+$/);
    expect(parseRecipe(new URL(link).searchParams).recipe).toEqual(recipe);
  });

  it('leaves an IPv6 host alone', () => {
    expect(recipeLink('http://[::1]:5173/', defaultRecipe('growth'))).toBe(
      'http://[::1]:5173/?experiment=growth',
    );
  });
});
