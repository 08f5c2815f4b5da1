/** What the list of the history shows of a record, kept beside it so that no record has to be read for the list. */
import * as v from 'valibot';
import { contentBytes } from '../protocol/content';
import type { LabRecord } from '../protocol/record';
import { badgesOf } from '../record/badges';
import { adapterLine } from '../record/expected';

/** Characters of a name that a person gives. */
export const NAME_LIMIT = 100;

const MAX_TEXT = 300;
const MAX_LIST = 500;

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** An entry without its key and record. It comes out of the browser's storage, and so from outside. */
export const summarySchema = v.object({
  /** Null: not named, so a name is made from the summary. */
  name: v.nullable(v.pipe(v.string(), v.maxLength(NAME_LIMIT))),
  /** ISO 8601, the record's own. */
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  status: v.picklist(['running', 'done', 'cancelled', 'failed', 'interrupted']),
  experiment: text,
  /** Model ids of the recipe. */
  models: v.pipe(v.array(text), v.maxLength(MAX_LIST)),
  /** Cells and decode steps that were measured, and how many of them equal the formula to the byte. */
  measured: count,
  equal: count,
  backend: text,
  adapter: v.nullable(text),
  badges: v.object({ twin: v.boolean(), software: v.boolean(), wasm: v.boolean(), background: v.boolean() }),
  /** UTF-8 bytes of the record's JSON. */
  bytes: count,
});

export type Summary = v.InferOutput<typeof summarySchema>;

const cut = (value: string): string => value.slice(0, MAX_TEXT);

/** The summary of a record whose JSON is `bytes` long; not named yet. */
export function summaryOf(record: LabRecord, bytes: number): Summary {
  const cells = record.cells.filter((cell) => cell.tensorBytes !== null);
  const parts = [...cells, ...record.growth.flatMap((growth) => growth.steps)];
  return {
    name: null,
    createdAt: record.createdAt,
    status: record.status,
    experiment: record.recipe.experiment,
    models: record.recipe.model.map(cut).slice(0, MAX_LIST),
    measured: parts.length,
    equal: parts.filter((part) => contentBytes(part) === part.formulaBytes).length,
    backend: record.environment?.backend ?? record.recipe.device,
    adapter: adapterLine(record.environment?.adapter ?? null),
    badges: badgesOf(record),
    bytes,
  };
}
