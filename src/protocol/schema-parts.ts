/** What the schemas of records are made of: texts, counts, lists and tables, each with its limit. */
import * as v from 'valibot';

const MAX_LIST = 10_000;
/** Names of a table, features of a device, models of a record. */
export const MAX_NAMES = 500;

export const text = v.pipe(v.string(), v.maxLength(4000));
export const name = v.pipe(v.string(), v.maxLength(300));
/** Bytes, tokens, layers: whole numbers from 0 up. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** From 0 up, with a fraction. */
export const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

export const list = <T extends v.GenericSchema>(item: T, most = MAX_LIST) =>
  v.pipe(v.array(item), v.maxLength(most));

export const table = <T extends v.GenericSchema>(value: T) =>
  v.pipe(
    v.record(name, value),
    v.check((entries) => Object.keys(entries).length <= MAX_NAMES, `at most ${MAX_NAMES} names`),
  );
