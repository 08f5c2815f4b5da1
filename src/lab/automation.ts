/** The automation contract: `data-lab` on the document's element, and `window.kvlab`. */
import { effect } from '@preact/signals';
import { LabError } from '../protocol/faults';
import { OWN_STATES } from '../protocol/option-states';
import { cut, knownOptions, parseRecipe } from '../protocol/options';
import type { Recipe } from '../protocol/recipe';
import type { LabRecord } from '../protocol/record';
import { isActive, type RunState } from './run-state';
import { unknownModel } from './models';
import type { Store } from './store';

/** Values of `data-lab`. */
export type LabStatus = 'idle' | 'running' | 'done' | 'failed';

export interface RunOptions {
  /** Whether models may be downloaded without asking. */
  download?: boolean;
}

/** What `window.kvlab` offers. */
export interface Automation {
  /**
   * Runs a recipe, given as an object or as a link's query, after any run that is going on. Resolves when all is
   * finished, also when the run failed or was cancelled (the record's status says so). What must be downloaded is only
   * downloaded with `download: true`; without it such a run fails and says how many bytes it needs.
   * @throws LabError recipe-bad-value or recipe-unknown-model, before anything runs.
   */
  run(recipe?: Partial<Recipe> | string, options?: RunOptions): Promise<LabRecord>;
  /** The newest record, also of a run that is going on. */
  record(): LabRecord | null;
  cancel(): void;
}

/** `failed` means that nothing could run; a run with a failed check, or one that was cut short, is `done`. */
const STATUS: Record<RunState['status'], LabStatus> = {
  idle: 'idle',
  waiting: 'running',
  // The page waits for a person; nothing runs.
  asking: 'idle',
  downloading: 'running',
  running: 'running',
  done: 'done',
  failed: 'failed',
  cancelled: 'done',
  interrupted: 'idle',
};

/** Keeps `data-lab` of `element` up to date and puts `kvlab` on `scope`. */
export function installAutomation(
  store: Store,
  element: { dataset: DOMStringMap } = document.documentElement,
  scope: object = window,
): void {
  effect(() => {
    const { status, fault } = store.run.value;
    // A run that ended before it began, at its download, leaves no record to call done.
    const unbegun = status === 'cancelled' && store.record.value?.status !== 'cancelled';
    element.dataset['lab'] = unbegun || fault?.code === 'download-declined' ? 'idle' : STATUS[status];
  });
  let queue: Promise<unknown> = store.ready;
  const kvlab: Automation = {
    async run(input = {}, { download = false } = {}) {
      const recipe = readRecipe(input);
      const result = queue.then(() => runRecipe(store, recipe, download));
      queue = result.catch(() => undefined);
      return await result;
    },
    record: () => store.record.value,
    cancel: () => {
      store.cancel();
    },
  };
  Object.assign(scope, { kvlab });
}

async function runRecipe(store: Store, recipe: Recipe, download: boolean): Promise<LabRecord> {
  // While a run is active, start() gives that run's promise.
  while (isActive(store.run.value)) await store.start();
  store.setRecipe({ ...recipe, lang: recipe.lang ?? store.recipe.value.lang });
  return await store.start(download ? 'yes' : 'no');
}

/** Unknown options of a query are ignored, as in a link; in an object they are a slip of the caller's. */
function readRecipe(input: unknown): Recipe {
  if (typeof input !== 'string' && (typeof input !== 'object' || input === null || Array.isArray(input))) {
    throw new LabError('recipe-bad-value', {
      option: 'recipe',
      value: cut(String(input)),
      expected: 'use a query string or an object with options',
    });
  }
  const query = typeof input === 'string' ? new URLSearchParams(input) : objectQuery(input);
  const { recipe, faults, notices } = parseRecipe(query);
  const fault = faults[0] ?? unknownModel(recipe);
  if (fault) throw new LabError(fault.code, fault.params);
  if (typeof input !== 'string' && notices[0]) {
    const values = knownOptions(recipe.experiment).join(', ');
    throw new LabError('recipe-bad-value', {
      option: 'recipe',
      value: cut(String(notices[0].params['option'])),
      expected: `use the options ${values}`,
      kind: 'choice',
      values,
    });
  }
  return recipe;
}

/** The query of an object that a script gave: anything may be in it. */
function objectQuery(recipe: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(flat(recipe)) as [string, unknown][]) {
    if (value === null || value === undefined) continue;
    const texts = Array.isArray(value) ? value.map(String) : [asText(value)];
    // Only models and their weights are repeated in a link; other lists are one text.
    const repeats = key === 'model' || key === 'weights';
    for (const text of repeats ? texts : [texts.join(',')]) query.append(key, text);
  }
  return query;
}

/** In a record a planner's or a redundancy's recipe has its state one level down; settings that it does not use are left out. */
function flat(recipe: object): object {
  const fields = new Map<string, unknown>(Object.entries(recipe));
  for (const { name, common } of OWN_STATES) {
    const state = fields.get(name);
    if (typeof state !== 'object' || state === null) continue;
    const used = common.map((key) => [key, fields.get(key)] as const);
    return { ...Object.fromEntries(used), experiment: name, ...state };
  }
  return recipe;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
