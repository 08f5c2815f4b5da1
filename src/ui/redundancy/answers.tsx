/** Two answers side by side, and what comes before them: a leak, or the wrong way of testing. */
import type { RedundancyResult } from '../../protocol/redundancy';
import { pairName } from '../../charts/redundancy-chart';
import { CHANCE } from '../../redundancy/savings';
import { useUi } from '../context';
import { documentName } from './document-name';
import { places, worstLeak } from './numbers';
import { redundantAnswer, worthAnswer } from './sentences';
import type { RedundancyTexts } from './words';

/** @param random The model's weights are random. */
export function Answers({ result, random }: { result: RedundancyResult; random: boolean }) {
  const { tr, int, size } = useUi<RedundancyTexts>();
  const words = { tr, int, size };
  const redundant = redundantAnswer(result, words);
  const worth = worthAnswer(result, words);
  return (
    <dl class="red-answers" data-testid="redundancy-answers">
      <div>
        <dt>{tr('red.answer.redundant')}</dt>
        <dd>
          <strong data-answer={redundant.answer}>{tr(`red.answer.${redundant.answer}`)}</strong>
          <span>{redundant.why}</span>
          <span class="hint">{tr(random ? 'red.random' : 'red.answer.basis')}</span>
        </dd>
      </div>
      {worth !== null && (
        <div>
          <dt>{tr('red.answer.worth')}</dt>
          <dd>
            <strong data-answer={worth.answer}>{tr(`red.answer.${worth.answer}`)}</strong>
            <span>{worth.why}</span>
            {['hardly', 'little', 'maybe'].includes(worth.answer) && (
              <span class="hint">{tr('red.worth.rule')}</span>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The banner of a leak, which comes before every number. */
export function Leak({ result }: { result: RedundancyResult }) {
  const { tr } = useUi<RedundancyTexts>();
  if (!result.leak) return null;
  const worst = worstLeak(result.pairs);
  const document = worst === null ? undefined : result.documents[worst.document];
  return (
    <div class="message message-error" role="alert" data-testid="leak">
      <p>
        <strong>{tr('red.leak.title')}</strong>
      </p>
      {worst !== null && (
        <p>
          {tr('red.leak', {
            worst: places(worst.value, 3),
            kind: worst.pair.kind,
            pair: pairName(worst.pair),
            document: document === undefined ? tr('red.unknown') : documentName(document.name, tr),
          })}
          {worst.value < CHANCE && ` ${tr('red.leak.chance')}`}
        </p>
      )}
    </div>
  );
}

/** The label of a run that was trained and tested on halves of the same document. */
export function WrongWay({ result }: { result: RedundancyResult }) {
  const { tr, int, store } = useUi<RedundancyTexts>();
  if (result.split !== 'halves') return null;
  const channels = Math.max(...result.channels.flatMap(({ K, V }) => [K, V]));
  const { redundancy } = store.recipe.value;
  return (
    <div class="message message-warn" data-testid="wrong-way">
      <p>
        <strong>{tr('red.halves.title')}</strong>
      </p>
      <p>
        {tr('red.halves', { tokens: int(Math.floor(result.keep / 2)), channels: int(channels) })}{' '}
        {redundancy?.split === 'halves' && (
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              store.setRecipe({ redundancy: { ...redundancy, split: 'documents' } });
            }}
          >
            {tr('red.halves.use')}
          </button>
        )}
      </p>
    </div>
  );
}
