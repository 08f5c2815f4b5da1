/** From the text of a config.json to a value: strict JSON first, then what is plainly meant, else one sentence. */
import JSON5 from 'json5';
import { GeometryError } from './geometry-error';

/** What had to be overlooked to read a text that is no strict JSON. */
export type ConfigRepair = 'text-around' | 'python' | 'relaxed-json';

export interface ConfigText {
  /** The parsed value; not yet known to be a config. */
  value: unknown;
  /** Empty when the text was strict JSON. */
  repairs: ConfigRepair[];
}

/**
 * Longest text that is read, in characters. A config.json is a few thousand; nvidia/MiniMax-M3-NVFP4's, which names the
 * quantisation of every expert, has 3,087,083.
 */
export const MAX_CONFIG_TEXT = 4_000_000;

/** Python's literals by the words that JSON has for them. */
const PYTHON = { None: 'null', True: 'true', False: 'false', nan: 'NaN', inf: 'Infinity' } as const;

/**
 * Reads a config.json as people have it: with a byte order mark, comments, trailing commas, single quotes, inside a Markdown
 * fence or behind a class name, as Python prints it (`None`, `True`). Strict JSON is taken as it is.
 * @throws GeometryError config-too-long, config-empty, config-html (a page came instead of the file), config-truncated (the
 *   object is never closed: fields may be missing, so nothing is guessed), config-not-json.
 */
export function readConfigText(text: string): ConfigText {
  if (text.length > MAX_CONFIG_TEXT)
    throw new GeometryError('config-too-long', { characters: text.length, limit: MAX_CONFIG_TEXT });
  // trim() takes a byte order mark too.
  const trimmed = text.trim();
  if (trimmed === '') throw new GeometryError('config-empty', {});
  try {
    return { value: JSON.parse(trimmed) as unknown, repairs: [] };
  } catch (error) {
    return readRelaxed(trimmed, error instanceof Error ? error.message : String(error));
  }
}

/** The value alone. @throws as {@link readConfigText}. */
export function parseConfigText(text: string): unknown {
  return readConfigText(text).value;
}

function readRelaxed(text: string, detail: string): ConfigText {
  if (text.startsWith('<')) throw new GeometryError('config-html', {});
  const start = text.indexOf('{');
  if (start === -1) throw new GeometryError('config-not-json', { detail });
  const { json, end, python } = scanObject(text, start);
  const repairs: ConfigRepair[] = [];
  if (start > 0 || end < text.length) repairs.push('text-around');
  if (python) repairs.push('python');
  try {
    return { value: JSON.parse(json) as unknown, repairs };
  } catch {
    try {
      return { value: JSON5.parse(json), repairs: [...repairs, 'relaxed-json'] };
    } catch {
      throw new GeometryError('config-not-json', { detail });
    }
  }
}

/**
 * Strings, comments of JavaScript and Python, brackets, and words outside of all of them. A string or comment that is never
 * closed goes to the end of the text: to look for its end again from every later quote would take hours for a million.
 */
const TOKENS =
  /"(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|'(?:\\[\s\S]|[^'\\])*(?:'|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#[^\n]*|[{}]|[A-Za-z_]\w*/g;

/** The object that begins at `start`, without comments and with JSON's literals, and where it ends. @throws config-truncated. */
function scanObject(text: string, start: number): { json: string; end: number; python: boolean } {
  let depth = 0;
  let json = '';
  let from = start;
  let python = false;
  for (const match of text.slice(start).matchAll(TOKENS)) {
    const [token] = match;
    const at = start + match.index;
    json += text.slice(from, at);
    from = at + token.length;
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (/^(\/|#)/.test(token)) continue;
    const literal = isPythonLiteral(token) ? PYTHON[token] : null;
    python ||= literal !== null;
    json += literal ?? token;
    if (depth === 0) return { json, end: from, python };
  }
  throw new GeometryError('config-truncated', {});
}

function isPythonLiteral(token: string): token is keyof typeof PYTHON {
  return Object.hasOwn(PYTHON, token);
}
