/** Why a level of bytes was not measured, in the chosen language where the reason is known to the catalog. */
import type { Device } from '../protocol/recipe';
import type { LabRecord, MaybeBytes } from '../protocol/record';
import { useUi } from './context';

export type MeasuredLevel = 'resident' | 'device';

/**
 * A function from a level to the reason for which it is missing in this record; null when the record has none.
 * @param device where the measurement ran, in records of several backends.
 */
export function useWhyNotMeasured(
  record: LabRecord,
  device: Device = record.environment?.backend ?? record.recipe.device,
): (level: MeasuredLevel) => string | null {
  const { tr } = useUi<'report'>();
  return (level) => (device === 'wasm' ? tr('table.wasmReason') : record.notMeasured[level]);
}

/** One line for each level that this record lacks although it measured something. */
export function NotMeasured({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  const measured = record.cells.filter(({ tensorBytes }) => tensorBytes !== null);
  const points: { device: Device; resident: MaybeBytes; all: MaybeBytes }[] = [
    ...measured.map(({ device, residentBytes, deviceBytes }) => ({
      device,
      resident: residentBytes,
      all: deviceBytes.after,
    })),
    ...record.growth.flatMap(({ device, steps }) =>
      steps.map(({ residentBytes, deviceBytes }) => ({ device, resident: residentBytes, all: deviceBytes })),
    ),
  ];
  const lines = (['resident', 'device'] as const).flatMap((level) => {
    const lacking = points.find((point) => (level === 'resident' ? point.resident : point.all) === null);
    if (lacking === undefined) return [];
    const known = lacking.device === 'wasm' ? tr('table.wasmReason') : record.notMeasured[level];
    return [{ level, reason: known ?? tr('table.unknownReason') }];
  });
  // Page memory belongs to the batch experiment alone; elsewhere nobody asked for it.
  const withoutProcess =
    record.recipe.experiment === 'batch' &&
    measured.length > 0 &&
    measured.every(({ processBytes }) => processBytes === null);
  return (
    <>
      {lines.map(({ level, reason }) => (
        <p key={level} class="hint">
          {tr('table.notMeasuredWhy', { level: tr(`level.${level}.long`), reason })}
        </p>
      ))}
      {withoutProcess && (
        <p class="hint">
          {tr('table.notMeasuredWhy', {
            level: tr('level.process.long'),
            reason:
              record.notMeasured.process === null ? tr('table.unknownReason') : tr('process.unsupported'),
          })}
        </p>
      )}
    </>
  );
}
