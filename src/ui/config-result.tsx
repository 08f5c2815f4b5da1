/** What the calculator says of a config.json: its geometry's bytes, or the one sentence that names the wrong field. */
import { useMemo } from 'preact/hooks';
import type { Geometry } from '../geometry/geometry';
import { readGeometry } from '../geometry/read-config';
import { LabError, toFault, type Fault } from '../protocol/faults';
import { useUi } from './context';
import { GeometryResult } from './geometry-result';

/** Longest text that is read, in characters; a config.json is a few thousand. */
const MAX_TEXT = 1_000_000;

type Result = { geometry: Geometry } | { fault: Fault };

/** The geometry of a config.json's text, or the fault that says which field is wrong. */
function readConfigText(text: string): Result {
  try {
    if (text.length > MAX_TEXT)
      throw new LabError('config-too-long', { characters: text.length, limit: MAX_TEXT });
    return { geometry: readGeometry(parseJson(text)) };
  } catch (error) {
    return { fault: toFault(error, 'config-not-json') };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LabError('config-not-json', { detail: error instanceof Error ? error.message : String(error) });
  }
}

/** @param text A config.json as it was pasted. */
export function ConfigResult({ text }: { text: string }) {
  const { faultSentence } = useUi();
  const result = useMemo(() => readConfigText(text), [text]);
  return 'fault' in result ? (
    <p class="message message-error">{faultSentence(result.fault)}</p>
  ) : (
    <GeometryResult geometry={result.geometry} />
  );
}
