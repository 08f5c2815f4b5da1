/** The block at the top of a report: the sentence made from the data, failed checks, conditions, badges. */
import type { ComponentChildren } from 'preact';
import type { LabRecord } from '../protocol/record';
import { RecordBadges } from './badges';
import { useUi, type Texts } from './context';
import { modelName } from './model-name';
import { choiceText } from './option-field';
import { ScaledBadges } from './reports/scaled';
import { formatTime } from './time';
import { untoldFaults } from './untold-faults';

interface Props {
  record: LabRecord;
  /** The first is read out as the verdict; more stand below it in the same size. */
  sentences: readonly string[];
  /** Whether the data are what they should be; failed checks and parts cut short count against it here. */
  good: boolean;
  /** What else the numbers wear. */
  children?: ComponentChildren;
}

/** The cache policy, of a preallocated cache with its rooms; all of them where several are compared. */
function policyText(record: LabRecord, { tr, int }: Pick<Texts<'report'>, 'tr' | 'int'>): string {
  const { policy, policies, bits, block } = record.recipe;
  if (policies !== undefined) return policies.policies.join(' / ');
  if (policy === 'dynamic') return policy;
  if (policy === 'quantised') return tr('result.quantised', { bits });
  const points = [...record.cells, ...record.growth.flatMap(({ steps }) => steps)];
  const rooms = [...new Set(points.map(({ roomTokens }) => roomTokens))].filter((room) => room !== undefined);
  const room = rooms.map(int).join(' → ');
  if (policy === 'paged')
    return rooms.length === 0
      ? tr('result.pagedAny', { block: int(block) })
      : tr('result.paged', { block: int(block), room });
  return rooms.length === 0 ? tr('result.staticAny') : tr('result.static', { room });
}

/** The allocator mode; all of them where several are compared. */
function modesText({ environment, recipe }: LabRecord): string {
  return recipe.policies?.allocators.join(' / ') ?? environment?.allocator ?? recipe.allocator;
}

export function Verdict({ record, sentences, good: asExpected, children }: Props) {
  const { tr, int, store, language } = useUi<'report'>();
  const { batch, dtype, experiment } = record.recipe;
  // Requests that share a pool are no batch, and their pools no cache of ONNX Runtime's.
  const pools = experiment === 'serving';
  const running = record.status === 'running';
  const [first = '', ...more] = sentences;
  const failed = record.checks.filter(({ pass }) => !pass);
  const cutShort = untoldFaults(record).length > 0;
  const good = asExpected && failed.length === 0 && !cutShort;
  const backend = record.environment?.backend ?? record.recipe.device;
  const backends = [...new Set([backend, ...record.cells.map(({ device }) => device)])];
  const conditions = [
    dtype.length === 1 ? choiceText(tr, dtype[0] ?? '') : dtype.join(' / '),
    ...(pools
      ? []
      : [`${tr('setting.batch')} ${batch.map(int).join(' / ')}`, policyText(record, { tr, int })]),
    backends.map((one) => choiceText(tr, one)).join(' / '),
    ...(backend === 'webgpu' && !pools ? [modesText(record)] : []),
  ].join(', ');
  // With the model's name where there are several: one may fail beside others that are equal to the byte.
  const several = new Set(record.recipe.model).size > 1;
  const failedNames = [
    ...new Set(
      failed.map(({ name, model }) =>
        several && model !== null ? `${tr(`check.${name}`)} (${modelName(model, tr)})` : tr(`check.${name}`),
      ),
    ),
  ].join('; ');
  return (
    <div class={running ? 'verdict' : good ? 'verdict is-good' : 'verdict is-bad'}>
      <p class="verdict-sentence" data-testid="verdict">
        {!running && (
          <span class="verdict-sign" aria-hidden="true">
            {good ? '✓' : '✗'}
          </span>
        )}
        {running && <span class="muted">{tr('verdict.running')} </span>}
        {first}
        {!running &&
          failed.length > 0 &&
          ` ${tr('verdict.checksFailed', {
            failed: failed.length,
            names: failedNames,
          })}`}
        {!running && cutShort && ` ${tr('verdict.cutShort')}`}
      </p>
      {more.map((sentence) => (
        <p key={sentence} class="verdict-sentence">
          {sentence}
        </p>
      ))}
      <p class="hint">{tr('result.conditions', { conditions })}</p>
      {store.imported.value && (
        <p class="hint">{tr('result.imported', { when: formatTime(record.createdAt, language) })}</p>
      )}
      <RecordBadges record={record} />
      {children}
      <ScaledBadges record={record} />
    </div>
  );
}
