/** What a transformers.js graph keeps at a few lengths, the WebGPU buffers that it would sit in, and how far one buffer reaches. */
import { formulaBytes } from '../../geometry/bytes';
import { underGraphRule } from '../../geometry/engines/graph';
import type { Geometry } from '../../geometry/geometry';
import { expectedResidentBytes, tensorCeiling, type BufferLimits } from '../../geometry/gpu-buffers';
import { DTYPE_BYTES, type Dtype } from '../../protocol/recipe';
import { useUi } from '../context';
import { choiceText } from '../option-field';
import { ScrollTable } from '../table';

/** Lengths of the table, in tokens; those of the first article, and one token past a power of two. */
const LENGTHS = [1, 128, 129, 512, 1024, 2048, 4096, 32768];
/** Element types of exported graphs' caches. */
const DTYPES = ['fp32', 'fp16'] as const satisfies readonly Dtype[];

export function Buffers({ geometry, batch }: { geometry: Geometry; batch: number }) {
  const { tr } = useUi<'architecture'>();
  return (
    <details class="architecture-part">
      <summary>
        <h3>{tr('arch.buffers')}</h3>
      </summary>
      <ScrollTable
        caption={tr('calc.atLengths', { batch })}
        head={[
          tr('table.tokens'),
          ...DTYPES.flatMap((dtype) => [choiceText(tr, dtype), tr('calc.inBuffers', { dtype })]),
        ]}
        textColumns={[]}
      >
        {LENGTHS.map((tokens) => (
          <LengthRow key={tokens} geometry={geometry} tokens={tokens} batch={batch} />
        ))}
      </ScrollTable>
      <p class="hint">{tr('calc.buffersHow')}</p>
      <Ceilings geometry={geometry} batch={batch} />
    </details>
  );
}

interface RowProps {
  geometry: Geometry;
  tokens: number;
  batch: number;
}

function LengthRow({ geometry, tokens, batch }: RowProps) {
  const { tr, int } = useUi<'architecture'>();
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
  const { tr, int, size } = useUi<'architecture'>();
  const request = { batch, tokens, elementBytes: DTYPE_BYTES[dtype] };
  const bytes = bytesOrNull(underGraphRule(geometry), request);
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
  const { tr, store } = useUi<'architecture'>();
  const limits = bufferLimits(store.probe.value.limits);
  if (limits === null) return null;
  return (
    <ul class="hint" data-testid="config-ceilings">
      {DTYPES.map((dtype) => {
        const size = { batch, elementBytes: DTYPE_BYTES[dtype] };
        const { tokens, tensor, limit, allowed } = tensorCeiling(geometry, size, limits);
        // Of states alone, no tensor grows.
        if (!Number.isFinite(tokens)) return null;
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
