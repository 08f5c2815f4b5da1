/** What a geometry comes to: bytes per token, formula bytes at a few lengths, and what GPU buffers make of them. */
import { useSignal } from '@preact/signals';
import { bytesPerToken, formulaBytes } from '../geometry/bytes';
import { expectedResidentBytes, tensorCeiling, type BufferLimits } from '../geometry/gpu-buffers';
import type { Geometry } from '../geometry/geometry';
import { DTYPE_BYTES, type Dtype } from '../protocol/recipe';
import { useUi } from './context';
import { Exact } from './exact';
import { choiceText } from './option-field';
import { ScrollTable } from './table';

/** Lengths of the table, in tokens; those of the first article, and one token past a power of two. */
const LENGTHS = [1, 128, 129, 512, 1024, 2048, 4096, 32768];
/** Element types that a cache is commonly kept in; bfloat16 has the size of float16. */
const DTYPES = ['fp32', 'fp16'] as const satisfies readonly Dtype[];
const BATCHES = [1, 2, 4, 8, 16, 32];

export function GeometryResult({ geometry }: { geometry: Geometry }) {
  const { tr, int } = useUi<'calculator'>();
  const batch = useSignal(1);
  const { modelType, layers, attentionHeads, kvHeads, headDim, maxPositions } = geometry;
  return (
    <>
      <p>
        <strong>{modelType}</strong>:{' '}
        {tr('calc.asHidden', { layers, heads: attentionHeads, kvHeads, headDim })}
        {maxPositions !== null && ` · ${tr('models.maxPositions')} ${int(maxPositions)}`}
      </p>
      <dl class="figure-row">
        {DTYPES.map((dtype) => (
          <div key={dtype} class="figure figure-formula">
            <dt>
              {tr('calc.perToken')}, {choiceText(tr, dtype)}
            </dt>
            <dd>
              <Exact value={bytesPerToken(geometry, DTYPE_BYTES[dtype])} />{' '}
              <span class="unit">{tr('unit.bytes')}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div class="field">
        <label for="calc-batch">{tr('setting.batch')}</label>
        <select
          id="calc-batch"
          value={batch.value}
          onChange={(event) => {
            batch.value = Number(event.currentTarget.value);
          }}
        >
          {BATCHES.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </div>
      <ScrollTable
        caption={tr('calc.atLengths', { batch: batch.value })}
        head={[
          tr('table.tokens'),
          ...DTYPES.flatMap((dtype) => [choiceText(tr, dtype), tr('calc.inBuffers', { dtype })]),
        ]}
        textColumns={[]}
      >
        {LENGTHS.map((tokens) => (
          <LengthRow key={tokens} geometry={geometry} tokens={tokens} batch={batch.value} />
        ))}
      </ScrollTable>
      <p class="hint">{tr('calc.buffersHow')}</p>
      <Ceilings geometry={geometry} batch={batch.value} />
    </>
  );
}

interface RowProps {
  geometry: Geometry;
  tokens: number;
  batch: number;
}

function LengthRow({ geometry, tokens, batch }: RowProps) {
  const { tr, int } = useUi<'calculator'>();
  const { maxPositions } = geometry;
  return (
    <tr>
      <th scope="row">{int(tokens)}</th>
      {maxPositions !== null && tokens > maxPositions ? (
        <td colSpan={2 * DTYPES.length} class="unmeasured">
          {tr('calc.overMax', { maximum: maxPositions })}
        </td>
      ) : (
        DTYPES.map((dtype) => <SizeCells key={dtype} {...{ geometry, tokens, batch, dtype }} />)
      )}
    </tr>
  );
}

function SizeCells({ geometry, tokens, batch, dtype }: RowProps & { dtype: Dtype }) {
  const { tr, int, size } = useUi<'calculator'>();
  const request = { batch, tokens, elementBytes: DTYPE_BYTES[dtype] };
  const bytes = bytesOrNull(geometry, request);
  if (bytes === null) {
    return (
      <td colSpan={2} class="unmeasured">
        {tr('calc.tooLarge')}
      </td>
    );
  }
  return (
    <>
      <td>
        {int(bytes)} {bytes >= 1024 && <span class="muted">({size(bytes)})</span>}
      </td>
      <td class="muted">{int(expectedResidentBytes(geometry, request, true))}</td>
    </>
  );
}

/** The context at which one tensor fills the largest buffer of the GPU at hand; nothing where there is no GPU. */
function Ceilings({ geometry, batch }: { geometry: Geometry; batch: number }) {
  const { tr, store } = useUi<'calculator'>();
  const limits = bufferLimits(store.probe.value.limits);
  if (limits === null) return null;
  return (
    <ul class="hint" data-testid="config-ceilings">
      {DTYPES.map((dtype) => {
        const size = { batch, elementBytes: DTYPE_BYTES[dtype] };
        const { tokens, tensor, limit, allowed } = tensorCeiling(geometry, size, limits);
        return (
          <li key={dtype}>
            {tr('calc.ceiling', { dtype: choiceText(tr, dtype), tokens, batch, tensor, limit, allowed })}
          </li>
        );
      })}
    </ul>
  );
}

function bufferLimits({
  maxBufferSize,
  maxStorageBufferBindingSize,
}: Record<string, number>): BufferLimits | null {
  return maxBufferSize === undefined || maxStorageBufferBindingSize === undefined
    ? null
    : { maxBufferSize, maxStorageBufferBindingSize };
}

/** Formula bytes; null where they are no exact integer any more. */
function bytesOrNull(geometry: Geometry, size: Parameters<typeof formulaBytes>[1]): number | null {
  try {
    return formulaBytes(geometry, size);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
