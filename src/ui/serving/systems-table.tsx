/** One row a system, beside the paper's; every column says whether it was read back, is the allocator's, or is simulated. */
import { PAPER_UTILISATION, SERVING_SYSTEMS, type ServingResult } from '../../protocol/serving';
import { useUi } from '../context';
import { Exact } from '../exact';
import { ScrollTable } from '../table';
import { meansOf, percent, type SystemMeans } from './numbers';
import type { ServingTexts } from './words';

const COLUMNS = [
  'system',
  'used',
  'paper',
  'inside',
  'reserved',
  'wasted',
  'free',
  'running',
  'most',
  'steps',
  'preemptions',
  'pool',
  'device',
] as const;
/** Columns that need a system to have been run: all but its name, the share and the paper's. */
const FROM_RUN = COLUMNS.length - 3;

interface Props {
  result: ServingResult;
  running: boolean;
  /** Whether the paper's figures stand beside. */
  ofPaper: boolean;
}

export function SystemsTable({ result, running, ofPaper }: Props) {
  const { tr } = useUi<ServingTexts>();
  const means = meansOf(result);
  const title = tr('serving.table');
  return (
    <section aria-labelledby="serving-table-title">
      <h3 id="serving-table-title">{title}</h3>
      <ScrollTable
        caption={title}
        hideCaption
        testId="serving-table"
        head={COLUMNS.filter((column) => ofPaper || column !== 'paper').map((column) =>
          tr(`serving.table.${column}`),
        )}
      >
        {SERVING_SYSTEMS.map((system) => {
          const one = means.find((known) => known.system === system);
          const percentCell = (share: number | null) =>
            share === null ? <Unmeasured /> : <td>{tr('serving.percent', { share: percent(share) })}</td>;
          return (
            <tr key={system} data-system={system}>
              <th scope="row" class="text">
                {tr(`serving.system.${system}`)}
              </th>
              {one === undefined ? (
                <td class="unmeasured">{tr(running ? 'serving.toCome' : 'serving.notRun')}</td>
              ) : (
                percentCell(one.run.utilisation)
              )}
              {ofPaper && (
                <td>
                  {tr('serving.percent', { share: percent(PAPER_UTILISATION[system]) })}
                  <span class="figure-note">{tr(`serving.paperName.${system}`)}</span>
                </td>
              )}
              {one === undefined ? <td colSpan={FROM_RUN} /> : <Run one={one} percentCell={percentCell} />}
            </tr>
          );
        })}
      </ScrollTable>
    </section>
  );
}

function Unmeasured() {
  const { tr } = useUi<ServingTexts>();
  return <td class="unmeasured">{tr('serving.neverWaited')}</td>;
}

interface RunProps {
  one: SystemMeans;
  percentCell: (share: number | null) => preact.VNode;
}

function Run({ one: { run, shares, running }, percentCell }: RunProps) {
  const { tr, int } = useUi<ServingTexts>();
  const { steps, stepsPlanned, deviceBytes } = run;
  return (
    <>
      {percentCell(run.insideUse)}
      {percentCell(shares?.reserved ?? null)}
      {percentCell(shares?.wasted ?? null)}
      {percentCell(shares?.free ?? null)}
      {running === null ? <Unmeasured /> : <td>{running.toFixed(1)}</td>}
      <td>{int(run.mostRunning)}</td>
      <td>
        {steps < stepsPlanned
          ? tr('serving.stepsOf', { steps: int(steps), of: int(stepsPlanned) })
          : int(steps)}
      </td>
      <td>{int(run.preemptions)}</td>
      <td>
        <Exact value={run.poolBytes} />
      </td>
      {deviceBytes.pool === null ? (
        <td class="unmeasured">{tr('serving.noDevice')}</td>
      ) : (
        <td>
          <Exact value={deviceBytes.pool} />
          {deviceBytes.after !== null && (
            <span class="figure-note">{tr('serving.deviceAfter', { bytes: int(deviceBytes.after) })}</span>
          )}
        </td>
      )}
    </>
  );
}
