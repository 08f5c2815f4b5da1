/** What the page, its process and the GPU's process hold, after a garbage collection. */
import { readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright';

/** The series that are watched; null where a figure is not to be had here. */
export interface Sample {
  /** Live JavaScript objects of the page, after a collection. */
  heapBytes: number;
  /** `performance.measureUserAgentSpecificMemory` of the page. */
  pageBytes: number | null;
  /** Resident memory of the page's process, in which its workers ran; Linux only. */
  rendererBytes: number | null;
  /** Resident memory of the GPU's process; on a software adapter the buffers of the devices are in it. Linux only. */
  gpuBytes: number | null;
  /** DOM nodes. */
  nodes: number;
  listeners: number;
  /** Live instances of Chart.js; null before there was one. */
  charts: number | null;
  /** Canvases in the document. */
  canvases: number;
}

interface MeasuringPerformance {
  measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }>;
}

/** The debugger's names for what it holds: let go of at once, and kept. */
const GROUP = 'soak';
const KEPT_GROUP = 'soak-kept';
/** ms that the page gets to draw and to let go of charts. */
const SETTLE_MS = 3000;
/** How often processes are looked at, and ms between. */
const LOOKS = 5;
const LOOK_MS = 200;

export class MemoryMeter {
  /** Chart.js' prototype in the page, once there was a chart to take it from. */
  private chartPrototype: string | null = null;

  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
    private readonly processes: CDPSession | null,
  ) {}

  static async open(page: Page, browser: Browser): Promise<MemoryMeter> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const processes = await browser.newBrowserCDPSession().catch(() => null);
    return new MemoryMeter(page, session, processes);
  }

  async sample(): Promise<Sample> {
    const { canvases, charts } = await this.settledCharts();
    const pageBytes = await this.page
      .evaluate(() =>
        (performance as Performance & MeasuringPerformance)
          .measureUserAgentSpecificMemory?.()
          .then(({ bytes }) => bytes),
      )
      .catch(() => undefined);
    await this.session.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.session.send('Performance.getMetrics');
    const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
    return {
      heapBytes: metric('JSHeapUsedSize'),
      pageBytes: pageBytes ?? null,
      ...(await this.settledBytes()),
      nodes: metric('Nodes'),
      listeners: metric('JSEventListeners'),
      charts,
      canvases,
    };
  }

  /** Charts are drawn and let go a frame or two after the record has come: waits until there are as many as canvases. */
  private async settledCharts(): Promise<Pick<Sample, 'charts' | 'canvases'>> {
    const until = Date.now() + SETTLE_MS;
    for (;;) {
      const canvases = await this.page.locator('canvas').count();
      const charts = await this.liveCharts();
      if (charts === canvases || Date.now() > until) return { charts, canvases };
      await this.page.waitForTimeout(100);
    }
  }

  /** Counts objects that are alive by what they inherit from; CDP collects garbage before it looks. */
  private async liveCharts(): Promise<number | null> {
    this.chartPrototype ??= await this.findChartPrototype();
    if (this.chartPrototype === null) return null;
    return await this.ofInstances(this.chartPrototype, 'function () { return this.length; }', true);
  }

  /** Chart.js is in a chunk of the build, with names of the bundler's; its instances have a field that nothing else has. */
  private async findChartPrototype(): Promise<string | null> {
    const { result } = await this.session.send('Runtime.evaluate', { expression: 'Object.prototype' });
    const find = `function () {
      const chart = this.find((one) => Object.hasOwn(one, '_metasets') && Object.hasOwn(one, 'canvas'));
      return chart === undefined ? null : Object.getPrototypeOf(chart);
    }`;
    return await this.ofInstances<string | null>(result.objectId ?? '', find, false);
  }

  /** Calls a function on the array of all instances, and lets go of them. @returns its value, or the id of the object. */
  private async ofInstances<T>(prototypeObjectId: string, code: string, byValue: boolean): Promise<T> {
    const { objects } = await this.session.send('Runtime.queryObjects', {
      prototypeObjectId,
      objectGroup: GROUP,
    });
    const { result } = await this.session.send('Runtime.callFunctionOn', {
      objectId: objects.objectId ?? '',
      functionDeclaration: code,
      objectGroup: KEPT_GROUP,
      returnByValue: byValue,
    });
    // Held by the debugger, the array would keep all that it has alive.
    await this.session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP });
    return (byValue ? result.value : (result.objectId ?? null)) as T;
  }

  /** The least of a few looks: what a terminated worker had goes back to the system a moment later. */
  private async settledBytes(): Promise<Pick<Sample, 'rendererBytes' | 'gpuBytes'>> {
    const least = await this.residentBytes();
    for (let look = 1; look < LOOKS; look += 1) {
      await this.page.waitForTimeout(LOOK_MS);
      const { rendererBytes, gpuBytes } = await this.residentBytes();
      if ((rendererBytes ?? Infinity) < (least.rendererBytes ?? 0)) least.rendererBytes = rendererBytes;
      if ((gpuBytes ?? Infinity) < (least.gpuBytes ?? 0)) least.gpuBytes = gpuBytes;
    }
    return least;
  }

  private async residentBytes(): Promise<Pick<Sample, 'rendererBytes' | 'gpuBytes'>> {
    const none = { rendererBytes: null, gpuBytes: null };
    if (this.processes === null) return none;
    const { processInfo } = await this.processes
      .send('SystemInfo.getProcessInfo')
      .catch(() => ({ processInfo: [] }));
    // Spare and other pages' processes are smaller than the one that has run models.
    const largest = (type: string): number | null => {
      const sizes = processInfo.filter((one) => one.type === type).map(({ id }) => residentOf(id));
      return sizes.reduce<number | null>(
        (most, size) => (size !== null && size > (most ?? 0) ? size : most),
        null,
      );
    };
    return { rendererBytes: largest('renderer'), gpuBytes: largest('GPU') };
  }
}

/** Memory of a process that is no file's, in bytes, from /proc; null where there is none. */
function residentOf(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
    return (kib('RssAnon') + kib('RssShmem')) * 1024;
  } catch {
    return null;
  }
}
