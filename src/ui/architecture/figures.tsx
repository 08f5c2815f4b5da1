/** The four figures, each of which opens to the formula with its numbers put in and the fields that they came from. */
import type { EngineBytes } from '../../geometry/engines';
import type { KvDtype } from '../../geometry/engines/kv-dtype';
import type { InputModel } from '../config-input/config-input';
import { useUi } from '../context';
import { Exact } from '../exact';
import { ConfigFields } from './config-fields';
import { derive, sumOf, type DerivationLine } from './derivation';
import { lineText, numberText } from './derivation-text';

interface Props {
  model: InputModel;
  dtype: KvDtype;
  batch: number;
  tokens: number;
  /** Of the ideal cache. */
  size: EngineBytes;
}

export function Figures({ model, dtype, batch, tokens, size }: Props) {
  const { tr } = useUi<'architecture' | 'input'>();
  const lines = derive(model.geometry, { dtype, tokens });
  const many = batch === 1 ? 'arch.figure.totalOne' : 'arch.figure.totalMany';
  const capped = model.geometry.caches.some(({ capTokens }) => capTokens !== null);
  return (
    <dl class="figure-row architecture-figures">
      <Figure
        title={tr('arch.figure.first')}
        unit={tr('arch.perToken')}
        value={size.bytesPerTokenFirst}
        {...{ model, lines: lines.first, per: 'token', testId: 'figure-first' }}
      />
      <Figure
        title={tr('arch.figure.far')}
        unit={tr('arch.perToken')}
        value={size.bytesPerTokenFar}
        capped={capped}
        {...{ model, lines: lines.far, per: 'token', testId: 'figure-far' }}
      />
      <Figure
        title={tr('arch.figure.fixed')}
        unit={`${tr('unit.bytes')} ${tr('arch.perSequence')}`}
        value={size.fixedBytes}
        {...{ model, lines: lines.fixed, per: 'sequence', testId: 'figure-fixed' }}
      />
      <Figure
        title={tr(many, { batch, tokens })}
        unit={tr('unit.bytes')}
        value={size.bytes}
        batch={batch}
        {...{ model, lines: lines.total, per: 'sequence', testId: 'figure-total' }}
      />
    </dl>
  );
}

interface FigureProps {
  title: string;
  unit: string;
  value: number;
  model: InputModel;
  lines: DerivationLine[];
  per: 'token' | 'sequence';
  testId: string;
  batch?: number;
  /** Some entries do not grow any more in the long run. */
  capped?: boolean;
}

function Figure({ title, unit, value, model, lines, per, testId, batch = 1, capped = false }: FigureProps) {
  const { tr, size } = useUi<'architecture' | 'input'>();
  const whole = Number.isInteger(value);
  const sum = sumOf(lines);
  return (
    <div class="figure figure-formula" data-testid={testId}>
      <dt>{title}</dt>
      <dd>
        <Exact value={value} {...(whole ? {} : { text: numberText(value) })} />{' '}
        <span class="unit">{unit}</span>
        {value >= 1024 && <span class="figure-note">{size(value)}</span>}
        <details class="derivation">
          <summary>{tr('arch.how')}</summary>
          {lines.length === 0 ? (
            <p>{tr('arch.how.none')}</p>
          ) : (
            <ul>
              {lines.map((line) => (
                <li key={`${line.kind} ${line.layers.join()} ${line.factors.length}`}>
                  {lineText(line, per, tr)}
                </li>
              ))}
              {capped && <Capped model={model} />}
              {lines.length > 1 && (
                <li>
                  {tr('arch.how.sum')} = {numberText(sum)}
                </li>
              )}
              {!Number.isInteger(sum) && whole && <li>{tr('arch.how.roundUp')}</li>}
              {batch > 1 && <li>{tr('arch.how.batch', { batch, bytes: value })}</li>}
            </ul>
          )}
          {model.from === 'hand' ? (
            <p class="hint">{tr('arch.how.handFields')}</p>
          ) : (
            <ConfigFields geometry={model.geometry} />
          )}
        </details>
      </dd>
    </div>
  );
}

/** What stops growing at which length. */
function Capped({ model: { geometry } }: { model: InputModel }) {
  const { tr } = useUi<'architecture' | 'input'>();
  const caps = new Map(
    geometry.caches.flatMap(({ kind, capTokens }) =>
      capTokens === null ? [] : [[`${kind} ${capTokens}`, { kind, cap: capTokens }] as const],
    ),
  );
  return (
    <>
      {[...caps].map(([key, { kind, cap }]) => (
        <li key={key}>{tr('arch.how.capped', { kind: tr(`kind.${kind}`), cap })}</li>
      ))}
    </>
  );
}
