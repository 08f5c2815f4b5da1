/** The charts of the policies report, and the switch between their lines: policies, allocator modes, or the levels of one policy. */
import { useSignal, type Signal } from '@preact/signals';
import { POLICY_LINES, type PolicyLines, type PolicyPicture } from '../../charts/policies-chart';
import { contextCosts, measuredSubjects, type PolicyLevel } from '../../charts/policies-rows';
import type { Allocator, Policy } from '../../protocol/recipe';
import type { LabRecord } from '../../protocol/record';
import { Chart } from '../chart';
import { useUi } from '../context';
import type { PoliciesTexts } from './words';

/** From the formula outwards, as everywhere. */
const CHOSEN_LEVELS: readonly PolicyLevel[] = ['formula', 'used', 'tensor', 'resident', 'device', 'peak'];

interface Choice {
  lines: PolicyLines;
  policy: Policy | null;
  allocator: Allocator | null;
  level: PolicyLevel | null;
  batch: number | null;
}

export function Pictures({ record }: { record: LabRecord }) {
  const { tr, int } = useUi<PoliciesTexts>();
  const choice = useSignal<Choice>({
    ...{ lines: 'policies', policy: null, allocator: null, level: null, batch: null },
  });
  const picture = pictureOf(record, choice.value);
  if (picture === null) return null;
  const { lines, policy, allocator, level } = picture;
  const subject = {
    level: tr(`policies.level.${level}`),
    policy,
    mode: modeText(record, allocator, tr('badge.wasm')),
  };
  const several = new Set(record.cells.map(({ batch }) => batch)).size > 1;
  const table = tr('policies.table');
  const costs = lines === 'levels' ? 'policies' : lines;
  const ofWhat = costs === 'policies' ? subject.mode : policy;
  return (
    <div class="report-grid">
      <div class="charts">
        <Choices record={record} choice={choice} picture={picture} />
        <Chart
          // Lines and levels are drawn with other parts of Chart.js.
          key={lines === 'levels' ? 'levels' : 'lines'}
          kind="policies"
          input={picture}
          title={tr(`policies.chart.of.${lines}`, subject)}
          table={table}
        />
        <p class="hint">
          {several && `${tr('policies.chart.batch', { batch: int(picture.batch) })} `}
          {tr('policies.chart.hint')}
        </p>
        <div class="chart-row">
          <div>
            <Chart
              kind="policyTimes"
              input={picture}
              title={`${tr('policies.chart.time')} · ${ofWhat}`}
              table={table}
            />
            <p class="hint">{useWarmUp(picture)}</p>
          </div>
          <div>
            <Chart
              kind="policyCopies"
              input={picture}
              title={`${tr('policies.chart.copies')} · ${ofWhat}`}
              table={table}
            />
            <p class="hint">{tr('policies.chart.copies.hint')}</p>
          </div>
        </div>
      </div>
    </div>
  );
}

/** What is drawn: as chosen, or the first that was measured; device peaks where there are any, else tensor bytes. Null without data. */
function pictureOf(record: LabRecord, choice: Choice): PolicyPicture | null {
  const { policies, allocators, batches } = measuredSubjects(record);
  const [policy] = policies;
  const [allocator] = allocators;
  const [batch] = batches;
  if (policy === undefined || allocator === undefined || batch === undefined) return null;
  const onDevice = record.cells.some(({ deviceBytes }) => deviceBytes.peak !== null);
  return {
    record,
    lines: choice.lines,
    policy: policies.find((one) => one === choice.policy) ?? policy,
    allocator: allocators.find((one) => one === choice.allocator) ?? allocator,
    level: choice.level ?? (onDevice ? 'peak' : 'tensor'),
    batch: batches.find((one) => one === choice.batch) ?? batch,
  };
}

/** WASM has no allocator modes: its one row a policy says so instead of naming one. */
function modeText({ environment, recipe }: LabRecord, allocator: Allocator, wasm: string): string {
  return (environment?.backend ?? recipe.device) === 'wasm' ? wasm : allocator;
}

/** How many steps were left out of the medians, of those that the chart's lines are made of. */
function useWarmUp(picture: PolicyPicture): string {
  const { tr, int } = useUi<PoliciesTexts>();
  const { policies, allocators } = measuredSubjects(picture.record);
  const { policy, allocator, batch, lines } = picture;
  const subjects =
    lines === 'allocators'
      ? allocators.map((one) => ({ policy, allocator: one, batch }))
      : policies.map((one) => ({ policy: one, allocator, batch }));
  const costs = subjects.flatMap((subject) => contextCosts(picture.record, subject));
  const warmUp = costs.reduce((sum, one) => sum + one.warmUp, 0);
  const all = costs.reduce((sum, one) => sum + one.warmUp + one.steps, 0);
  return tr(warmUp === 0 ? 'policies.chart.time.none' : 'policies.chart.time.hint', {
    warmUp: int(warmUp),
    all: int(all),
  });
}

interface ChoicesProps {
  record: LabRecord;
  choice: Signal<Choice>;
  picture: PolicyPicture;
}

/** Two of level, policy and mode are chosen; the third is what the lines are. */
function Choices({ record, choice, picture }: ChoicesProps) {
  const { tr, int } = useUi<PoliciesTexts>();
  const { policies, allocators, batches } = measuredSubjects(record);
  const { lines } = picture;
  const set = (patch: Partial<Choice>) => {
    choice.value = { ...choice.value, ...patch };
  };
  const wasm = (record.environment?.backend ?? record.recipe.device) === 'wasm';
  return (
    <div class="policies-choices" data-testid="policies-choices">
      <fieldset>
        <legend>{tr('policies.chart.lines')}</legend>
        <div class="checks">
          {POLICY_LINES.filter((one) => one !== 'allocators' || !wasm).map((one) => (
            <label key={one} class="check">
              <input
                type="radio"
                name="policies-lines"
                value={one}
                checked={one === lines}
                onChange={() => {
                  set({ lines: one });
                }}
              />
              {tr(`policies.lines.${one}`)}
            </label>
          ))}
        </div>
      </fieldset>
      {lines !== 'levels' && (
        <Select
          id="policies-choice-level"
          label={tr('policies.chart.level')}
          values={CHOSEN_LEVELS}
          value={picture.level}
          text={(level) => tr(`policies.level.${level}`)}
          onChange={(level) => {
            set({ level });
          }}
        />
      )}
      {lines !== 'policies' && (
        <Select
          id="policies-choice-policy"
          label={tr('policies.col.policy')}
          values={policies}
          value={picture.policy}
          onChange={(policy) => {
            set({ policy });
          }}
        />
      )}
      {lines !== 'allocators' && !wasm && (
        <Select
          id="policies-choice-allocator"
          label={tr('policies.col.mode')}
          values={allocators}
          value={picture.allocator}
          onChange={(allocator) => {
            set({ allocator });
          }}
        />
      )}
      {batches.length > 1 && (
        <Select
          id="policies-choice-batch"
          label={tr('setting.batch')}
          values={batches.map(String)}
          value={String(picture.batch)}
          text={(batch) => int(Number(batch))}
          onChange={(batch) => {
            set({ batch: Number(batch) });
          }}
        />
      )}
    </div>
  );
}

interface SelectProps<Value extends string> {
  id: string;
  label: string;
  values: readonly Value[];
  value: Value;
  text?: (value: Value) => string;
  onChange: (value: Value) => void;
}

function Select<Value extends string>({
  id,
  label,
  values,
  value,
  text = String,
  onChange,
}: SelectProps<Value>) {
  return (
    <div class="policies-choice">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = values.find((one) => one === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {text(one)}
          </option>
        ))}
      </select>
    </div>
  );
}
