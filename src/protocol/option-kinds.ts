/** Kinds of options: how a value is read from a link or a form, and written. Whole numbers, choices, lists. */

/** What a form needs to draw a control, with the limits that the parser enforces. */
export type FormControl =
  | { control: 'select'; values: readonly string[] }
  | { control: 'number'; min: number; max: number }
  | { control: 'list'; min: number; max: number; maxItems: number }
  | { control: 'choices'; values: readonly string[] }
  | { control: 'text'; maxBytes: number }
  | { control: 'models'; maxItems: number };

/** What was expected: an English phrase, and the same as data (`kind` and numbers) for translation. */
export interface Expectation {
  expected: string;
  kind:
    | 'choice'
    | 'choices'
    | 'integer'
    | 'integers'
    | 'models'
    | 'text'
    | 'shard'
    | 'once'
    // Redundancy
    | 'documents'
    | 'one'
    // The planner's
    | 'gpu'
    | 'bytes'
    | 'share'
    | 'kv'
    | 'planned-models'
    | 'weights';
  values?: string;
  min?: number;
  max?: number;
  items?: number;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; bad: string; expectation: Expectation };

export interface Option<T> {
  form: FormControl;
  /** The texts of all parameters of this name, in order, at least one. */
  parse: (texts: readonly string[]) => Parsed<T>;
  /** The texts to write, one a parameter; none for a value that is the absence of the option. */
  serialise: (value: T) => string[];
}

const SHOWN_LENGTH = 80;

/** At most 80 characters of a text from outside, for showing it. */
export function cut(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH - 1)}…`;
}

/** A decimal integer within limits, or null. No sign, exponent, fraction or blank is read. */
export function integer(text: string, min: number, max: number): number | null {
  if (!/^\d{1,10}$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

/** Lets `read` see the only text; several parameters of the same name are refused, since none of them is the one meant. */
export function once<T>(read: (text: string) => T | null, expectation: Expectation): Option<T>['parse'] {
  return (texts) => {
    const [text = ''] = texts;
    if (texts.length > 1) {
      return { ok: false, bad: texts.join(', '), expectation: { expected: 'give it once', kind: 'once' } };
    }
    const value = read(text);
    return value === null ? { ok: false, bad: text, expectation } : { ok: true, value };
  };
}

export function choice<T extends string>(values: readonly T[]): Option<T> {
  const listed = values.join(', ');
  return {
    form: { control: 'select', values },
    parse: once((text) => values.find((value) => value === text) ?? null, {
      expected: `use one of ${listed}`,
      kind: 'choice',
      values: listed,
    }),
    serialise: (value) => [value],
  };
}

/** Comma-separated choices, each once, in the order of `values`: the same choice gives the same link. */
export function choices<T extends string>(values: readonly T[]): Option<T[]> {
  const listed = values.join(', ');
  const read = (text: string): T[] | null => {
    const parts = text.split(',', values.length + 1).map((part) => part.trim());
    const known = values.filter((value) => parts.includes(value));
    if (parts.length > values.length) return null;
    return known.length > 0 && parts.every((part) => known.some((value) => value === part)) ? known : null;
  };
  return {
    form: { control: 'choices', values },
    parse: once(read, {
      expected: `use one or more of ${listed}, separated by commas`,
      kind: 'choices',
      values: listed,
    }),
    serialise: (chosen) => [chosen.join(',')],
  };
}

export function wholeNumber(min: number, max: number): Option<number> {
  const range = `${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;
  return {
    form: { control: 'number', min, max },
    parse: once((text) => integer(text.trim(), min, max), {
      expected: `use a whole number from ${range}`,
      kind: 'integer',
      min,
      max,
    }),
    serialise: (value) => [String(value)],
  };
}

/** Comma-separated whole numbers, made ascending and unique. */
export function wholeNumbers(min: number, max: number, maxItems: number): Option<number[]> {
  const range = `${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;
  const read = (text: string): number[] | null => {
    // Room for the digits, a comma and a blank each; a longer text is not split at all.
    if (text.length > maxItems * 12) return null;
    const values = text.split(',').map((part) => integer(part.trim(), min, max));
    const good = values.filter((value) => value !== null);
    return good.length === values.length && good.length <= maxItems
      ? [...new Set(good)].sort((a, b) => a - b)
      : null;
  };
  return {
    form: { control: 'list', min, max, maxItems },
    parse: once(read, {
      expected: `use at most ${maxItems} whole numbers from ${range}, separated by commas`,
      kind: 'integers',
      min,
      max,
      items: maxItems,
    }),
    serialise: (values) => [values.join(',')],
  };
}

/** An option whose absence is a value of its own. */
export function optional<T>(option: Option<T>): Option<T | null> {
  return { ...option, serialise: (value) => (value === null ? [] : option.serialise(value)) };
}

/** Text of at most `maxBytes` bytes in UTF-8. */
export function freeText(maxBytes: number): Option<string> {
  // URLSearchParams turns percent-encoding that is no UTF-8 into U+FFFD: such a text is not the one that was sent.
  const read = (text: string): string | null =>
    new TextEncoder().encode(text).length <= maxBytes && !text.includes('\uFFFD') ? text : null;
  return {
    form: { control: 'text', maxBytes },
    parse: once(read, {
      expected: `use a text of at most ${maxBytes.toLocaleString('en-US')} bytes in UTF-8`,
      kind: 'text',
      max: maxBytes,
    }),
    serialise: (value) => [value],
  };
}
