/** What the lab uses of the browser's page, so that tests can put another in its place. */
import type { Visibility } from './background';
import { probeGpu, type GpuProbe } from './environment';
import type { Frames } from './frame-publisher';
import type { WorkerLike } from './lab-client';
import { openModelsLazily, runLazily } from './lazy';
import type { OpenModels } from './opening';
import { processMeter } from './process-bytes';
import type { Locks } from './run-lock';
import type { RunOnce } from './run';
import type { SessionStore } from './session';
import { spawnLabWorker } from './spawn';

export interface Page extends Frames, Visibility {
  /** The page's whole address. */
  url(): string;
  /** Replaces the address without a navigation and without a new history entry. */
  replaceUrl(url: string): void;
  /** Back, forward, or another hash. */
  onUrlChange(listener: () => void): void;
  onPageHide(listener: () => void): void;
  /** True when this page was reloaded or came back from the history, so that what the tab had belongs to it. */
  isReload(): boolean;
  /** Whether the server still answers: a reload without it would leave the person with nothing. */
  isReachable(): Promise<boolean>;
  reload(): void;
}

/** All that the store needs from outside. */
export interface StoreDeps {
  page: Page;
  spawn: () => WorkerLike;
  locks: Locks | null;
  storage: SessionStore | null;
  probe: () => Promise<GpuProbe>;
  openModels: OpenModels;
  /** Does one run. */
  run: RunOnce;
  /** The browser's figure for the memory of the whole page, bytes; null where it offers none. */
  measureProcess: (() => Promise<number>) | null;
  /** A steady clock, ms. */
  now: () => number;
  /** The time of day, ISO 8601. */
  today: () => string;
}

/** The real page. Nothing in here can throw for want of a browser feature. */
export function browserDeps(): StoreDeps {
  return {
    page: {
      url: () => location.href,
      replaceUrl: (url) => {
        if (url === location.href) return;
        try {
          history.replaceState(history.state, '', url);
        } catch {
          // Safari refuses more than 100 changes in 10 seconds; the next one brings the whole state again.
        }
      },
      onUrlChange: (listener) => {
        addEventListener('popstate', listener);
      },
      isHidden: () => document.visibilityState === 'hidden',
      onVisibilityChange: (listener) => {
        document.addEventListener('visibilitychange', listener);
        return () => {
          document.removeEventListener('visibilitychange', listener);
        };
      },
      onPageHide: (listener) => {
        addEventListener('pagehide', listener);
      },
      isReload: () => {
        const [entry] = performance.getEntriesByType('navigation');
        return entry instanceof PerformanceNavigationTiming && entry.type !== 'navigate';
      },
      isReachable: async () => {
        try {
          return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok;
        } catch {
          return false;
        }
      },
      reload: () => {
        location.reload();
      },
      requestFrame: (callback) => requestAnimationFrame(callback),
      cancelFrame: (handle) => {
        cancelAnimationFrame(handle);
      },
    },
    spawn: spawnLabWorker,
    locks: 'locks' in navigator ? navigator.locks : null,
    storage: storageOrNull(),
    probe: () => probeGpu(),
    openModels: openModelsLazily,
    run: runLazily,
    measureProcess: processMeter(),
    now: () => performance.now(),
    today: () => new Date().toISOString(),
  };
}

/** Reading the property alone throws where the person has blocked storage. */
function storageOrNull(): SessionStore | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
