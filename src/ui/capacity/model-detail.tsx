/** One model figure by figure: each opens to its derivation; what-ifs; what the engine's number leaves out. */
import type { FoundModel } from '../../experiments/capacity';
import type { Geometry } from '../../geometry/geometry';
import type { CapacityResult, PlannedModel } from '../../protocol/capacity';
import { ConfigFields } from '../architecture/config-fields';
import { CopyTable } from '../architecture/copy-table';
import { numberText } from '../architecture/derivation-text';
import { noteText } from '../architecture/note-text';
import { useUi } from '../context';
import { Exact } from '../exact';
import { ScrollTable } from '../table';
import { cacheLines, largestLines, roomLines, sessionLines, tokenLines } from './derivations';
import { countText, reasonText, sourceText } from './sentences';
import type { CapacityTexts } from './words';

interface Props {
  result: CapacityResult;
  model: PlannedModel;
  found: FoundModel;
}

/** A browser holds the downloaded file while the GPU gets its copy (transformers.js issue 1154). */
const LOADING_TIMES = 2;

export function ModelDetail({ result, model, found }: Props) {
  const { tr, language } = useUi<CapacityTexts>();
  const { state } = result;
  const context = { result, model, found, tr };
  const { name, weights, reason, largestContext } = model;
  if (found.cache === null || model.rows.length === 0)
    return reason === null ? null : (
      <section>
        <h3>{tr('cap.model.title', { name })}</h3>
        <p class="message message-warn">{reasonText(reason, tr, model.id)}</p>
      </section>
    );
  const bytes = tr('unit.bytes');
  const one = state.sessions === 1;
  const reserved = isReserved(result, model);
  // The planner's figures are of all GPUs together.
  const notes = model.notes.filter(({ code }) => code !== 'per-gpu');
  return (
    <section data-testid="capacity-detail" data-model={model.id}>
      <h3>{tr('cap.model.title', { name })}</h3>
      {reason !== null && <p class="message message-warn">{reasonText(reason, tr, model.id)}</p>}
      <dl class="figure-row architecture-figures capacity-figures">
        <Figure
          title={tr('cap.fig.weights')}
          unit={bytes}
          value={weights?.bytes ?? null}
          lines={
            weights === null
              ? [tr('cap.weights.missing')]
              : [
                  tr(`cap.weights.${weights.from}`, { source: sourceText(weights.source, tr) }),
                  ...(weights.atLeast ? [tr('cap.weights.atLeast')] : []),
                  tr('cap.weights.loading', { bytes: LOADING_TIMES * weights.bytes }),
                ]
          }
        />
        <Figure
          title={tr('cap.fig.room')}
          unit={bytes}
          value={model.budgetBytes}
          lines={roomLines(context)}
        />
        <Figure
          title={tr('cap.fig.perToken')}
          unit={tr('cap.unit.perToken')}
          value={model.bytesPerTokenFirst}
          {...(reserved ? { text: tr('cap.reserved') } : {})}
          lines={cacheLines(context, 'first')}
          {...('geometry' in found.cache ? { fields: found.cache.geometry } : {})}
        />
        {model.bytesPerTokenFar !== model.bytesPerTokenFirst && (
          <Figure
            title={tr('cap.fig.far')}
            unit={tr('cap.unit.perToken')}
            value={model.bytesPerTokenFar}
            lines={cacheLines(context, 'far')}
          />
        )}
        {model.fixedBytes > 0 && (
          <Figure
            title={tr(reserved ? 'cap.fig.reserved' : 'cap.fig.fixed')}
            unit={bytes}
            value={model.fixedBytes}
            lines={cacheLines(context, 'fixed')}
          />
        )}
        <Figure
          title={tr('cap.fig.tokens')}
          unit={tr('unit.tokens')}
          value={model.kvTokens}
          {...(isOver(found, model.kvTokens) ? { note: tr('cap.overMaximum.short') } : {})}
          lines={tokenLines(context)}
        />
        <Figure
          title={tr(one ? 'cap.fig.largestOne' : 'cap.fig.largest', { sessions: state.sessions })}
          unit={tr('unit.tokens')}
          value={largestContext?.tokens ?? null}
          {...(largestContext?.overMaximum === true ? { note: tr('cap.overMaximum.short') } : {})}
          lines={largestLines(context)}
        />
        <Figure
          title={tr('cap.sessions.title')}
          unit=""
          value={null}
          text={model.rows.map(({ sessions }) => countText(sessions, tr)).join(' / ')}
          lines={sessionLines(context)}
        />
      </dl>
      <WhatIfs model={model} contexts={state.contexts} reserved={reserved} />
      {notes.length > 0 && (
        <>
          <h4>{tr('cap.notes')}</h4>
          <ul class="plain hint">
            {notes.map((note) => (
              <li key={note.code}>{noteText(language, note)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Whether the engine reserves a session's whole cache in advance, so that a token adds nothing. */
function isReserved({ state }: CapacityResult, { bytesPerTokenFirst, fixedBytes }: PlannedModel): boolean {
  return state.engine === 'preallocated' && bytesPerTokenFirst === 0 && fixedBytes > 0;
}

/** Whether one sequence of so many tokens is longer than the model was made for. */
function isOver({ cache }: FoundModel, tokens: PlannedModel['kvTokens']): boolean {
  const maximum = cache !== null && 'geometry' in cache ? cache.geometry.maxPositions : null;
  return maximum !== null && typeof tokens === 'number' && tokens > maximum;
}

interface FigureProps {
  title: string;
  unit: string;
  value: number | 'unbounded' | null;
  /** In place of the value. */
  text?: string;
  note?: string;
  lines: string[];
  /** Whose fields of config.json are named. */
  fields?: Geometry;
}

function Figure({ title, unit, value, text, note, lines, fields }: FigureProps) {
  const { tr, size } = useUi<CapacityTexts>();
  const isBytes = unit === tr('unit.bytes');
  return (
    <div class="figure figure-formula">
      <dt>{title}</dt>
      <dd>
        {text ??
          (typeof value === 'number' ? (
            <Exact value={value} {...(Number.isInteger(value) ? {} : { text: numberText(value) })} />
          ) : (
            <span class="unmeasured">{countText(value, tr)}</span>
          ))}{' '}
        {typeof value === 'number' && <span class="unit">{unit}</span>}
        {isBytes && typeof value === 'number' && value >= 1024 && (
          <span class="figure-note">{size(value)}</span>
        )}
        {note !== undefined && <span class="figure-note">{note}</span>}
        {lines.length > 0 && (
          <details class="derivation">
            <summary>
              {tr('cap.how')}
              <span class="visually-hidden">: {title}</span>
            </summary>
            <ul>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {fields !== undefined && <ConfigFields geometry={fields} />}
          </details>
        )}
      </dd>
    </div>
  );
}

interface WhatIfProps {
  model: PlannedModel;
  contexts: readonly number[];
  reserved: boolean;
}

function WhatIfs({ model, contexts, reserved }: WhatIfProps) {
  const { tr, int } = useUi<CapacityTexts>();
  const title = tr('cap.whatIf.table', { name: model.name });
  const head = [
    tr('cap.col.case'),
    tr('cap.col.perToken'),
    tr('cap.col.kvTokens'),
    ...contexts.map((tokens) => tr('cap.col.sessionsAt', { tokens })),
  ];
  const { bytesPerTokenFirst, kvTokens, rows } = model;
  const cases = [{ what: 'planned' as const, bytesPerTokenFirst, kvTokens, rows }, ...model.whatIf];
  return (
    <>
      <h4>{tr('cap.whatIf')}</h4>
      <ScrollTable caption={title} hideCaption testId="capacity-what-if" head={head}>
        {cases.map((line) => (
          <tr key={line.what} data-case={line.what}>
            <th scope="row" class="text">
              {tr(`cap.case.${line.what}`)}
            </th>
            <td>{reserved ? tr('cap.reserved') : numberText(line.bytesPerTokenFirst)}</td>
            <td>{countText(line.kvTokens, tr)}</td>
            {line.rows.map(({ tokens, sessions, sessionBytes }) => (
              <td key={tokens} data-tokens={tokens}>
                {sessionBytes === null
                  ? tr('cap.notPossible')
                  : typeof sessions === 'number'
                    ? int(sessions)
                    : countText(sessions, tr)}
              </td>
            ))}
          </tr>
        ))}
      </ScrollTable>
      <p class="hint">{tr('cap.whatIf.source')}</p>
      <CopyTable
        title={title}
        table={{
          head,
          rows: cases.map((line) => [
            tr(`cap.case.${line.what}`),
            reserved ? tr('cap.reserved') : line.bytesPerTokenFirst,
            typeof line.kvTokens === 'number' ? line.kvTokens : countText(line.kvTokens, tr),
            ...line.rows.map(({ sessions }) =>
              typeof sessions === 'number' ? sessions : countText(sessions, tr),
            ),
          ]),
        }}
      />
    </>
  );
}
