/** The report of the serving experiment: the sentence, what is real, the shares as figures and pictures, the numbers. */
import type { LabRecord } from '../../protocol/record';
import { PAPER_UTILISATION, SERVING_SYSTEMS } from '../../protocol/serving';
import { Chart } from '../chart';
import { useUi } from '../context';
import { Exact } from '../exact';
import { Verdict } from '../verdict';
import { besidePaper, meansOf, percent, type SystemMeans } from './numbers';
import { Origin } from './origin';
import { SamplesTable } from './samples-table';
import { verdictSentences } from './sentences';
import { SystemsTable } from './systems-table';
import type { ServingTexts } from './words';

export function ServingReport({ record }: { record: LabRecord }) {
  const { tr, int } = useUi<ServingTexts>();
  const result = record.serving ?? null;
  const running = record.status === 'running';
  if (result === null || result.runs.length === 0) {
    const sentence = tr(running ? 'serving.verdict.waiting' : 'serving.verdict.none');
    return <Verdict record={record} sentences={[sentence]} good={false} />;
  }
  const means = meansOf(result);
  const ofPaper = besidePaper(record.recipe);
  const whole = SERVING_SYSTEMS.every((system) => result.runs.some((run) => run.system === system));
  return (
    <>
      <Verdict
        record={record}
        sentences={verdictSentences(result, { tr, int }, { running, ofPaper })}
        good={whole && means.every(({ run }) => run.utilisation !== null)}
      >
        {ofPaper && <p class="hint">{tr('serving.paper.source')}</p>}
      </Verdict>
      <Origin result={result} />
      <div class="report-grid">
        <section class="figures" aria-label={tr('serving.figures')}>
          <dl class="figure-row" data-testid="serving-figures">
            {means.map((one) => (
              <ShareFigure key={one.system} means={one} ofPaper={ofPaper} />
            ))}
          </dl>
        </section>
        <div class="charts">
          <div>
            <Chart
              kind="servingShares"
              input={result}
              title={tr('serving.chart.shares')}
              table={tr('serving.table')}
            />
            <p class="hint">{tr('serving.chart.shares.hint')}</p>
          </div>
          <div>
            <Chart
              kind="servingTime"
              input={result}
              title={tr('serving.chart.time')}
              table={tr('serving.samples', { count: result.runs.flatMap(({ samples }) => samples).length })}
            />
            <p class="hint">{tr('serving.chart.time.hint')}</p>
          </div>
        </div>
      </div>
      <SystemsTable {...{ result, running, ofPaper }} />
      <SamplesTable result={result} />
    </>
  );
}

/** One system: the share of its pool that held tokens, beside the paper's. */
function ShareFigure({ means, ofPaper }: { means: SystemMeans; ofPaper: boolean }) {
  const { system, run, running } = means;
  const { tr, int } = useUi<ServingTexts>();
  const { utilisation, poolBytes } = run;
  const paper = tr('serving.figure.paper', {
    share: percent(PAPER_UTILISATION[system]),
    name: tr(`serving.paperName.${system}`),
  });
  return (
    <div class="figure figure-used">
      <dt>{tr(`serving.system.${system}`)}</dt>
      <dd>
        {utilisation === null ? (
          <span class="unmeasured">{tr('serving.neverWaited')}</span>
        ) : (
          <>
            <Exact value={utilisation} text={tr('serving.percent', { share: percent(utilisation) })} />
            <span class="figure-note">
              {tr('serving.bytesOf', {
                used: int(Math.round(utilisation * poolBytes)),
                pool: int(poolBytes),
              })}
            </span>
          </>
        )}
        {ofPaper && <span class="figure-note">{paper}</span>}
        {running !== null && (
          <span class="figure-note">
            {tr('serving.figure.simulatedRequests', { running: running.toFixed(1) })}
          </span>
        )}
      </dd>
      <dd class="figure-origin">{tr('serving.figure.measured')}</dd>
    </div>
  );
}
