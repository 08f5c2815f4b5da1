/** What decides the cache of a model from outside, as its config.json says. */
import { bytesPerToken } from '../../geometry/bytes';
import { underGraphRule } from '../../geometry/engines/graph';
import type { Geometry } from '../../geometry/geometry';
import { readGeometry } from '../../geometry/read-config';
import type { LookedUp } from '../../lab/look-up';
import { toFault, type Fault } from '../../protocol/faults';
import { DTYPE_BYTES } from '../../protocol/recipe';
import { FactRows, type Fact } from '../fact-rows';
import { useHubUi } from './text';

export function OutsideFacts({ found }: { found: LookedUp }) {
  const { tr, hub, store, int, faultSentence } = useHubUi();
  const geometry = geometryOf(found.config);
  const parameters: Fact[] =
    found.parameters === null ? [] : [[tr('models.parameters'), int(found.parameters)]];
  if ('code' in geometry) {
    return (
      <>
        <Facts facts={parameters} />
        <p class="hint">{hub('hub.fromGraph', { why: faultSentence(geometry) })}</p>
      </>
    );
  }
  const dtype = store.recipe.value.dtype[0] ?? 'fp32';
  return (
    <>
      <Facts
        facts={[
          [tr('models.layers'), int(geometry.layers)],
          [tr('models.heads'), int(geometry.attentionHeads)],
          [tr('models.kvHeads'), int(geometry.kvHeads)],
          [tr('models.headDim'), int(geometry.headDim)],
          [tr('models.bytesPerToken'), int(bytesPerToken(geometry, DTYPE_BYTES[dtype]))],
          [
            tr('models.maxPositions'),
            geometry.maxPositions === null ? tr('models.noLimit') : int(geometry.maxPositions),
          ],
          ...parameters,
        ]}
      />
      <p class="hint">{hub('hub.perTokenHint', { dtype })}</p>
    </>
  );
}

/** The geometry by config.json as an export keeps it, or why it is not read from there. */
function geometryOf(config: unknown): Geometry | Fault {
  try {
    return underGraphRule(readGeometry(config));
  } catch (error) {
    return toFault(error, 'config-not-json');
  }
}

function Facts({ facts }: { facts: Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      <FactRows facts={facts} />
    </dl>
  );
}
