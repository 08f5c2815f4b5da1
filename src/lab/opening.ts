/** What is not in the first paint's catalog is opened before a run: found, asked for, downloaded, read. The types of that. */
import type { Fault } from '../protocol/faults';
import type { Dtype, Recipe } from '../protocol/recipe';
import type { OpenedSource } from '../protocol/source';

/** What would have to be downloaded, to be shown before it is. Bytes are null where the hub does not tell. */
export interface DownloadNeed {
  models: { id: string; dtype: Dtype; revision: string; files: NeededFile[] }[];
  /** Bytes of all files that are not stored yet. */
  bytes: number | null;
}

export interface NeededFile {
  path: string;
  bytes: number | null;
  /** Whether the browser has all of it. */
  stored: boolean;
}

/** How far a download is. `done` never exceeds `total`. */
export interface DownloadProgress {
  files: { path: string; done: number; total: number | null }[];
  done: number;
  total: number | null;
}

export interface OpenRequest {
  recipe: Recipe;
  /** Bytes that the cache of a twin may take on this device; larger ones are cut to fewer layers. */
  budget: number;
  /** Aborts when the person cancels; {@link OpenModels} then rejects within a second with the fault `cancelled`. */
  signal: AbortSignal;
  /** Asks the person whether to download; not called when everything is stored. False: nothing is downloaded. */
  agree: (need: DownloadNeed) => Promise<boolean>;
  onProgress: (progress: DownloadProgress) => void;
  /** Something that the person should know and that stops nothing. */
  onNotice: (fault: Fault) => void;
}

export interface Opened {
  sources: OpenedSource[];
  /** Variants that could not be opened, each with its reason. */
  refused: { id: string; dtype: Dtype; fault: Fault }[];
  /** The recipe's models, those of a hub with the commit that their branch was: what a record names. */
  model: string[];
}

/**
 * Opens every model of a recipe that is not built in the page, in every dtype of the recipe but bf16.
 * @throws LabError `cancelled`, or `download-declined` when the person said no.
 */
export type OpenModels = (request: OpenRequest) => Promise<Opened>;

/** Where no model comes from outside. */
export function nothingOpened({ model }: Pick<Recipe, 'model'>): Opened {
  return { sources: [], refused: [], model };
}
