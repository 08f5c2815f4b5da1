/** The report of the experiment redundancy: the sentence, two answers, the picture, the numbers, how far to trust them. */
import type { RedundancyResult } from '../../protocol/redundancy';
import type { LabRecord } from '../../protocol/record';
import { hasRandomWeights } from '../../record/redundancy-text';
import { CellsTable, EveryCell } from '../cells-table';
import { Chart } from '../chart';
import { useUi } from '../context';
import { modelName } from '../model-name';
import { Verdict } from '../verdict';
import { Answers, Leak, WrongWay } from './answers';
import { Correlation } from './correlation';
import { DocumentSources, DocumentsTable } from './documents-tables';
import { HeatMap } from './heat-map';
import { LambdaTable, Noise, Notes } from './notes';
import { PairsTable } from './pairs-table';
import { SavingsSection } from './savings';
import { verdictSentences } from './sentences';
import type { RedundancyTexts } from './words';

export function RedundancyReport({ record }: { record: LabRecord }) {
  const { tr, int, size } = useUi<RedundancyTexts>();
  const result = record.redundancy;
  if (result === null || result.pairs.length === 0) return <NoPairs record={record} />;
  const sentences = verdictSentences(result, { tr, int, size });
  return (
    <>
      <Leak result={result} />
      <WrongWay result={result} />
      <Verdict record={record} sentences={sentences} good={!result.leak && result.split === 'documents'}>
        <Subject record={record} result={result} />
      </Verdict>
      <Answers result={result} random={hasRandomWeights(record, result.model)} />
      <div class="report-grid">
        <div class="charts">
          <Chart kind="redundancy" input={result} title={tr('red.chart')} table={tr('red.table')} />
          <p class="hint">{tr('red.chart.hint')}</p>
        </div>
      </div>
      <PairsTable result={result} />
      <HeatMap record={record} result={result} />
      <SavingsSection result={result} />
      <DocumentsTable result={result} />
      <Correlation result={result} />
      <Noise result={result} running={record.status === 'running'} />
      <Notes result={result} />
      <LambdaTable result={result} />
      <DocumentSources result={result} />
      <EveryCell record={record} />
    </>
  );
}

/** What was measured: the model, its layers, and whether its weights say anything of a language model. */
function Subject({ record, result }: { record: LabRecord; result: RedundancyResult }) {
  const { tr, int } = useUi<RedundancyTexts>();
  const { model, layers, channels, documents } = result;
  const widths = [...new Set(channels.flatMap(({ K, V }) => [K, V]))].map(int).join(' / ');
  return (
    <>
      <p class="hint">
        {tr('red.subject', {
          model: modelName(model, tr),
          layers: layers.join(', '),
          channels: widths,
          documents: documents.length,
          keep: int(result.keep),
          skip: int(result.skip),
        })}
      </p>
      {hasRandomWeights(record, model) && (
        <ul class="badge-list" data-testid="random-weights">
          <li>
            <span class="badge">{tr('red.random.badge')}</span> <span class="muted">{tr('red.random')}</span>
          </li>
        </ul>
      )}
    </>
  );
}

/** Before the first pair, and where a run ended without one. */
function NoPairs({ record }: { record: LabRecord }) {
  const { tr } = useUi<RedundancyTexts>();
  const running = record.status === 'running';
  const sentence = tr(running ? 'red.waiting' : 'red.verdict.noPairs');
  return (
    <>
      <Verdict record={record} sentences={[sentence]} good={false} />
      {record.cells.length > 0 && <CellsTable record={record} />}
    </>
  );
}
