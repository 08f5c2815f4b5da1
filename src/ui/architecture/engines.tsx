/** What each engine keeps of the model at the chosen context: bytes, how much more than the ideal, and why. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { KvDtype } from '../../geometry/engines/kv-dtype';
import type { InputModel } from '../config-input/config-input';
import type { ChartProps } from '../chart';
import { useUi } from '../context';
import { lazyPart } from '../lazy-part';
import { ScrollTable } from '../table';
import { CopyTable } from './copy-table';
import { numberText } from './derivation-text';
import {
  engineLines,
  engineRows,
  engineSentence,
  narrowsStates,
  timesText,
  type EngineRow,
} from './engine-rows';
import { engineDerivation } from './engine-derivation';
import { noteText } from './note-text';

const Chart = lazyPart<ChartProps<'engines'>>(async () => (await import('../chart')).Chart, 'report');

interface Props {
  model: InputModel;
  dtype: KvDtype;
  batch: number;
  tokens: number;
}

export function Engines({ model: { geometry, from }, dtype, batch, tokens }: Props) {
  const { tr, language, int } = useUi<'architecture' | 'input'>();
  const rows = useMemo(
    () => engineRows(geometry, { dtype, batch, tokens }),
    [geometry, dtype.id, batch, tokens],
  );
  if (rows === null) return null;
  const title = tr('arch.enginesAt', { batch, tokens, dtype: dtype.name });
  const why = ({ engine, size, refusal }: EngineRow): string[] => {
    if (size === null) return [refusal ?? tr('arch.engine.refused')];
    // Of a catalogue entry, the model may well say it: only the catalogue does not.
    const notes = size.notes.map((note) =>
      from === 'catalogue' && note.code === 'max-tokens-unknown'
        ? tr('arch.engine.maxNotListed', note.params)
        : noteText(language, note),
    );
    const narrow = engine === 'transformers.js' && narrowsStates(geometry, { dtype });
    return [tr(`arch.engine.rule.${engine}`), ...notes, ...(narrow ? [tr('arch.engine.narrowStates')] : [])];
  };
  const head = [
    tr('arch.col.engine'),
    tr('arch.col.bytes'),
    tr('arch.col.times'),
    tr('arch.col.perToken'),
    tr('arch.col.why'),
  ];
  const table = rows.map((row) => [
    tr(`arch.engine.name.${row.engine}`),
    row.size?.bytes ?? tr('arch.engine.refused'),
    row.ratio === null ? '' : timesText(row.ratio),
    row.size?.bytesPerTokenFar ?? '',
    why(row).join(' '),
  ]);
  return (
    <section class="architecture-part" aria-labelledby="engines-title">
      <h3 id="engines-title">{tr('arch.engines')}</h3>
      <p data-testid="engines-says">{engineSentence(rows, tokens, tr)}</p>
      <ScrollTable caption={title} head={head} textColumns={[0, 4]} testId="engines-table">
        {rows.map((row) => (
          <tr key={row.engine}>
            <th scope="row" class="text">
              {tr(`arch.engine.name.${row.engine}`)}
            </th>
            <td class={row.size === null ? 'unmeasured' : undefined}>
              {row.size === null ? tr('arch.engine.refused') : int(row.size.bytes)}
            </td>
            <td>{row.ratio !== null && timesText(row.ratio)}</td>
            <td>{row.size !== null && numberText(row.size.bytesPerTokenFar)}</td>
            <td class="text">
              <ul class="engine-notes">
                {why(row).map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
              {row.size !== null && (
                <details class="derivation">
                  <summary aria-label={`${tr('arch.how')}: ${tr(`arch.engine.name.${row.engine}`)}`}>
                    {tr('arch.how')}
                  </summary>
                  <ul>
                    {engineDerivation(geometry, row.size, { dtype, batch, tokens }, tr).map((line) => (
                      <li key={line}>{line}</li>
                    ))}
                  </ul>
                </details>
              )}
            </td>
          </tr>
        ))}
      </ScrollTable>
      <CopyTable title={title} table={{ head, rows: table }} />
      <Lengths {...{ geometry, dtype, batch, tokens, title }} />
    </section>
  );
}

interface LengthsProps {
  geometry: InputModel['geometry'];
  dtype: KvDtype;
  batch: number;
  tokens: number;
  title: string;
}

/** The same against length; drawn when it is opened. */
function Lengths({ geometry, dtype, batch, tokens, title }: LengthsProps) {
  const { tr, language } = useUi<'architecture'>();
  const opened = useSignal(false);
  const lines = useMemo(
    () =>
      opened.value
        ? engineLines(geometry, { dtype, batch, tokens }, (engine) => tr(`arch.engine.name.${engine}`))
        : [],
    [opened.value, geometry, dtype.id, batch, tokens, language],
  );
  return (
    <details
      data-testid="engines-chart"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) opened.value = true;
      }}
    >
      <summary>{tr('arch.chart')}</summary>
      {opened.value && (
        <Chart kind="engines" input={lines} title={tr('arch.chart')} hideCaption table={title} />
      )}
    </details>
  );
}
