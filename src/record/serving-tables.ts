/** A serving's tables for files: Markdown in English, and lines of the CSV. */
import { formatInteger } from '../protocol/format';
import type { MaybeBytes } from '../protocol/record';
import {
  PAPER_UTILISATION,
  type ServingResult,
  type ServingRun,
  type ServingSample,
  type ServingState,
} from '../protocol/serving';
import { cutShort, REAL, shareText, SIMULATED, systemName } from './serving-text';
import { numbers, table, words, type Value } from './tables';

const PAPER =
  ' The paper is Kwon et al. 2023 (arXiv 2309.06180, Figure 2): ShareGPT, OPT-13B, room for 15.7K tokens.';

/** Everything of a serving, a paragraph or table each. */
export function servingParts(result: ServingResult, state: ServingState | undefined): string[] {
  // The paper's figure is of these lengths alone.
  const ofPaper = state?.lengths === 'sharegpt';
  return [
    ...(state === undefined ? [] : [settings(result, state)]),
    systemsTable(result.runs, ofPaper),
    `- ${SIMULATED}\n- ${REAL}`,
    'Utilisation is used / pool, the mean of the moments at which requests waited.' + (ofPaper ? PAPER : ''),
  ];
}

function settings(
  { bytesPerToken, block, promptMean, outputMean }: ServingResult,
  state: ServingState,
): string {
  const mean = (tokens: number): string => tokens.toFixed(1);
  return (
    `${formatInteger(state.requests)} requests with lengths of ${state.lengths} (means drawn: prompt ${mean(promptMean)}, output ${mean(outputMean)} tokens), ` +
    `at most ${formatInteger(state.longest)} tokens each; a pool of ${formatInteger(state.pool)} tokens of ${formatInteger(bytesPerToken)} bytes; blocks of ${formatInteger(block)} tokens.`
  );
}

function systemsTable(runs: readonly ServingRun[], ofPaper: boolean): string {
  const bytes = (value: MaybeBytes): string => (value === null ? 'not measured' : formatInteger(value));
  const columns = [
    words('system'),
    numbers('pool bytes (real)'),
    numbers('utilisation (bytes read)'),
    ...(ofPaper ? [numbers('in the paper')] : []),
    numbers('used of what was handed out'),
    numbers('most running (simulated)'),
    words('steps (simulated)'),
    numbers('sent back (simulated)'),
    numbers('device bytes before'),
    numbers('with the pool'),
    numbers('after'),
  ];
  const rows = runs.map((run) => [
    systemName(run.system),
    formatInteger(run.poolBytes),
    shareText(run.utilisation),
    ...(ofPaper ? [shareText(PAPER_UTILISATION[run.system])] : []),
    shareText(run.insideUse),
    formatInteger(run.mostRunning),
    cutShort(run) ?? formatInteger(run.steps),
    formatInteger(run.preemptions),
    bytes(run.deviceBytes.before),
    bytes(run.deviceBytes.pool),
    bytes(run.deviceBytes.after),
  ]);
  return table(columns, rows);
}

/** Columns of the CSV that only a serving fills. */
export const SERVING_COLUMNS = [
  'system',
  'step',
  'running',
  'waiting',
  'used_tokens',
  'held_tokens',
  'reserved_tokens',
  'wasted_tokens',
  'pool_bytes',
  'utilisation',
  'inside_use',
  'most_running',
  'preemptions',
] as const;

type ServingColumn = (typeof SERVING_COLUMNS)[number];

/** A line for a system and one for each of its samples: what is a serving's own. Used bytes are real, all tokens else simulated. */
export function servingLines(run: ServingRun): (Partial<Record<ServingColumn | 'used_bytes', Value>> & {
  kind: 'pool' | 'pool-sample';
})[] {
  const { system, poolBytes, steps, utilisation, insideUse, mostRunning, preemptions, samples } = run;
  return [
    {
      ...{ kind: 'pool', system, step: steps, pool_bytes: poolBytes, utilisation },
      ...{ inside_use: insideUse, most_running: mostRunning, preemptions },
    },
    ...samples.map((sample) => ({ ...sampleLine(sample), system, pool_bytes: poolBytes })),
  ];
}

function sampleLine(sample: ServingSample) {
  const { step, running, waiting, usedTokens, usedBytes, heldTokens, reservedTokens, wastedTokens } = sample;
  return {
    ...{ kind: 'pool-sample' as const, step, running, waiting },
    used_tokens: usedTokens,
    used_bytes: usedBytes,
    held_tokens: heldTokens,
    reserved_tokens: reservedTokens,
    wasted_tokens: wastedTokens,
  };
}
