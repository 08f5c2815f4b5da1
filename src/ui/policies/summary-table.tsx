/** One row a policy and allocator mode: bytes at its longest context, time and copies of a step; a failed one with its message. */
import type { Cell, LabRecord } from '../../protocol/record';
import type { PolicySummary } from '../../record/policies-summary';
import { TwinBadges } from '../badges';
import { useUi } from '../context';
import { modelName } from '../model-name';
import { useWhyNotMeasured } from '../not-measured';
import { BytesCell, ScrollTable } from '../table';
import { milliseconds, type PoliciesTexts } from './words';

/** Columns behind policy and mode. */
const NUMBERS = 10;

interface Props {
  record: LabRecord;
  rows: readonly PolicySummary[];
}

export function SummaryTable({ record, rows }: Props) {
  const { tr } = useUi<PoliciesTexts>();
  const [model] = record.recipe.model;
  return (
    <section aria-labelledby="policies-table-title">
      <h3 id="policies-table-title">
        {tr('policies.table')}
        {model !== undefined && (
          <span class="aside">
            {' '}
            {modelName(model, tr)} <TwinBadges model={model} />
          </span>
        )}
      </h3>
      <ScrollTable
        caption={tr('policies.table')}
        hideCaption
        testId="policies-table"
        head={[
          tr('policies.col.policy'),
          tr('policies.col.mode'),
          tr('policies.table.tokens'),
          tr('policies.table.formula'),
          tr('policies.table.used'),
          tr('policies.table.tensor'),
          tr('policies.table.resident'),
          tr('policies.table.device'),
          tr('policies.table.peak'),
          tr('policies.table.ms'),
          tr('policies.table.copied'),
          tr('policies.table.ratio'),
        ]}
        textColumns={[0, 1]}
      >
        {rows.map((row) => (
          <Row key={`${row.policy} ${row.allocator} ${String(row.batch)}`} record={record} row={row} />
        ))}
      </ScrollTable>
      <p class="hint">
        {tr('policies.table.hint')}{' '}
        {rows.some(({ policy }) => policy === 'paged') && tr('policies.paged.note')}
      </p>
    </section>
  );
}

function Row({ record, row }: { record: LabRecord; row: PolicySummary }) {
  const { tr, int, language, faultSentence } = useUi<PoliciesTexts>();
  const why = useWhyNotMeasured(record, row.device);
  const reason = row.fault === null ? tr('table.unknownReason') : faultSentence(row.fault);
  const { tokens, stepMs, steps } = row;
  const several = record.recipe.batch.length > 1;
  return (
    <tr data-policy={row.policy} data-allocator={row.allocator} data-failed={tokens === null}>
      <th scope="row" class="text">
        {row.policy}
        {several && <span class="below">{tr('policies.batch', { batch: int(row.batch) })}</span>}
        <Detail record={record} row={row} />
      </th>
      <td class="text variant">{row.device === 'wasm' ? tr('badge.wasm') : row.allocator}</td>
      {tokens === null || row.formulaBytes === null ? (
        <td colSpan={NUMBERS} class="text unmeasured">
          <span class="policies-reason">{tr('policies.table.failed', { reason })}</span>
        </td>
      ) : (
        <>
          <td>
            {int(tokens)}
            {row.measured < row.planned && (
              <span class="below policies-partly">
                {tr('policies.table.partly', { measured: row.measured, planned: row.planned, reason })}
              </span>
            )}
          </td>
          <td>{int(row.formulaBytes)}</td>
          <td>{row.usedBytes === null ? tr('policies.table.all') : int(row.usedBytes)}</td>
          <BytesCell bytes={row.tensorBytes} why={null} />
          <BytesCell bytes={row.residentBytes} why={why('resident')} />
          <BytesCell bytes={row.deviceBytes} why={why('device')} />
          <BytesCell bytes={row.peakDeviceBytes} why={why('device')} />
          <td class={stepMs === null ? 'unmeasured' : undefined}>
            {stepMs === null ? tr('table.notMeasured') : milliseconds(stepMs, language)}
            <span class="below">
              {stepMs === null
                ? tr('policies.table.noSteps')
                : tr('policies.table.steps', { steps: int(steps) })}
            </span>
          </td>
          <BytesCell bytes={row.copiedBytes} why={null} />
          <td class={row.largestRatio === null ? 'unmeasured' : undefined}>
            {row.largestRatio === null ? tr('table.notMeasured') : `${row.largestRatio.toFixed(2)}×`}
          </td>
        </>
      )}
    </tr>
  );
}

/** What only one policy has: bits and scales, or blocks and what their last ones lose. */
function Detail({ record, row }: { record: LabRecord; row: PolicySummary }) {
  const { tr, int } = useUi<PoliciesTexts>();
  const { bits, block } = record.recipe;
  if (row.policy === 'quantised')
    return (
      <span class="below">
        {tr('policies.table.bits', { bits, scales: tr(`policies.scales.${row.device}`) })}
      </span>
    );
  const use = row.policy === 'paged' ? blocksInUse(record, row) : null;
  if (use === null) return null;
  return (
    <span class="below">
      {tr('policies.table.blocks', { blocks: int(use.blocks), block: int(block), lost: int(use.lostBytes) })};{' '}
      {tr('policies.table.gathered')}
    </span>
  );
}

/** Blocks of all sequences at the row's context, and their bytes that hold no token; null where it was not measured. */
export function blocksInUse(
  { cells, models, recipe }: LabRecord,
  { policy, allocator, device, batch, tokens }: PolicySummary,
): { blocks: number; lostBytes: number } | null {
  const isRow = (cell: Cell): boolean =>
    cell.policy === policy &&
    cell.allocator === allocator &&
    cell.device === device &&
    cell.batch === batch &&
    cell.tokens === tokens;
  const cell = cells.find((one) => isRow(one) && one.blockBytes !== undefined);
  const perToken = models.find(({ id }) => id === cell?.model)?.bytesPerToken;
  if (cell?.blockBytes === undefined || cell.usedBytes === undefined || perToken === undefined) return null;
  return {
    blocks: cell.blockBytes / (perToken * recipe.block),
    lostBytes: cell.blockBytes - cell.usedBytes,
  };
}
