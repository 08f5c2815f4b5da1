/** The three large figures, formula, measured, ratio, with exact integers; then what the GPU really holds. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { contentBytes, contentDeltas } from '../protocol/content';
import { formatRatio } from '../protocol/format';
import type { Cell, Growth, LabRecord, MaybeBytes, Preallocated } from '../protocol/record';
import { useUi, type Texts } from './context';
import { Exact } from './exact';
import { modelName } from './model-name';
import { useWhyNotMeasured } from './not-measured';
import { choiceText } from './option-field';

type Level = 'formula' | 'used' | 'tensor' | 'ratio' | 'resident' | 'device';

interface FigureProps {
  level: Level;
  name: string;
  /** Where the number comes from, in a few words. */
  origin?: string;
  children: ComponentChildren;
}

function Figure({ level, name, origin, children }: FigureProps) {
  return (
    <div class={`figure figure-${level}`}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {origin !== undefined && <dd class="figure-origin">{origin}</dd>}
    </div>
  );
}

/** An exact count of bytes with its unit and its rounded size, or "not measured" with the reason. */
function BytesFigure(props: { bytes: MaybeBytes; why?: string | null; after?: string; perStep?: boolean }) {
  const { tr, size } = useUi<'report'>();
  const { bytes, why = null, after, perStep = false } = props;
  if (bytes === null) {
    return (
      <>
        <span class="unmeasured">{tr('table.notMeasured')}</span>
        {why !== null && <span class="figure-note">{why}</span>}
      </>
    );
  }
  // Below 1 KiB the rounded size is the number itself.
  const rounded = Math.abs(bytes) < 1024 ? undefined : size(bytes);
  const notes = [rounded, after].filter((note) => note !== undefined).join(' · ');
  return (
    <>
      <Exact value={bytes} /> <span class="unit">{tr(perStep ? 'unit.bytesPerStep' : 'unit.bytes')}</span>
      <span class="figure-note">{notes}</span>
    </>
  );
}

/** What a cell or a growth run is called where one is chosen from several: variant and batch only where there are several. */
function useLabel(all: readonly (Cell | Growth)[]) {
  const { int, tr } = useUi<'report'>();
  const several = (of: (one: Cell | Growth) => unknown): boolean => new Set(all.map(of)).size > 1;
  return ({ model, dtype, batch, repeat }: Cell | Growth, tokens: number | null) =>
    [
      modelName(model, tr),
      ...(several((one) => one.dtype) ? [choiceText(tr, dtype)] : []),
      ...(several((one) => one.batch) ? [`${tr('setting.batch')} ${int(batch)}`] : []),
      ...(tokens === null ? [] : [`${int(tokens)} ${tr('unit.tokens')}`]),
      ...(repeat > 0 ? [`${tr('table.repeat')} ${int(repeat + 1)}`] : []),
    ].join(' · ');
}

function Chooser(props: { labels: string[]; chosen: number; choose: (index: number) => void }) {
  const { tr } = useUi<'report'>();
  const { labels, chosen, choose } = props;
  if (labels.length === 1) return <p class="figures-cell">{labels[0]}</p>;
  return (
    <label class="figures-cell">
      <span class="visually-hidden">{tr('figures.cell')}</span>
      <select
        value={chosen}
        onChange={(event) => {
          choose(Number(event.currentTarget.value));
        }}
      >
        {labels.map((label, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The figures of one cell: the last measured one (`first`: the first one) until another is chosen. */
export function LengthFigures({ record, first = false }: { record: LabRecord; first?: boolean }) {
  const { tr } = useUi<'report'>();
  const choice = useSignal<number | null>(null);
  const cells = record.cells.filter((cell) => cell.tensorBytes !== null);
  const label = useLabel(cells);
  const index = Math.min(choice.value ?? (first ? 0 : cells.length - 1), cells.length - 1);
  const cell = cells[index];
  const why = useWhyNotMeasured(record, cell?.device);
  if (cell?.tensorBytes == null) return null;
  const { formulaBytes, tensorBytes, residentBytes, deviceBytes } = cell;
  const slack = residentBytes === null ? null : residentBytes / tensorBytes;
  return (
    <section class="figures" aria-label={tr('figures.title')}>
      <Chooser
        labels={cells.map((one) => label(one, one.tokens))}
        chosen={index}
        choose={(next) => {
          choice.value = next;
        }}
      />
      <dl class="figure-row figure-row-main">
        <Figure level="formula" name={tr('figures.formula')} origin={formulaOrigin(record, cell, tr)}>
          <BytesFigure bytes={formulaBytes} />
        </Figure>
        {cell.usedBytes === undefined ? (
          <Figure level="tensor" name={tr('figures.measured')} origin={tr('level.tensor.origin')}>
            <BytesFigure bytes={tensorBytes} />
          </Figure>
        ) : (
          <Figure level="used" name={tr('figures.used')} origin={tr('level.used.origin')}>
            <BytesFigure bytes={cell.usedBytes} />
          </Figure>
        )}
        <RatioFigure tensorBytes={contentBytes(cell) ?? 0} formulaBytes={formulaBytes} />
      </dl>
      <h3>{tr('figures.gpu')}</h3>
      <dl class="figure-row">
        <CapacityFigure point={cell} />
        <Figure level="resident" name={tr('figures.resident')} origin={tr('level.resident.origin')}>
          <BytesFigure
            bytes={residentBytes}
            why={why('resident')}
            {...(slack === null ? {} : { after: tr('figures.slack', { slack: slack.toFixed(2) }) })}
          />
        </Figure>
        <Figure level="device" name={tr('figures.deviceAfter')} origin={tr('level.device.origin')}>
          <BytesFigure bytes={deviceBytes.after} why={why('device')} />
        </Figure>
        <Figure level="device" name={tr('figures.devicePeak')} origin={tr('level.device.origin')}>
          <BytesFigure bytes={deviceBytes.peak} why={why('device')} />
        </Figure>
      </dl>
    </section>
  );
}

/** What a preallocated cache could hold, beside the formula at its room; nothing for a cache that grows. */
function CapacityFigure({ point }: { point: Preallocated & { tensorBytes: MaybeBytes } }) {
  const { tr, int } = useUi<'report'>();
  const { roomTokens, roomFormulaBytes = 0, moves = 0, tensorBytes } = point;
  if (roomTokens === undefined) return null;
  const notes = [
    tr('figures.capacityOf', { room: int(roomTokens), formula: int(roomFormulaBytes) }),
    ...(moves > 0 ? [tr('figures.moved', { moves })] : []),
  ];
  return (
    <Figure level="tensor" name={tr('figures.capacity')} origin={tr('level.room.origin')}>
      <BytesFigure bytes={tensorBytes} after={notes.join(' · ')} />
    </Figure>
  );
}

function RatioFigure({ tensorBytes, formulaBytes }: { tensorBytes: number; formulaBytes: number }) {
  const { tr, int } = useUi<'report'>();
  const ratio = formatRatio(tensorBytes, formulaBytes);
  return (
    <Figure level="ratio" name={tr('figures.ratio')}>
      {ratio === null ? (
        <span class="unmeasured">{tr('table.notMeasured')}</span>
      ) : (
        <Exact value={tensorBytes / formulaBytes} text={ratio} />
      )}
      <span class="figure-note">
        {tr('figures.ratioOf', { tensor: int(tensorBytes), formula: int(formulaBytes) })}
      </span>
    </Figure>
  );
}

/** The figures of one growth run: one token by the formula, one step as measured, and the end. */
export function GrowthFigures({ record }: { record: LabRecord }) {
  const { tr, int } = useUi<'report'>();
  const why = useWhyNotMeasured(record);
  const choice = useSignal<number | null>(null);
  const runs = record.growth.filter((growth) => growth.steps.length > 0);
  const label = useLabel(runs);
  const index = Math.min(choice.value ?? runs.length - 1, runs.length - 1);
  const growth = runs[index];
  const last = growth?.steps.at(-1);
  if (growth === undefined || last === undefined) return null;
  // One step adds a token to every sequence of the batch.
  const perToken = last.formulaBytes / last.tokens;
  const deltas = contentDeltas(growth);
  const smallest = Math.min(...deltas);
  const largest = Math.max(...deltas);
  return (
    <section class="figures" aria-label={tr('figures.title')}>
      <Chooser
        labels={runs.map((one) => label(one, null))}
        chosen={index}
        choose={(next) => {
          choice.value = next;
        }}
      />
      <dl class="figure-row figure-row-main">
        <Figure level="formula" name={tr('figures.perToken')} origin={formulaOrigin(record, growth, tr)}>
          <BytesFigure bytes={perToken} />
        </Figure>
        <Figure
          level={last.usedBytes === undefined ? 'tensor' : 'used'}
          name={tr('figures.delta')}
          origin={tr(last.usedBytes === undefined ? 'level.tensor.origin' : 'level.used.origin')}
        >
          {smallest === largest ? (
            <BytesFigure bytes={smallest} perStep />
          ) : (
            <>
              {tr('figures.deltaRange', { smallest: int(smallest), largest: int(largest) })}{' '}
              <span class="unit">{tr('unit.bytesPerStep')}</span>
            </>
          )}
        </Figure>
        <RatioFigure tensorBytes={contentBytes(last) ?? 0} formulaBytes={last.formulaBytes} />
      </dl>
      <h3>{tr('figures.gpuEnd')}</h3>
      <dl class="figure-row">
        <Figure
          level={last.usedBytes === undefined ? 'tensor' : 'used'}
          name={tr(last.usedBytes === undefined ? 'figures.final' : 'figures.usedEnd')}
          origin={tr(last.usedBytes === undefined ? 'level.tensor.origin' : 'level.used.origin')}
        >
          <BytesFigure
            bytes={contentBytes(last)}
            after={tr('figures.multiple', { tokens: int(last.tokens), perToken: int(perToken) })}
          />
        </Figure>
        <CapacityFigure point={last} />
        <Figure level="resident" name={tr('figures.residentEnd')} origin={tr('level.resident.origin')}>
          <BytesFigure
            bytes={last.residentBytes}
            why={why('resident')}
            {...(last.residentBytes === null
              ? {}
              : {
                  after: tr('figures.slack', { slack: (last.residentBytes / last.tensorBytes).toFixed(2) }),
                })}
          />
        </Figure>
        <Figure level="device" name={tr('figures.deviceEnd')} origin={tr('level.device.origin')}>
          <BytesFigure bytes={last.deviceBytes} why={why('device')} />
        </Figure>
      </dl>
    </section>
  );
}

/** Where a model's geometry, and so its formula, was read, and of how many layers it is where some were left out. */
function formulaOrigin(
  { models }: LabRecord,
  { model: id }: Pick<Cell, 'model'>,
  tr: Texts<'report'>['tr'],
): string {
  if (models.some((model) => model.id === id && model.geometryFrom === 'graph'))
    return tr('level.formula.originGraph');
  const scaled = models.find((model) => model.id === id)?.scaled;
  return scaled === undefined
    ? tr('level.formula.origin')
    : tr('level.formula.originScaled', { measured: scaled.layersMeasured, of: scaled.layersOf });
}
