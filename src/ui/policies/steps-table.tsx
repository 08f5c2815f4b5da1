/** Every decode step with its time and copies, folded away: which steps were of a warm-up and are in no median. */
import type { LabRecord, Step } from '../../protocol/record';
import type { Growth } from '../../protocol/record';
import { useUi } from '../context';
import { useOpened } from '../hooks';
import { useWhyNotMeasured } from '../not-measured';
import { BytesCell, ScrollTable } from '../table';
import { milliseconds, type PoliciesTexts } from './words';

/** Rows that are drawn; the files have all. */
const MOST_ROWS = 512;

export function StepsTable({ record }: { record: LabRecord }) {
  const { tr, int } = useUi<PoliciesTexts>();
  const { shown, onToggle } = useOpened();
  const steps = record.growth.flatMap((growth) => growth.steps.map((step) => ({ growth, step })));
  if (steps.length === 0) return null;
  const rows = steps.slice(-MOST_ROWS);
  const title = tr('policies.steps', { count: int(steps.length) });
  return (
    <details class="panel panel-inside" onToggle={onToggle}>
      <summary>
        <h3>{title}</h3>
      </summary>
      {shown && (
        <ScrollTable
          caption={title}
          hideCaption
          testId="steps-table"
          head={[
            tr('policies.col.policy'),
            tr('policies.col.mode'),
            tr('policies.chart.context'),
            tr('policies.table.tokens'),
            tr('policies.steps.ms'),
            tr('policies.steps.note'),
            tr('policies.table.copied'),
            tr('policies.table.device'),
            tr('policies.table.peak'),
          ]}
          textColumns={[0, 1, 5]}
        >
          {rows.map(({ growth, step }) => (
            <StepRow key={keyOf(growth, step)} {...{ record, growth, step }} />
          ))}
        </ScrollTable>
      )}
      {rows.length < steps.length && (
        <p class="hint">{tr('policies.steps.cut', { shown: int(rows.length), total: int(steps.length) })}</p>
      )}
    </details>
  );
}

function keyOf({ policy, allocator, batch, repeat, promptTokens }: Growth, { tokens }: Step): string {
  return JSON.stringify([policy, allocator, batch, repeat, promptTokens, tokens]);
}

function StepRow({ record, growth, step }: { record: LabRecord; growth: Growth; step: Step }) {
  const { tr, int, language } = useUi<PoliciesTexts>();
  const why = useWhyNotMeasured(record, growth.device);
  const { compiled = 0 } = step;
  return (
    <tr data-warm-up={compiled > 0}>
      <th scope="row" class="text variant">
        {growth.policy}
      </th>
      <td class="text variant">{growth.device === 'wasm' ? tr('badge.wasm') : growth.allocator}</td>
      <td>{int(growth.promptTokens)}</td>
      <td>{int(step.tokens)}</td>
      <td>{milliseconds(step.ms, language)}</td>
      <td class={compiled > 0 ? 'text unmeasured' : 'text'}>
        {compiled > 0
          ? tr('policies.steps.warmUp', { compiled: int(compiled) })
          : tr('policies.steps.counted')}
      </td>
      <BytesCell bytes={step.copiedBytes ?? null} why={null} />
      <BytesCell bytes={step.deviceBytes} why={why('device')} />
      <BytesCell bytes={step.peakDeviceBytes ?? null} why={why('device')} />
    </tr>
  );
}
