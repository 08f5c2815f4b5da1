/** Why a level of bytes was not measured, in the chosen language where the reason is known to the catalog. */
import type { LabRecord } from '../protocol/record';
import { useUi } from './context';

export type MeasuredLevel = 'resident' | 'device';

/** A function from a level to the reason for which it is missing in this record; null when the record has none. */
export function useWhyNotMeasured(record: LabRecord): (level: MeasuredLevel) => string | null {
  const { tr } = useUi();
  const wasm = (record.environment?.backend ?? record.recipe.device) === 'wasm';
  return (level) => (wasm ? tr('table.wasmReason') : record.notMeasured[level]);
}

/** One line for each level that this record lacks although it measured something. */
export function NotMeasured({ record }: { record: LabRecord }) {
  const { tr } = useUi();
  const why = useWhyNotMeasured(record);
  const lacks = (level: MeasuredLevel): boolean =>
    record.cells.some(
      (cell) =>
        cell.tensorBytes !== null &&
        (level === 'resident' ? cell.residentBytes : cell.deviceBytes.after) === null,
    ) ||
    record.growth.some(({ steps }) =>
      steps.some((step) => (level === 'resident' ? step.residentBytes : step.deviceBytes) === null),
    );
  const missing = (['resident', 'device'] as const).filter(lacks);
  return (
    <>
      {missing.map((level) => (
        <p key={level} class="hint">
          {tr('table.notMeasuredWhy', {
            level: tr(`level.${level}.long`),
            reason: why(level) ?? tr('table.unknownReason'),
          })}
        </p>
      ))}
    </>
  );
}
