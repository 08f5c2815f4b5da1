/** What is done with any table of options: read a query into values, write values into a query, find what the table refuses. */
import type { Fault } from './faults';
import { cut, type Option } from './option-kinds';

export type Table<T> = { readonly [K in keyof T]-?: Option<T[K]> };

/** The value of one option from its texts (query parameters or a form field), or the fault `recipe-bad-value`. */
export type OptionValue<T> = { value: T; fault: null } | { value: null; fault: Fault };

export function readOption<T, K extends keyof T & string>(
  table: Table<T>,
  key: K,
  texts: readonly string[],
): OptionValue<T[K]> {
  const parsed = table[key].parse(texts);
  if (parsed.ok) return { value: parsed.value, fault: null };
  const params = { option: key, value: cut(parsed.bad), ...parsed.expectation };
  return { value: null, fault: { code: 'recipe-bad-value', params } };
}

/** Puts the options that the query has into `values`, and gives the faults of those that cannot be used. */
export function readAll<T, K extends keyof T & string>(
  table: Table<Pick<T, K>>,
  keys: readonly K[],
  query: URLSearchParams,
  values: Pick<T, K>,
): Fault[] {
  return keys.flatMap((key) => {
    const texts = query.getAll(key);
    if (texts.length === 0) return [];
    const { value, fault } = readOption(table, key, texts);
    if (fault) return [fault];
    values[key] = value;
    return [];
  });
}

/** Appends what differs from `base`, in the order of `keys`. */
export function writeAll<T, K extends keyof T & string>(
  table: Table<Pick<T, K>>,
  keys: readonly K[],
  values: Pick<T, K>,
  base: Pick<T, K>,
  query: URLSearchParams,
): void {
  for (const key of keys) {
    const texts = table[key].serialise(values[key]);
    if (texts.join('\n') === table[key].serialise(base[key]).join('\n')) continue;
    for (const text of texts) query.append(key, text);
  }
}

/** The fault of the first value that the table would refuse, or null. */
export function firstFault<T, K extends keyof T & string>(
  table: Table<Pick<T, K>>,
  keys: readonly K[],
  values: Pick<T, K>,
): Fault | null {
  for (const key of keys) {
    const texts = table[key].serialise(values[key]);
    if (texts.length === 0 && values[key] === null) continue;
    const { fault } = readOption(table, key, texts);
    if (fault) return fault;
  }
  return null;
}
