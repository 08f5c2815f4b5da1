/** Why resident bytes jump while tensor bytes grow by one token, told beside the chart with the run's own numbers. */
import { hasPreallocated } from '../protocol/content';
import type { LabRecord } from '../protocol/record';
import { useUi } from './context';
import { modelName } from './model-name';
import { slackExample } from './slack-example';

export function WhyResidentJumps({ record }: { record: LabRecord }) {
  const { tr, int } = useUi<'report'>();
  const mode = record.environment?.allocator ?? record.recipe.allocator;
  const wasm = (record.environment?.backend ?? record.recipe.device) === 'wasm';
  const example = slackExample(record);
  if (hasPreallocated(record))
    return (
      <div class="why">
        <h3>{tr('why.static.title')}</h3>
        <p>{tr('why.static')}</p>
        {record.recipe.policy === 'paged' ? <p>{tr('why.paged')}</p> : !wasm && <p>{tr('why.static.gpu')}</p>}
      </div>
    );
  return (
    <div class="why">
      <h3>{tr('why.title')}</h3>
      {wasm ? (
        <p>{tr('why.wasm')}</p>
      ) : (
        <>
          <p>{mode === 'bucket' ? tr('why.bucket') : tr('why.exact', { mode })}</p>
          {mode === 'bucket' && example !== null && (
            <p>
              {tr('why.example', {
                tokens: example.tokens,
                count: example.count,
                model: modelName(example.model, tr),
                tensor: int(example.tensor),
                resident: int(example.resident),
              })}
            </p>
          )}
          <p class="hint">{tr('why.compare')}</p>
        </>
      )}
    </div>
  );
}
