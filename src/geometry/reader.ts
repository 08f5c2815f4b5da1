/** Reads a config.json field by field, and keeps a list of what was read and what was assumed. */
import { isObject, modelTypeOf, readCount, readFlag, type Config, type FieldSpec } from './fields';
import type { Assumption, AssumptionCode, Geometry } from './geometry';
import { GeometryError, showValue } from './geometry-error';

type Read = NonNullable<Geometry['fields']>;

/** Largest count of a field without a limit of its own. */
const MOST = 2 ** 24;

/** A field by its spec, or by its only name. */
export type Field = FieldSpec | string;

export class ConfigReader {
  /** What config.json did not say. */
  readonly assumed: Assumption[];
  /** What was read, each field once, in order. */
  readonly fields: Read;

  /**
   * @param config The part of config.json that describes the text decoder.
   * @param outer The whole config.json; the same object when nothing is nested.
   * @param within Prefix of field names in messages, for a nested object: `linear_attn_config.`.
   */
  constructor(
    readonly config: Config,
    readonly outer: Config = config,
    private readonly within = '',
    notes: { assumed: Assumption[]; fields: Read } = { assumed: [], fields: [] },
  ) {
    this.assumed = notes.assumed;
    this.fields = notes.fields;
  }

  /** The decoder's model_type; "unknown" when it has none. */
  get modelType(): string {
    return modelTypeOf(this.config);
  }

  /** Whether a field is there with anything but null. */
  has(name: string): boolean {
    return this.config[name] !== undefined && this.config[name] !== null;
  }

  /**
   * A whole number from 1 up; null when the field is missing or null.
   * @throws GeometryError config-bad-field.
   */
  count(field: Field): number | null {
    const spec = typeof field === 'string' ? { names: [field] as const, max: MOST } : field;
    const value = this.reading(() => readCount(this.config, spec));
    if (value !== null) this.note(this.nameOf(spec), value);
    return value;
  }

  /** The same, where 0 is a value too (shared layers, a switched-off window). */
  countFromZero(field: Field): number | null {
    const name = typeof field === 'string' ? field : this.nameOf(field);
    if (this.config[name] === 0) {
      this.note(name, 0);
      return 0;
    }
    return this.count(field);
  }

  /** The same, with the value that the model's class has when config.json leaves it out; using it is noted as an assumption. */
  countOr(field: Field, classDefault: number): number {
    return this.count(field) ?? this.assume(field, classDefault);
  }

  /**
   * The same for a field without which nothing can be said.
   * @throws GeometryError config-missing-field, config-bad-field.
   */
  required(field: Field): number {
    const value = this.count(field);
    if (value === null) throw this.missing(typeof field === 'string' ? field : field.names[0]);
    return value;
  }

  /** True or false; null when missing or null. @throws GeometryError config-bad-field. */
  flag(name: string): boolean | null {
    const value = this.reading(() => readFlag(this.config, name));
    if (value !== null) this.note(name, value);
    return value;
  }

  /** Text; null when missing or null. @throws GeometryError config-bad-field. */
  text(name: string): string | null {
    if (!this.has(name)) return null;
    const value = this.config[name];
    if (typeof value !== 'string') throw this.bad(name, 'text');
    this.note(name, value.slice(0, 200));
    return value;
  }

  /**
   * A list with one entry for each of `length` layers (any length where null); null when missing or null.
   * @throws GeometryError config-bad-field for anything else.
   */
  list(name: string, length: number | null): unknown[] | null {
    if (!this.has(name)) return null;
    const value = this.config[name];
    if (!Array.isArray(value) || (length !== null && value.length !== length)) {
      const found = Array.isArray(value) ? `a list of ${value.length}` : showValue(value);
      const expected = length === null ? 'a list' : `a list with one entry for each of the ${length} layers`;
      throw this.bad(name, expected, found);
    }
    this.note(name, shortList(value));
    return value as unknown[];
  }

  /** The same with whole numbers from 0 up. @throws GeometryError config-bad-field naming the entry. */
  counts(name: string, length: number | null): number[] | null {
    const list = this.list(name, length);
    return (
      list?.map((value, index) => {
        if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST) return value;
        throw this.bad(`${name}[${index}]`, 'a whole number, 0 or more', showValue(value));
      }) ?? null
    );
  }

  /** A nested object as a reader of its own, with the same notes; null when missing or null. @throws GeometryError config-bad-field. */
  nested(name: string): ConfigReader | null {
    if (!this.has(name)) return null;
    const value = this.config[name];
    if (!isObject(value)) throw this.bad(name, 'a JSON object');
    return new ConfigReader(value, this.outer, `${this.within}${name}.`, this);
  }

  /** Notes that a value was taken which config.json does not give, and returns it. */
  assume<T extends string | number | boolean>(
    field: Field,
    value: T,
    code: AssumptionCode = 'class-default',
  ): T {
    const name = this.within + (typeof field === 'string' ? field : field.names[0]);
    if (!this.assumed.some((known) => known.field === name)) this.assumed.push({ field: name, value, code });
    return value;
  }

  /** True once the model_type was noted as unknown: what is derived for such a model by convention is an assumption. */
  get isUnknownFamily(): boolean {
    return this.assumed.some(({ code }) => code === 'unknown-family');
  }

  /** The error for a value that cannot be right; `found` says what it is where the field as it stands does not. */
  bad(name: string, expected: string, found = showValue(this.config[name])): GeometryError {
    return new GeometryError('config-bad-field', { field: this.within + name, value: found, expected });
  }

  /** The error for one or more fields that are needed. */
  missing(...names: string[]): GeometryError {
    return new GeometryError('config-missing-field', {
      field: names.map((name) => this.within + name).join('”, “'),
    });
  }

  /** The name under which a field is given, or its usual one. */
  nameOf({ names }: FieldSpec): string {
    return names.find((name) => this.has(name)) ?? names[0];
  }

  private note(name: string, value: string | number | boolean): void {
    const full = this.within + name;
    if (!this.fields.some((known) => known.name === full)) this.fields.push({ name: full, value });
  }

  /** Puts the prefix into the field name of an error from a nested object. */
  private reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof GeometryError) || this.within === '') throw error;
      const field = this.within + String(error.params['field']);
      throw new GeometryError(error.code, { ...error.params, field });
    }
  }
}

/** A list as a person would write it: runs of equal entries as "3 x sliding_attention". */
function shortList(list: readonly unknown[]): string {
  const runs: { value: string; times: number }[] = [];
  for (const item of list) {
    const value = showValue(item).replaceAll('"', '');
    const last = runs.at(-1);
    if (last?.value === value) last.times += 1;
    else runs.push({ value, times: 1 });
  }
  const shown = runs.slice(0, 12).map(({ value, times }) => (times === 1 ? value : `${times} x ${value}`));
  return shown.join(', ') + (runs.length > shown.length ? `, … (${list.length} in all)` : '');
}
