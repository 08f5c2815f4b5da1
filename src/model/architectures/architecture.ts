/** What the catalogue states of a published model: the fields that decide its cache, and where they were read. */

/** A public file in which the fields stand. */
export interface ArchitectureSource {
  /** owner/name on GitHub; "this project" for configs whose public sources `src/geometry/golden` names. */
  repository: string;
  path: string;
  /** Full commit, or the release where only that is known; null for this project's own file. */
  commit: string | null;
  /** What is not plainly that file's text, and from where it is instead. */
  note?: string;
}

export interface Architecture {
  /** Id on the Hugging Face hub. */
  id: string;
  /** Short name for lists. */
  name: string;
  /** Models with one label have one kind of cache; the model_type of the text part. */
  family: string;
  /** Commit on the hub (or the start of it) at which config.json was read; null where that is not known here. */
  revision: string | null;
  /** The fields of config.json that decide the cache, and those that count parameters. */
  config: Readonly<Record<string, unknown>>;
  source: ArchitectureSource;
  /** Parameters as stated or counted by someone else; null where nobody was found. */
  parameters: { count: number; source: string } | null;
  /** Bytes of the published safetensors; null where their index was not found. */
  weightBytes: { bytes: number; source: string } | null;
}
