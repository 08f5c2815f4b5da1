/** A redundancy in files: the numbers, what must be read before them, and no number where nothing is known. */
import { describe, expect, it } from 'vitest';
import { redundancyRecord, sampleRedundancy, SAMPLE_PAIRS } from '../protocol/redundancy-record.fixture';
import type { RedundancyResult } from '../protocol/redundancy';
import { lengthRecord } from '../protocol/sample-record.fixture';
import { parseRecordText } from '../protocol/schemas';
import { recordCsv, recordJson, recordMarkdown } from './export';
import { places, redundancySentence } from './redundancy-text';

/** A shuffled control of V of 7 → 11 above 0 on the second document. */
function leaky(largest = 0.125): Partial<RedundancyResult> {
  const pairs = structuredClone([...SAMPLE_PAIRS]);
  const pair = pairs[3];
  if (pair === undefined) throw new Error('the fixture has no fourth pair');
  pair.shuffled = { mean: -0.03, min: -0.12, max: largest, perDocument: [-0.08, largest, -0.09, -0.07] };
  return { pairs, leak: true };
}

describe('the verdict', () => {
  it('says what predicts what, with the control, and what that would save', () => {
    expect(redundancySentence(sampleRedundancy())).toBe(
      'K of a layer predicts 34 to 69 % of the next layer’s K; V of a layer predicts 29 to 60 % of the next layer’s V; ' +
        'shuffled tokens predict nothing (R² -0.22 to -0.01). The ideal bound saves 0.51 bits per element: 13 % of a ' +
        '4-bit cache (6.2 of 48 MiB at 32,768 tokens), 3.2 % of a float16 one (192 MiB), beside 1,884.6 MiB of weights.',
    );
  });

  it('does not call a leak nothing', () => {
    expect(redundancySentence(sampleRedundancy(leaky()))).toContain(
      'shuffled tokens predict something too (R² -0.22 to 0.13), which they cannot.',
    );
  });

  it('tells pairs below 0, unknown R² and unknown weights', () => {
    const [first, second] = structuredClone([...SAMPLE_PAIRS]);
    if (first === undefined || second === undefined) throw new Error('the fixture has no pairs');
    first.r2 = { mean: -0.2, min: -0.3, max: -0.1, perDocument: [-0.3, -0.1] };
    second.r2 = { mean: null, min: null, max: null, perDocument: [null, null] };
    const result = sampleRedundancy({ pairs: [first, second], savings: null });
    expect(redundancySentence(result)).toBe(
      'K of a layer predicts nothing of the next layer’s K (R² -0.20); shuffled tokens predict nothing (R² -0.22 to -0.01).',
    );
    expect(redundancySentence(sampleRedundancy({ pairs: [], savings: null }))).toBe(
      'No R² of adjacent layers is known.',
    );
    const savings = sampleRedundancy().savings;
    expect(
      redundancySentence(sampleRedundancy({ savings: savings && { ...savings, weightBytes: null } })),
    ).toMatch(
      /\(192 MiB\); the bytes of the model’s weights are not known \(option weights, such as weights=4\.5GB\)\.$/,
    );
  });

  it.each([
    [-0.0004, 3, '-0.0004'],
    [0, 3, '0.000'],
    [0.00004, 3, '0.00004'],
    [0.3456, 3, '0.346'],
    [null, 3, 'not known'],
  ])('writes %j to %i places as %s', (value, digits, text) => {
    expect(places(value, digits)).toBe(text);
  });
});

describe('the savings in the verdict', () => {
  const saying = (patch: object): string => {
    const { savings } = sampleRedundancy();
    return redundancySentence(sampleRedundancy({ savings: savings && { ...savings, ...patch } }));
  };

  it('are the article’s: 0.60 bits are 15 % of 96 MiB', () => {
    // 12,288 bytes a token, 32,768 tokens (golden/paper-tables.json).
    const article = {
      savedBits: 0.6,
      share4Bit: 0.15,
      shareF16: 0.0375,
      savedBytes: 15_099_494,
      cacheBytesF16: 402_653_184,
      cacheBytes4Bit: 100_663_296,
      weightBytes: 4_500_000_000,
      weightsFrom: 'typed',
    };
    expect(saying(article)).toMatch(
      / The ideal bound saves 0\.60 bits per element: 15 % of a 4-bit cache \(14\.4 of 96 MiB at 32,768 tokens\), 3\.8 % of a float16 one \(384 MiB\), beside 4,291\.5 MiB of weights, as typed\.$/,
    );
  });

  it('are told as nothing where they are', () => {
    expect(saying({ savedBits: 0, savedBytes: 0 })).toMatch(/ The ideal bound saves nothing\.$/);
  });

  it('are in KiB or bytes where they are few', () => {
    expect(saying({ savedBytes: 51_200 })).toContain('(50 KiB of 48 MiB at ');
    expect(saying({ savedBytes: 900 })).toContain('(900 bytes of 48 MiB at ');
    expect(saying({ savedBytes: 104_858 })).toContain('(0.1 of 48 MiB at ');
  });
});

describe('Markdown', () => {
  it('tells backwards from not adjacent, one document without a range, and a useless R² in words', () => {
    const [first] = structuredClone([...SAMPLE_PAIRS]);
    if (first === undefined) throw new Error('the fixture has no pair');
    const one = (mean: number) => ({ mean, min: mean, max: mean, perDocument: [mean] });
    const pair = { ...first, from: 7, to: 3, adjacent: false, r2: one(-9.5e12), shuffled: one(-0.1) };
    const text = recordMarkdown(redundancyRecord({ pairs: [pair], split: 'halves' }));
    expect(text).toContain('| 7 → 3 (backwards) | K | below -1,000 | -0.100 | 0.095 |');
    expect(text).toContain('; lambda 0.001, the smallest candidate.');
  });

  it('has R² by pair, by document and the savings, with their caveats', () => {
    const lines = recordMarkdown(redundancyRecord()).split('\n');
    expect(lines).toContain(
      '| 3 → 7 | K | 0.340 (0.300 to 0.380) | -0.100 (-0.190 to -0.060) | 0.095 | 0.300 |',
    );
    const shown = lines.filter((line) => line.includes(' → ')).map((line) => line.slice(0, 12));
    expect(shown).toEqual([
      '| 3 → 7 | K ',
      '| 3 → 7 | V ',
      '| 7 → 11 | K',
      '| 7 → 11 | V',
      '| 3 → 11 (no',
      '| 3 → 11 (no',
    ]);
    expect(lines).toContain(
      '| 3 → 11 (not adjacent) | V | 0.220 (0.180 to 0.260) | -0.100 (-0.130 to -0.070) | 0.053 | 0.179 |',
    );
    expect(lines).toContain('| python-code | 7,654 | 0.450 | -0.085 | 0.385 | -0.100 | cccccccccccc |');
    expect(lines).toContain('| notes | 2,345 | 0.545 | -0.060 | 0.475 | -0.065 | not known |');
    expect(lines).toContain(
      '| 4 bits | 50,331,648 (48 MiB) | 6,456,857 (6.2 MiB) | 12.8 % | 1,976,131,072 (1,884.6 MiB) |',
    );
    expect(lines.some((line) => line.startsWith('- The savings are an upper bound, not a codec:'))).toBe(
      true,
    );
    expect(lines).toContain(
      'Noise floor: the first document run twice gave the same keys and values, bit for bit.',
    );
    expect(lines.join('\n')).not.toContain('LEAK');
    expect(lines.join('\n')).not.toContain('wrong way');
  });

  it('says before everything else that random weights speak of the method', () => {
    const record = redundancyRecord();
    expect(recordMarkdown(record).split('\n')[2]).toBe(
      '**Random weights: this R² speaks of the method, not of a language model.**',
    );
    const [model] = record.models;
    if (model === undefined) throw new Error('the fixture has no model');
    const real = {
      ...record,
      models: [{ ...model, id: 'owner/name', source: 'hub' as const }],
      redundancy: sampleRedundancy({ model: 'owner/name' }),
    };
    expect(recordMarkdown(real)).not.toContain('Random weights');
    const builtIn = {
      ...real,
      models: [{ ...model, id: 'tiny', source: 'built-in' as const }],
      redundancy: sampleRedundancy({ model: 'tiny' }),
    };
    expect(recordMarkdown(builtIn)).toContain('Random weights');
  });

  it('puts a leak first, with the control that shows it, then the wrong way', () => {
    const lines = recordMarkdown(redundancyRecord({ ...leaky(), split: 'halves' })).split('\n');
    expect(lines[2]).toBe(
      '**LEAK: a control with shuffled tokens has an R² above 0 (0.125, V of 7 → 11, model-card). Training and test are not apart: this result must not be believed.**',
    );
    expect(lines[4]).toMatch(/^\*\*The wrong way, on purpose: trained on the first half of each document/);
  });

  it('says of a leak a hair above 0 that it can be chance', () => {
    expect(recordMarkdown(redundancyRecord(leaky(0.00004))).split('\n')[2]).toBe(
      '**LEAK: a control with shuffled tokens has an R² above 0 (0.00004, V of 7 → 11, model-card). Training and test are not apart: this result must not be believed. So little can be chance: change the seed and look again.**',
    );
  });

  it('never shows what is not known as a number', () => {
    const [first] = structuredClone([...SAMPLE_PAIRS]);
    if (first === undefined) throw new Error('the fixture has no pairs');
    const unknown = { mean: null, min: null, max: null, perDocument: [null, null, null, null] };
    const pair = {
      ...first,
      r2: unknown,
      shuffled: unknown,
      channelCorrelation: null,
      savedBits: null,
      notes: [{ code: 'constant-target' as const, count: 0 }],
    };
    const text = recordMarkdown(redundancyRecord({ pairs: [pair], savings: null, noiseFloor: null }));
    expect(text).toContain(
      '| 3 → 7 | K | not known | not known | not known | not known | the predicted layer is constant |',
    );
    expect(text).toContain('Noise floor: not measured.');
    expect(text).not.toMatch(/NaN|null|undefined/);
  });

  it('names a perfect prediction’s savings no bound', () => {
    const [first] = structuredClone([...SAMPLE_PAIRS]);
    if (first === undefined) throw new Error('the fixture has no pairs');
    const perfect = { mean: 1, min: 1, max: 1, perDocument: [1, 1, 1, 1] };
    const record = redundancyRecord({ pairs: [{ ...first, r2: perfect, savedBits: null }] });
    expect(recordMarkdown(record)).toContain('| 0.095 | no bound |');
  });
});

describe('CSV', () => {
  it('has a line a pair, with columns of its own', () => {
    const [head = '', cell = '', first = ''] = recordCsv(redundancyRecord()).split('\r\n');
    expect(head).toContain(
      ',layer_from,layer_to,kv,adjacent,r2_mean,r2_min,r2_max,shuffled_mean,shuffled_min,shuffled_max,channel_correlation,saved_bits,',
    );
    expect(cell.startsWith('cell,')).toBe(true);
    expect(
      first.startsWith('pair,twin:Qwen/Qwen2.5-0.5B-Instruct,fp32,float32,1,dynamic,bucket,webgpu,0,1536,'),
    ).toBe(true);
    // Those after it are of preallocated caches and of pools.
    expect(
      first
        .replace(/,+$/, '')
        .endsWith(',3,7,K,true,0.34,0.3,0.38,-0.1,-0.19,-0.06,0.095,0.2997310352081357'),
    ).toBe(true);
    const columns = head.split(',').length;
    expect(first.split(',')).toHaveLength(columns);
  });

  it('carries a leak and the wrong way in every line', () => {
    const lines = recordCsv(redundancyRecord({ ...leaky(), split: 'halves' }))
      .split('\r\n')
      .slice(2, -1);
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line).toMatch(/LEAK: .*The wrong way, on purpose/);
  });
});

describe('JSON', () => {
  it('is read back as it was', () => {
    expect(parseRecordText(recordJson(redundancyRecord()))).toEqual(redundancyRecord());
    expect(parseRecordText(recordJson(lengthRecord())).redundancy).toBeNull();
  });
});
