/** A record of the redundancy experiment for tests: three of the third article’s layers with its R², four documents. */
import type { Kind, PairResult, Spread } from '../redundancy/types';
import type { LabRecord } from './record';
import { defaultRecipe } from './recipe';
import { defaultRedundancy, LAMBDAS, type RedundancyResult } from './redundancy';
import { lengthRecord, QWEN, sampleCell } from './sample-record.fixture';

function spread(mean: number, min: number, max: number, perDocument: number[]): Spread {
  return { mean, min, max, perDocument };
}

interface SamplePair {
  from: number;
  to: number;
  kind: Kind;
  r2: Spread;
  shuffled: Spread;
  channelCorrelation: number;
  savedBits: number;
}

function pair(sample: SamplePair): PairResult {
  return { ...sample, adjacent: sample.to - sample.from === 4, lambda: [0.1, 0.1, 1, 0.1], notes: [] };
}

/** 3 → 7 and 7 → 11, and 3 → 11, which are not neighbours. */
export const SAMPLE_PAIRS: readonly PairResult[] = [
  pair({
    from: 3,
    to: 7,
    kind: 'K',
    r2: spread(0.34, 0.3, 0.38, [0.34, 0.38, 0.3, 0.34]),
    shuffled: spread(-0.1, -0.19, -0.06, [-0.19, -0.06, -0.09, -0.06]),
    channelCorrelation: 0.095,
    savedBits: 0.2997310352081357,
  }),
  pair({
    from: 3,
    to: 7,
    kind: 'V',
    r2: spread(0.29, 0.25, 0.33, [0.29, 0.33, 0.25, 0.29]),
    shuffled: spread(-0.1, -0.22, -0.01, [-0.22, -0.01, -0.11, -0.06]),
    channelCorrelation: 0.052,
    savedBits: 0.24705453513502137,
  }),
  pair({
    from: 7,
    to: 11,
    kind: 'K',
    r2: spread(0.69, 0.6, 0.75, [0.7, 0.71, 0.6, 0.75]),
    shuffled: spread(-0.08, -0.1, -0.06, [-0.08, -0.1, -0.08, -0.06]),
    channelCorrelation: 0.11,
    savedBits: 0.8448299396939246,
  }),
  pair({
    from: 7,
    to: 11,
    kind: 'V',
    r2: spread(0.6, 0.52, 0.66, [0.61, 0.61, 0.52, 0.66]),
    shuffled: spread(-0.09, -0.12, -0.07, [-0.08, -0.12, -0.09, -0.07]),
    channelCorrelation: 0.06,
    savedBits: 0.6609640474436812,
  }),
  pair({
    from: 3,
    to: 11,
    kind: 'K',
    r2: spread(0.32, 0.28, 0.36, [0.32, 0.36, 0.28, 0.32]),
    shuffled: spread(-0.11, -0.15, -0.08, [-0.11, -0.15, -0.1, -0.08]),
    channelCorrelation: 0.084,
    savedBits: 0.2781966742621927,
  }),
  pair({
    from: 3,
    to: 11,
    kind: 'V',
    r2: spread(0.22, 0.18, 0.26, [0.22, 0.26, 0.18, 0.22]),
    shuffled: spread(-0.1, -0.13, -0.07, [-0.1, -0.13, -0.1, -0.07]),
    channelCorrelation: 0.053,
    savedBits: 0.1792269854562381,
  }),
];

/** The result; what the caller does not name is complete, honest and without notes. */
export function sampleRedundancy(patch: Partial<RedundancyResult> = {}): RedundancyResult {
  return {
    model: QWEN,
    dtype: 'fp32',
    skip: 200,
    keep: 1536,
    split: 'documents',
    documents: [
      { name: 'korean-report', tokens: 9876, sha256: 'a'.repeat(64) },
      { name: 'model-card', tokens: 8765, sha256: 'b'.repeat(64) },
      { name: 'python-code', tokens: 7654, sha256: 'c'.repeat(64) },
      { name: 'own:notes', tokens: 2345, sha256: null },
    ],
    layers: [3, 7, 11],
    channels: [
      { K: 512, V: 512 },
      { K: 512, V: 512 },
      { K: 512, V: 512 },
    ],
    lambdas: [...LAMBDAS],
    pairs: structuredClone([...SAMPLE_PAIRS]),
    noiseFloor: 0,
    // 3 layers x 1,024 elements x 2 bytes x 32,768 tokens; 0.513 bits of 16 are 3.2 %, of 4 are 12.8 %.
    savings: {
      context: 32768,
      savedBits: 0.5131448893701908,
      shareF16: 0.03207155558563692,
      share4Bit: 0.1282862223425477,
      bytesPerTokenF16: 6144,
      cacheBytesF16: 201326592,
      cacheBytes4Bit: 50331648,
      savedBytes: 6456857,
      weightBytes: 1976131072,
      weightsFrom: 'known',
    },
    leak: false,
    ...patch,
  };
}

/** A finished record of the experiment on a twin. */
export function redundancyRecord(patch: Partial<RedundancyResult> = {}): LabRecord {
  const redundancy = sampleRedundancy(patch);
  const documents = redundancy.documents.map(({ name }) => name);
  return {
    ...lengthRecord(),
    recipe: {
      ...defaultRecipe('redundancy'),
      model: [QWEN],
      redundancy: { ...defaultRedundancy(), documents },
    },
    url: 'https://lab.example/?experiment=redundancy&documents=korean-report,model-card,python-code,own:notes&model=twin:Qwen/Qwen2.5-0.5B-Instruct',
    cells: [
      sampleCell({
        tokens: 1736,
        formulaBytes: 42663936,
        tensorBytes: 42663936,
        residentBytes: 50331648,
      }),
    ],
    checks: [
      {
        name: 'shuffled-control',
        model: QWEN,
        pass: true,
        expected: 'no shuffled R² above 0',
        measured: 'the largest is -0.0100',
        detail: '',
      },
    ],
    redundancy,
  };
}
