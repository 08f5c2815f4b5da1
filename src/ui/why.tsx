/** Why resident bytes jump while tensor bytes grow by one token, told beside the chart with the run's own numbers. */
import { findModel } from '../model/catalog';
import type { LabRecord } from '../protocol/record';
import { useUi } from './context';

interface Example {
  model: string;
  tokens: number;
  /** Bytes of one cache tensor, and of the buffer that holds it. */
  tensor: number;
  resident: number;
  count: number;
}

/** The point with the most slack, for one of its tensors; null when none has any or the tensors are not alike. */
export function slackExample(record: LabRecord): Example | null {
  const points = [
    ...record.cells.map(({ model, tokens, tensorBytes, residentBytes }) => ({
      model,
      tokens,
      tensorBytes,
      residentBytes,
    })),
    ...record.growth.flatMap(({ model, steps }) =>
      steps.map(({ tokens, tensorBytes, residentBytes }) => ({ model, tokens, tensorBytes, residentBytes })),
    ),
  ];
  let best: Example | null = null;
  for (const { model, tokens, tensorBytes, residentBytes } of points) {
    // One key and one value tensor a layer.
    const count = 2 * (findModel(model)?.geometry.layers ?? 0);
    if (tensorBytes === null || residentBytes === null || count === 0) continue;
    const [tensor, resident] = [tensorBytes / count, residentBytes / count];
    if (!Number.isInteger(tensor) || !Number.isInteger(resident) || resident <= tensor) continue;
    if (best === null || resident / tensor > best.resident / best.tensor) {
      best = { model, tokens, tensor, resident, count };
    }
  }
  return best;
}

export function WhyResidentJumps({ record }: { record: LabRecord }) {
  const { tr, int } = useUi();
  const mode = record.environment?.allocator ?? record.recipe.allocator;
  const wasm = (record.environment?.backend ?? record.recipe.device) === 'wasm';
  const example = slackExample(record);
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
                model: findModel(example.model)?.name ?? example.model,
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
