/** Case `cold`: time and bytes from a browser that knows nothing to the first measured cell, and what the page weighs by part. */
import type {} from '../../support/headless';
import { needAdapter, withPage } from '../bench-page';
import { median, rowOf, SHORT_RUNS } from '../repeat';
import type { BenchCase, BenchContext, CaseResult, Served } from '../types';
import { pageWeight, PARTS, sumOf, type Weight } from '../weight';

const FIRST_CELL_TIMEOUT_MS = 180_000;
/** How often the page is asked whether there is a cell: the times are that exact. */
const POLL_MS = 10;
const QUERY = '?run=1';

export const coldCase: BenchCase = {
  id: 'cold',
  title: 'Cold start to the first measured cell, and page weight by part',
  async run(context) {
    await withPage(context, needAdapter);
    const first = await firstPaint(context);
    const starts: ColdStart[] = [];
    for (let run = 0; run < (context.quick ? 1 : SHORT_RUNS); run++) {
      const start = await coldStart(context);
      context.log(
        `cold start: first paint ${start.paintMs.toFixed(0)} ms, first cell ${start.cellMs.toFixed(0)} ms`,
      );
      starts.push(start);
    }
    const { parts, missing } = await pageWeight(first.folder, first.served, starts[0]?.served ?? []);
    const total = sumOf(parts.values());
    const paint = sumOf([...parts].filter(([part]) => part.startsWith('first paint')).map(([, one]) => one));
    return {
      rows: [
        rowOf(
          'from navigation to first contentful paint',
          'ms',
          starts.map(({ paintMs }) => paintMs),
        ),
        rowOf(
          'from navigation to the first measured cell',
          'ms',
          starts.map(({ cellMs }) => cellMs),
        ),
        ...PARTS.flatMap((part) => weightRows(part, parts.get(part))),
        ...weightRows('first paint, all', paint),
        ...weightRows('until the first cell, all', total),
      ],
      ratios: [
        {
          name: 'paintOverFirstCell',
          value: median(starts.map(({ paintMs, cellMs }) => paintMs / cellMs)),
          meaning: 'time to first contentful paint / time to the first measured cell, of a cold start',
        },
        {
          name: 'firstPaintOverAllBytes',
          value: paint.brotli / total.brotli,
          meaning: 'bytes (brotli) of the first paint / of all until the first measured cell',
        },
      ],
      goals: [],
      checks: [
        {
          name: 'all that was asked for is a file of the build',
          pass: total.raw > 0 && missing.length === 0,
          detail: missing.length === 0 ? `${total.raw} bytes` : missing.join(', '),
        },
      ],
      notMeasured: [],
      notes: [
        `The product’s build, the built-in model, the address with \`${QUERY}\`; a fresh browser for each run, so no cache of files, of compiled WASM or of shaders. Times are the page’s, from the start of the navigation; the start of the browser is not in them. The server is on this machine, so the network costs next to nothing.`,
        'Which files is the browser’s network log until the first cell, its workers included; bytes are those of the files, raw (as they are served here) and compressed (gzip level 9, brotli quality 9). First paint: what the page fetches without a run, until the network is idle.',
      ],
    };
  },
};

interface ColdStart {
  paintMs: number;
  cellMs: number;
  served: Served[];
}

async function coldStart({ openProduct }: BenchContext): Promise<ColdStart> {
  const { page, url, served, close } = await openProduct();
  try {
    await page.goto(`${url}${QUERY}`, { waitUntil: 'commit' });
    const handle = await page.waitForFunction(
      () => {
        const lab = (window as Partial<Window>).kvlab;
        const measured = lab?.record()?.cells.some(({ tensorBytes }) => tensorBytes !== null);
        return measured === true ? performance.now() : null;
      },
      null,
      { polling: POLL_MS, timeout: FIRST_CELL_TIMEOUT_MS },
    );
    const cellMs = (await handle.jsonValue()) ?? NaN;
    const paintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    );
    return { paintMs, cellMs, served: served() };
  } finally {
    await close();
  }
}

async function firstPaint({ openProduct }: BenchContext): Promise<{ folder: string; served: Served[] }> {
  const { page, url, folder, served, close } = await openProduct();
  try {
    await page.goto(url, { waitUntil: 'networkidle' });
    return { folder, served: served() };
  } finally {
    await close();
  }
}

function weightRows(part: string, weight: Weight | undefined): CaseResult['rows'] {
  if (weight === undefined) return [];
  return [
    rowOf(`${part}, raw`, 'bytes', [weight.raw]),
    rowOf(`${part}, gzip`, 'bytes', [weight.gzip]),
    rowOf(`${part}, brotli`, 'bytes', [weight.brotli]),
  ];
}
