/** All state that a measurement has on the page: the recipe (which is the URL), the run, its record, what it is compared with. */
import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { LabError, toFault, type Fault } from '../protocol/faults';
import { recipeOf, type Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import type { Comparison, ExpectedResults } from '../record/compare';
import { recipeLink } from '../record/recipe-link';
import { PROBING, type GpuProbe } from './environment';
import { framePublisher } from './frame-publisher';
import { readResults, readSentFile, restoreLazily, resultsLinkOf, type Sent } from './lazy';
import { unknownModel } from './models';
import { browserDeps, type StoreDeps } from './page';
import { hashOf, isAnchor, readRecipeUrl, withRecipe } from './recipe-url';
import { reloadOnce } from './reload';
import { IDLE, isActive, restoredState, type RunState } from './run-state';
import { ReloadGuard, SessionRecord } from './session';

export type { GpuProbe } from './environment';
export type { RunState } from './run-state';

/** One message that a person can dismiss. */
export interface Notice {
  id: number;
  kind: 'info' | 'error';
  fault: Fault;
}

/** Whether models may be downloaded: the person is asked, or a script has said so beforehand. */
export type Consent = 'ask' | 'yes' | 'no';

export interface Store {
  readonly recipe: Signal<Recipe>;
  readonly run: Signal<RunState>;
  /** The newest record: of the run, of a file, or of the page before a reload. Written at most once per frame. */
  readonly record: Signal<LabRecord | null>;
  /** What the record is compared with: the results of a link, or an imported record. */
  readonly expected: Signal<ExpectedResults | null>;
  /** Null without expected results, and while the record shown is itself what was imported. */
  readonly comparison: ReadonlySignal<Comparison | null>;
  /** True while the record shown came from a file. */
  readonly imported: ReadonlySignal<boolean>;
  readonly probe: Signal<GpuProbe>;
  readonly notices: Signal<Notice[]>;
  /** Settles when the link was read, the GPU probed, and a run that the link asks for has started. */
  readonly ready: Promise<void>;
  /** Changes the recipe and the URL. Another experiment brings its own lengths, steps and so on. */
  setRecipe(patch: Partial<Recipe>): void;
  /**
   * Runs the recipe; while a run is active, gives that run's promise and does nothing more. Never rejects: a run that
   * could not start resolves to a record with the status `failed` and its fault.
   */
  start(download?: Consent): Promise<LabRecord>;
  /** The person's answer while the run is `asking`. */
  answerDownload(yes: boolean): void;
  /** Ends the active run within about a second; what was measured stays. */
  cancel(): void;
  /** Shows a record from a file and compares the next run with it. A bad file becomes a notice and changes nothing. */
  importFile(file: Pick<File, 'size' | 'text'>): Promise<void>;
  /** Forgets the results to compare with, and takes them out of the URL. */
  clearExpected(): void;
  dismiss(notice: Notice): void;
  /** The recipe's link, without results. */
  recipeUrl(): string;
  /**
   * The link with the record's results; `complete` is false when some had to be left out. Without a record, the recipe's.
   * @throws LabError page-outdated.
   */
  resultsUrl(): Promise<{ url: string; complete: boolean }>;
}

/** Makes the store and starts its work: reads the URL, brings back the record of before a reload, probes the GPU. */
export function createStore(deps: StoreDeps = browserDeps()): Store {
  const { page } = deps;
  const session = new SessionRecord(deps.storage, deps.now);
  const guard = new ReloadGuard(deps.storage);
  const first = readRecipeUrl(page.url());
  const recipe = signal(first.recipe);
  const run = signal(IDLE);
  const record = signal<LabRecord | null>(null);
  const expected = signal<ExpectedResults | null>(null);
  const importedRecord = signal<LabRecord | null>(null);
  const probe = signal(PROBING);
  const notices = signal<Notice[]>([]);
  const imported = computed(() => importedRecord.value !== null && importedRecord.value === record.value);
  const comparison = computed(() => {
    if (expected.value === null || compare === null || record.value === null || imported.value) return null;
    // The record that sent these results, brought back in its own tab, is no second measurement of them.
    const itself = record.value === restored && record.value.createdAt === expected.value.createdAt;
    return itself ? null : compare(expected.value, record.value);
  });
  /** What was brought back from before a reload. */
  let restored: LabRecord | null = null;
  /** Comes with the first expected results. */
  let compare: Sent['compare'] | null = null;
  let active: { promise: Promise<LabRecord>; abort: AbortController } | null = null;
  let lastNotice = 0;
  let badUrl = false;
  const read = { search: '', hash: '' };

  const notify = (kind: Notice['kind'], fault: Fault): void => {
    lastNotice += 1;
    notices.value = [...notices.value, { id: lastNotice, kind, fault }];
  };

  const forgetProblems = (): void => {
    if (badUrl && !isActive(run.value)) run.value = IDLE;
    badUrl = false;
  };

  /** Shows what is wrong with the URL's recipe; the first fault is the run's own, since it is why nothing runs. */
  const showProblems = ({ faults, notices: ignored }: ReturnType<typeof readRecipeUrl>): void => {
    const [why, ...more] = faults;
    if (why === undefined) forgetProblems();
    else if (!isActive(run.value)) {
      run.value = { ...IDLE, status: 'failed', fault: why };
      badUrl = true;
    }
    for (const fault of more) notify('error', fault);
    for (const fault of ignored) notify('info', fault);
  };

  const expect = (sent: Sent | null): void => {
    compare = sent?.compare ?? compare;
    expected.value = sent?.expected ?? null;
  };

  const readHash = async (): Promise<void> => {
    const hash = hashOf(page.url());
    // A skip link must not lose the results that the link brought.
    if (hash === read.hash || isAnchor(hash)) return;
    read.hash = hash;
    let sent: Sent | null = null;
    try {
      sent = await readResults(hash);
    } catch (error) {
      notify('error', toFault(error, 'link-damaged'));
    }
    if (read.hash === hash) expect(sent);
  };

  /** What the run last reported, until the next frame shows it. */
  let latest: { record: LabRecord | null; state: RunState } | null = null;
  const publish = (): void => {
    if (latest === null) return;
    const { record: newest, state } = latest;
    latest = null;
    batch(() => {
      if (newest !== null) record.value = newest;
      run.value = state;
    });
    if (newest !== null) session.save(newest);
  };
  const publisher = framePublisher(page, publish);

  /** Takes the person's answer; null while nothing is asked. */
  let answer: ((yes: boolean) => void) | null = null;
  const ask = (aborted: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      if (aborted.aborted) {
        resolve(false);
        return;
      }
      answer = (yes) => {
        answer = null;
        resolve(yes);
      };
      aborted.addEventListener('abort', () => answer?.(false), { once: true });
    });

  const execute = async (cancelled: AbortSignal, download: Consent): Promise<LabRecord> => {
    const now = recipe.value;
    const url = recipeLink(page.url(), now);
    page.replaceUrl(withRecipe(page.url(), now));
    read.search = new URL(page.url()).search;
    badUrl = false;
    run.value = { ...IDLE, status: 'running' };
    await probed;
    const result = await deps.run(deps, {
      recipe: now,
      url,
      probe: probe.value,
      signal: cancelled,
      agree: ({ bytes }, aborted) => {
        if (download === 'no') throw new LabError('download-needed', { bytes: bytes ?? '?' });
        return download === 'yes' ? Promise.resolve(true) : ask(aborted);
      },
      onNotice: (fault) => {
        notify('info', fault);
      },
      onChange: (newest, state) => {
        latest = { record: newest, state };
        publisher.schedule();
      },
      onAlive: () => {
        guard.reset();
      },
    });
    await reloadOnce(page, guard, result);
    latest = { record: result.begun ? result.record : null, state: result.state };
    publisher.schedule();
    publisher.flush();
    session.flush();
    // The page then shows the commits that were measured, unless the person has chosen other models meanwhile.
    const { model } = result.record.recipe;
    if (recipe.value.model === now.model && model.join() !== now.model.join()) setRecipe({ model });
    return result.record;
  };

  const start = (download: Consent = 'ask'): Promise<LabRecord> => {
    if (active !== null) return active.promise;
    const abort = new AbortController();
    const promise = execute(abort.signal, download).finally(() => {
      active = null;
    });
    active = { promise, abort };
    return promise;
  };

  const setRecipe = (patch: Partial<Recipe>): void => {
    // Another language makes a bad link no better.
    if (Object.keys(patch).some((key) => key !== 'lang')) forgetProblems();
    const old = recipe.value;
    recipe.value = { ...recipeOf(patch.experiment ?? old.experiment, old), ...patch };
    page.replaceUrl(withRecipe(page.url(), recipe.value));
    read.search = new URL(page.url()).search;
  };

  const probed = deps.probe().then((found) => {
    probe.value = found;
  });

  const restore = async (): Promise<void> => {
    const text = session.read();
    if (text === null || first.faults.length > 0) return;
    const old = await restoreLazily(text, first.recipe, page.isReload());
    if (old === null || active !== null || record.value !== null) return;
    restored = old;
    batch(() => {
      record.value = old;
      run.value = restoredState(old);
    });
  };

  const begin = async (): Promise<void> => {
    read.search = new URL(page.url()).search;
    showProblems(first);
    await Promise.all([readHash(), restore(), probed]);
    const asked = first.run || guard.isRerun();
    if (asked && first.faults.length === 0) void start();
  };

  page.onUrlChange(() => {
    void readHash();
    const { search } = new URL(page.url());
    if (search === read.search) return;
    read.search = search;
    const changed = readRecipeUrl(page.url());
    recipe.value = changed.recipe;
    showProblems(changed);
  });
  page.onPageHide(() => {
    publisher.flush();
    session.flush();
  });

  return {
    recipe,
    run,
    record,
    expected,
    comparison,
    imported,
    probe,
    notices,
    ready: begin(),
    setRecipe,
    start,
    cancel() {
      active?.abort.abort();
    },
    answerDownload(yes) {
      answer?.(yes);
    },
    async importFile(file) {
      try {
        const sent = await readSentFile(file);
        const parsed = sent.record;
        batch(() => {
          expect(sent);
          // A run that is going on keeps its place; it is compared with the file.
          if (active !== null) return;
          record.value = parsed;
          importedRecord.value = parsed;
          run.value = IDLE;
          const unknown = unknownModel(parsed.recipe);
          if (unknown === null) setRecipe({ ...parsed.recipe, lang: recipe.value.lang });
          else notify('info', unknown);
        });
      } catch (error) {
        notify('error', toFault(error, 'record-not-json'));
      }
    },
    clearExpected() {
      expected.value = null;
      read.hash = '';
      page.replaceUrl(page.url().replace(/#.*$/s, ''));
    },
    dismiss({ id }) {
      notices.value = notices.value.filter((notice) => notice.id !== id);
    },
    recipeUrl: () => recipeLink(page.url(), recipe.value),
    resultsUrl: async () =>
      record.value === null
        ? { url: recipeLink(page.url(), recipe.value), complete: false }
        : await resultsLinkOf(page.url(), record.value),
  };
}
