/** What the tests of families compare: bytes at 2 bytes an element, from a config.json's fields. */
import { bytesPerToken, bytesPerTokenFar, fixedBytes } from '../bytes';
import { GeometryError } from '../geometry-error';
import { readGeometry } from '../read-config';

export interface Bytes {
  /** Bytes that the first token adds. */
  first: number;
  /** Bytes that a token adds past every cap; as the first where left out. */
  far?: number;
  /** Bytes that do not grow; 0 where left out. */
  fixed?: number;
}

export type Case = [name: string, config: Record<string, unknown>, bytes: Bytes];

export function bytesOf(config: unknown): Required<Bytes> {
  const geometry = readGeometry(config);
  return {
    first: bytesPerToken(geometry, 2),
    far: bytesPerTokenFar(geometry, 2),
    fixed: fixedBytes(geometry, 2),
  };
}

/** `far` and `fixed` filled in. */
export function whole({ first, far, fixed }: Bytes): Required<Bytes> {
  return { first, far: far ?? first, fixed: fixed ?? 0 };
}

/** The field that the refusal of a config names. */
export function refusedField(config: unknown): unknown {
  try {
    readGeometry(config);
  } catch (error) {
    if (error instanceof GeometryError) return error.params['field'];
    throw error;
  }
  throw new Error('was not refused');
}

/** A list by runs: `runs([3, 'a'], [1, 'b'])` is a, a, a, b. */
export function runs<T>(...parts: [times: number, value: T][]): T[] {
  return parts.flatMap(([times, value]) => Array.from({ length: times }, () => value));
}

/** A pattern of entries, repeated to a length. */
export function repeated<T>(pattern: readonly T[], length: number): T[] {
  return Array.from({ length }, (_, index) => pattern[index % pattern.length] as T);
}
