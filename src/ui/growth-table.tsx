/** The table of decode steps of each growth run. Long runs show their end; the files have every step. */
import { loadedModel } from '../protocol/loaded-model';
import { contentDeltas, isPreallocated } from '../protocol/content';
import type { Growth, LabRecord, Step } from '../protocol/record';
import { isTwinId } from '../protocol/model-name';
import { Badge, TwinBadges } from './badges';
import { useUi } from './context';
import { modelName } from './model-name';
import { NotMeasured, useWhyNotMeasured } from './not-measured';
import { choiceText } from './option-field';
import { BytesCell, ScrollTable } from './table';

/** Rows that are drawn: while running few, so that drawing takes nothing from the run. */
const MOST_ROWS = { running: 32, ended: 512 };

export function GrowthTable({ record }: { record: LabRecord }) {
  const { tr } = useUi<'report'>();
  return (
    <section aria-labelledby="growth-title">
      <h3 id="growth-title">{tr('table.growth')}</h3>
      {record.growth.map((growth, index) => (
        <OneGrowth
          key={index}
          growth={growth}
          record={record}
          {...(index === 0 ? { testId: 'growth-table' } : {})}
        />
      ))}
      <NotMeasured record={record} />
    </section>
  );
}

/** Whether the tensors are the formula's: at the tokens, or at the room of a preallocated cache. */
function right({ tensorBytes, formulaBytes, roomFormulaBytes }: Step): boolean {
  return tensorBytes === (roomFormulaBytes ?? formulaBytes);
}

function OneGrowth({ growth, record, testId }: { growth: Growth; record: LabRecord; testId?: string }) {
  const { tr, int, faultSentence } = useUi<'report'>();
  const why = useWhyNotMeasured(record, growth.device);
  const { steps } = growth;
  const rows = steps.slice(-(record.status === 'running' ? MOST_ROWS.running : MOST_ROWS.ended));
  const perToken = loadedModel(record, growth)?.bytesPerToken ?? null;
  const promptFormula = perToken === null ? null : growth.promptTokens * growth.batch * perToken;
  const { recipe } = record;
  const preallocated = steps.some(isPreallocated);
  const deltas = contentDeltas(growth);
  const skipped = steps.length - rows.length;
  const name = [
    modelName(growth.model, tr),
    ...(recipe.dtype.length > 1 ? [choiceText(tr, growth.dtype)] : []),
    ...(recipe.batch.length > 1 ? [`${tr('setting.batch')} ${int(growth.batch)}`] : []),
  ].join(' · ');
  const repeat = recipe.repeats > 1 ? ` · ${tr('table.repeat')} ${int(growth.repeat + 1)}` : '';
  const cut = growth.fault === null ? growth.interrupted : faultSentence(growth.fault);
  return (
    <>
      {(isTwinId(growth.model) || steps.some(({ background }) => background)) && (
        <p>
          {name} <TwinBadges model={growth.model} />{' '}
          {steps.some(({ background }) => background) && <Badge kind="background" />}
        </p>
      )}
      <ScrollTable
        caption={`${name}${repeat}`}
        {...(testId === undefined ? {} : { testId })}
        head={[
          tr('table.step'),
          tr('table.tokens'),
          tr('table.formula'),
          ...(preallocated ? [tr('table.used'), tr('table.deltaUsed'), tr('table.room')] : []),
          tr(preallocated ? 'table.capacity' : 'table.tensor'),
          tr('table.deltaTensor'),
          tr('table.resident'),
          tr('table.deltaResident'),
          tr('table.device'),
          tr('table.ms'),
        ]}
      >
        {rows.length === steps.length && (
          <tr>
            <th scope="row" class="text">
              {tr('table.prompt')}
            </th>
            <td>{int(growth.promptTokens)}</td>
            <td>{promptFormula === null ? tr('table.notMeasured') : int(promptFormula)}</td>
            {preallocated && (
              <>
                <BytesCell bytes={growth.promptUsedBytes ?? null} why={null} />
                <td class="unmeasured">–</td>
                <td class="unmeasured">–</td>
              </>
            )}
            <td>{int(growth.promptBytes)}</td>
            <td class="unmeasured">–</td>
            <BytesCell bytes={growth.promptResidentBytes} why={why('resident')} />
            <td class="unmeasured">–</td>
            <BytesCell bytes={null} why={null} />
            <BytesCell bytes={null} why={null} />
          </tr>
        )}
        {rows.map((step, index) => (
          <tr key={step.tokens}>
            <th scope="row" class="text">
              {int(steps.length - rows.length + index + 1)}
            </th>
            <td>{int(step.tokens)}</td>
            <td>{int(step.formulaBytes)}</td>
            {preallocated && (
              <>
                <td class={step.usedBytes === step.formulaBytes ? undefined : 'verdict-fail'}>
                  {int(step.usedBytes ?? 0)}
                </td>
                <BytesCell bytes={deltas[skipped + index] ?? null} why={null} signed />
                <td>{int(step.roomTokens ?? 0)}</td>
              </>
            )}
            <td class={right(step) ? undefined : 'verdict-fail'}>{int(step.tensorBytes)}</td>
            <BytesCell bytes={step.deltaTensor} why={null} signed />
            <BytesCell bytes={step.residentBytes} why={why('resident')} />
            <BytesCell bytes={step.deltaResident} why={why('resident')} signed />
            <BytesCell bytes={step.deviceBytes} why={why('device')} />
            <td>
              {int(step.ms)}
              {(step.compiled ?? 0) > 0 && <span class="below">{tr('table.warmUp')}</span>}
            </td>
          </tr>
        ))}
      </ScrollTable>
      {rows.length < steps.length && (
        <p class="hint">{tr('table.cut', { shown: rows.length, total: steps.length })}</p>
      )}
      {cut !== null && <p class="message">{cut}</p>}
    </>
  );
}
