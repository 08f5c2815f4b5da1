/** Reads a field of a value that may be anything. */

/** The field of that name when the value is an object that has it itself; undefined otherwise. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
