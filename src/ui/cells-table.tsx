/** The table of cells, like the article's: exact integers, the ratio to four places, skipped rows with their reason. */
import { contentBytes, isPreallocated } from '../protocol/content';
import { formatRatio } from '../protocol/format';
import type { Cell, LabRecord } from '../protocol/record';
import { Badge, TwinBadges } from './badges';
import { useUi } from './context';
import { signed } from './experiment-verdicts';
import { modelName } from './model-name';
import { NotMeasured, useWhyNotMeasured } from './not-measured';
import { choiceText } from './option-field';
import { cacheTypeOf, severalOf } from './points';
import { BytesCell, ScrollTable } from './table';

/** Columns after the formula that are always there: tensor, ratio, resident, slack, device after, device peak, prefill. */
const MEASURED_COLUMNS = 7;

interface Props {
  record: LabRecord;
  title?: string;
  /** A heading above says what this is. */
  untitled?: boolean;
}

export function CellsTable({ record, title, untitled = false }: Props) {
  const { tr } = useUi<'report'>();
  const heading = title ?? tr('table.cells');
  const columns = columnsOf(record);
  const head = [
    ...(columns.model ? [tr('table.model')] : []),
    ...(columns.dtype ? [tr('points.variant'), tr('points.cacheType')] : []),
    ...(columns.policy ? [tr('setting.policy'), tr('setting.allocator')] : []),
    ...(columns.device ? [tr('points.backend')] : []),
    ...(columns.batch ? [tr('points.batch')] : []),
    ...(columns.repeat ? [tr('table.repeat')] : []),
    tr('table.tokens'),
    tr('table.formula'),
    ...(columns.preallocated ? [tr('table.used'), tr('table.room')] : []),
    tr(columns.preallocated ? 'table.capacity' : 'table.tensor'),
    tr('table.ratio'),
    tr('table.resident'),
    tr('table.slack'),
    tr('table.deviceAfter'),
    tr('table.devicePeak'),
    ...(columns.process ? [tr('points.process')] : []),
    tr('table.prefill'),
  ];
  const words = [
    ...[tr('table.model'), tr('points.variant'), tr('points.cacheType'), tr('points.backend')],
    ...[tr('setting.policy'), tr('setting.allocator')],
  ];
  const [first] = record.cells;
  return (
    <section aria-label={heading}>
      {!untitled && (
        <h3>
          {heading}
          {!columns.model && first !== undefined && (
            <span class="aside">
              {' '}
              {modelName(first.model, tr)} <TwinBadges model={first.model} />
            </span>
          )}
        </h3>
      )}
      <ScrollTable
        caption={heading}
        hideCaption
        testId="cells-table"
        head={head}
        textColumns={head.flatMap((name, index) => (words.includes(name) ? [index] : []))}
      >
        {record.cells.map((cell) => (
          <Row key={keyOf(cell)} {...{ cell, record, columns }} />
        ))}
      </ScrollTable>
      <NotMeasured record={record} />
    </section>
  );
}

function keyOf({ model, dtype, policy, allocator, batch, repeat, tokens }: Cell): string {
  return JSON.stringify([model, dtype, policy, allocator, batch, repeat, tokens]);
}

/** Every cell, folded away: below a report that shows them by point or by pair. */
export function EveryCell({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  return (
    <details class="panel panel-inside">
      <summary>
        <h3>{tr('points.every', { count: record.cells.length })}</h3>
      </summary>
      <CellsTable record={record} untitled />
    </details>
  );
}

/** Columns that only some records need. */
type Columns = Record<
  'model' | 'dtype' | 'policy' | 'device' | 'batch' | 'repeat' | 'process' | 'preallocated',
  boolean
>;

function columnsOf(record: LabRecord): Columns {
  const { experiment, repeats } = record.recipe;
  return {
    // Variants of one model: its name stands above the table.
    model: experiment !== 'dtype' || severalOf(record, ({ model }) => model),
    dtype: experiment === 'dtype' || severalOf(record, ({ dtype }) => dtype),
    policy: severalOf(record, ({ policy, allocator }) => `${policy} ${allocator}`),
    device: experiment === 'dtype' || severalOf(record, ({ device }) => device),
    batch: experiment === 'batch' || severalOf(record, ({ batch }) => batch),
    repeat: repeats > 1,
    preallocated: record.cells.some(isPreallocated),
    process: record.cells.some(({ processBytes }) => processBytes !== null),
  };
}

function Row({ cell, record, columns }: { cell: Cell; record: LabRecord; columns: Columns }) {
  const { tr, int } = useUi<'report'>();
  const { tensorBytes } = cell;
  return (
    <tr data-model={cell.model} data-dtype={cell.dtype} data-batch={cell.batch} data-tokens={cell.tokens}>
      {columns.model && (
        <th scope="row" class="text">
          {modelName(cell.model, tr)} <TwinBadges model={cell.model} />
          {cell.background && <Badge kind="background" />}
        </th>
      )}
      {columns.dtype && (
        <>
          <th scope="row" class="text variant">
            {choiceText(tr, cell.dtype)}
            {!columns.model && cell.background && <Badge kind="background" />}
          </th>
          <CacheTypeCell type={cacheTypeOf(record, cell)} />
        </>
      )}
      {columns.policy && (
        <>
          <td class="text variant">{cell.policy}</td>
          <td class="text variant">{cell.device === 'wasm' ? '–' : cell.allocator}</td>
        </>
      )}
      {columns.device && <BackendCell cell={cell} />}
      {columns.batch && <td>{int(cell.batch)}</td>}
      {columns.repeat && <td>{int(cell.repeat + 1)}</td>}
      <td>{int(cell.tokens)}</td>
      <td>{int(cell.formulaBytes)}</td>
      {tensorBytes === null ? (
        <td
          colSpan={MEASURED_COLUMNS + Number(columns.process) + 2 * Number(columns.preallocated)}
          class="text unmeasured"
        >
          <Skipped cell={cell} />
        </td>
      ) : (
        <Measured {...{ cell, record, columns, tensorBytes }} />
      )}
    </tr>
  );
}

/** bfloat16 is no failure: its row is the formula, and says so. */
function Skipped({ cell }: { cell: Cell }) {
  const { tr, faultSentence } = useUi<'report'>();
  const { fault } = cell;
  const reason = (fault === null ? cell.skipped : faultSentence(fault)) ?? tr('table.unknownReason');
  const formula = fault?.code === 'bf16-unsupported';
  return <>{tr(formula ? 'points.formulaOnly' : 'table.skipped', { reason })}</>;
}

function Measured({
  cell,
  record,
  columns,
  tensorBytes,
}: {
  cell: Cell;
  record: LabRecord;
  columns: Columns;
  tensorBytes: number;
}) {
  const { tr, int } = useUi<'report'>();
  const why = useWhyNotMeasured(record, cell.device);
  const { formulaBytes, residentBytes, deviceBytes, processBytes, processBytesBefore } = cell;
  const content = contentBytes(cell) ?? tensorBytes;
  const moved =
    processBytes === null || processBytesBefore === null ? null : processBytes - processBytesBefore;
  return (
    <>
      {columns.preallocated && (
        <>
          {/* A cache that grows is full: it has no room beyond its tokens. */}
          <BytesCell bytes={cell.usedBytes ?? (isPreallocated(cell) ? null : tensorBytes)} why={null} />
          <BytesCell bytes={cell.roomTokens ?? cell.tokens} why={null} />
        </>
      )}
      <td class={isWrongCapacity(cell) ? 'verdict-fail' : undefined}>{int(tensorBytes)}</td>
      <td class={content === formulaBytes ? 'verdict-pass' : 'verdict-fail'}>
        {formatRatio(content, formulaBytes) ?? tr('table.notMeasured')}
      </td>
      <BytesCell bytes={residentBytes} why={why('resident')} />
      <td class={residentBytes === null ? 'unmeasured' : undefined}>
        {residentBytes === null ? tr('table.notMeasured') : `${(residentBytes / tensorBytes).toFixed(2)}×`}
      </td>
      <BytesCell bytes={deviceBytes.after} why={why('device')} />
      <BytesCell bytes={deviceBytes.peak} why={why('device')} />
      {columns.process && (
        <td class={moved === null ? 'unmeasured' : undefined}>
          {moved === null ? tr('table.notMeasured') : signed(moved, int)}
        </td>
      )}
      <td>
        {cell.prefillMs === null ? tr('table.notMeasured') : int(cell.prefillMs)}
        {(cell.compiled ?? 0) > 0 && <span class="below">{tr('table.warmUp')}</span>}
      </td>
    </>
  );
}

/** A capacity that is not the formula's at the room. */
function isWrongCapacity({ roomFormulaBytes, tensorBytes }: Cell): boolean {
  return roomFormulaBytes !== undefined && roomFormulaBytes !== tensorBytes;
}

function CacheTypeCell({ type }: { type: string | null }) {
  const { tr } = useUi<'report'>();
  return type === null ? (
    <td class="text variant unmeasured">{tr('table.notMeasured')}</td>
  ) : (
    <td class="text variant" title={tr('points.fromGraph')}>
      {type}
      <span class="below">{tr('points.fromGraph')}</span>
    </td>
  );
}

/** Where it ran; what did not run anywhere says nothing. */
function BackendCell({ cell }: { cell: Cell }) {
  const { tr } = useUi<'report'>();
  if (cell.tensorBytes === null) return <td class="text variant unmeasured">–</td>;
  return (
    <td class="text variant">
      {cell.device === 'wasm' ? <Badge kind="wasm" /> : choiceText(tr, cell.device)}
    </td>
  );
}
