/** What a model's cache takes: one sentence, its figures with their derivations, layer by layer, engine by engine. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { engineBytes, type EngineBytes } from '../../geometry/engines';
import { kvDtype, type KvDtype } from '../../geometry/engines/kv-dtype';
import type { Geometry } from '../../geometry/geometry';
import type { InputModel } from '../config-input/config-input';
import { useUi } from '../context';
import { Buffers } from './buffers';
import { Engines } from './engines';
import { Figures } from './figures';
import { Layers } from './layers';
import { Measure } from './measure';
import { saysOf } from './says';
import { MAX_TOKENS, parseBits, parseTokens, usualDtype, usualTokens } from './settings';
import { Controls, OWN_BITS } from './controls';

export function ArchitectureResult({ model }: { model: InputModel }) {
  const { tr, announce } = useUi<'architecture' | 'input'>();
  const { geometry, name } = model;
  /** Null: what is usual for the model. */
  const tokensText = useSignal<string | null>(null);
  /** Empty: what is usual for the model. */
  const dtypeChoice = useSignal('');
  const bitsText = useSignal('3');
  const batch = useSignal(1);

  const typed = tokensText.value === null ? usualTokens(geometry) : parseTokens(tokensText.value);
  // What cannot be used is said at its field; the numbers stay those of the last that could.
  const tokens = typed ?? usualTokens(geometry);
  const choice = dtypeChoice.value === '' ? usualDtype(geometry) : dtypeChoice.value;
  const bits = parseBits(bitsText.value);
  const dtype = choice === OWN_BITS ? (bits ?? kvDtype('bf16')) : kvDtype(choice);
  const size = useMemo(
    () => idealOrNull(geometry, { dtype, batch: batch.value, tokens }),
    [geometry, dtype.id, batch.value, tokens],
  );
  const says = size === null ? tr('arch.tooLarge') : saysOf({ name, geometry, dtype }, size, tr);
  useEffect(() => {
    announce(says);
  }, [says]);
  const asked = { model, dtype, batch: batch.value, tokens };
  return (
    <div class="architecture">
      <p class="architecture-says" data-testid="architecture-says">
        {says}
      </p>
      <Controls
        {...{ tokensText, dtypeChoice, bitsText, batch, choice }}
        usual={usualTokens(geometry)}
        tokensFault={typed === null ? tr('arch.tokensBad', { max: MAX_TOKENS }) : null}
        bitsFault={choice === OWN_BITS && bits === null ? tr('arch.bitsBad') : null}
        over={geometry.maxPositions !== null && tokens > geometry.maxPositions ? geometry.maxPositions : null}
      />
      {size !== null && <Figures {...asked} size={size} />}
      <Layers model={model} dtype={dtype} />
      <Engines {...asked} />
      <Measure model={model} />
      <Buffers geometry={geometry} batch={batch.value} />
    </div>
  );
}

/** Null above 2^53 bytes, where the number is no longer exact. */
function idealOrNull(
  geometry: Geometry,
  options: { dtype: KvDtype; batch: number; tokens: number },
): EngineBytes | null {
  try {
    return engineBytes(geometry, 'ideal', options);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
