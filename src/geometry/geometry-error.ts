/** The error of this folder: a config.json that does not say what its cache is. */

export type GeometryErrorCode =
  | 'config-empty'
  | 'config-html'
  | 'config-truncated'
  | 'config-not-json'
  | 'config-too-long'
  | 'config-not-object'
  | 'config-missing-field'
  | 'config-bad-field'
  | 'config-no-cache'
  | 'config-unknown-family';

/** Longest piece of a foreign value that is repeated in a message. */
const SHOWN_CHARACTERS = 60;

/** Thrown instead of a wrong, zero, infinite or NaN size. Codes and params are those of the protocol's sentences. */
export class GeometryError extends Error {
  readonly code: GeometryErrorCode;
  readonly params: Record<string, string | number>;
  constructor(code: GeometryErrorCode, params: Record<string, string | number>) {
    super(`${code}: ${JSON.stringify(params)}`);
    this.name = 'GeometryError';
    this.code = code;
    this.params = params;
  }
}

/** JSON, or only what it is: lists in lists thousands deep are more than JSON.stringify's stack takes. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? 'a list' : 'an object';
  }
}

/** A value from a config as short plain text, as JSON writes it (NaN and Infinity by name). */
export function showValue(value: unknown): string {
  const text = typeof value === 'number' || value === undefined ? String(value) : jsonOf(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
