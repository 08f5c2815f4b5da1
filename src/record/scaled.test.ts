/** A twin of some layers: the whole model by the formula stands apart from what was measured, in every export. */
import { describe, expect, it } from 'vitest';
import { fullAttentionCaches } from '../geometry/layers/full';
import { lengthRecord, sampleCell } from '../protocol/sample-record.fixture';
import type { LabRecord } from '../protocol/record';
import { parseRecordText } from '../protocol/schemas';
import { badgesOf, badgeWords } from './badges';
import { recordCsv, recordJson, recordMarkdown } from './export';
import { scaledModels } from './scaled';

const ID = 'latent:deepseek-ai/DeepSeek-V3:layers=2';

/** 2 of 61 layers of 2 KV heads x 64: 1,024 bytes a layer and token in float32. */
function scaledRecord(id = ID): LabRecord {
  const record = lengthRecord();
  const [model] = record.models;
  if (model === undefined) throw new Error('the sample has a model');
  const geometry = {
    ...model.geometry,
    layers: 2,
    kvHeads: 2,
    headDim: 64,
    caches: fullAttentionCaches(2, 2, 64),
  };
  const whole = { ...geometry, layers: 61, caches: fullAttentionCaches(61, 2, 64) };
  const cell = sampleCell({ model: id, tokens: 128, formulaBytes: 262_144, tensorBytes: 262_144 });
  return {
    ...record,
    models: [{ ...model, id, geometry, scaled: { layersMeasured: 2, layersOf: 61, whole } }],
    cells: [cell, { ...cell, repeat: 1 }],
    growth: [],
  };
}

describe('a model of which some layers were measured', () => {
  it('has the whole model’s formula bytes once a size', () => {
    // 61 x 1,024 x 128
    expect(scaledModels(scaledRecord())).toEqual([
      {
        model: ID,
        dtype: 'fp32',
        layersMeasured: 2,
        layersOf: 61,
        whole: [{ batch: 1, tokens: 128, formulaBytes: 7_995_392 }],
      },
    ]);
    expect(scaledModels(lengthRecord())).toEqual([]);
  });

  it('says so in Markdown, outside of the table of what was measured', () => {
    const lines = recordMarkdown(scaledRecord()).split('\n');
    expect(lines).toContain(
      `- ${ID}, fp32: 2 of 61 layers measured; the whole model’s cache would be 7,995,392 bytes at 128 tokens by formula (scaled, not measured).`,
    );
    expect(lines.filter((line) => line.startsWith('|')).join('\n')).not.toContain('7,995,392');
    expect(recordMarkdown(scaledRecord())).toContain(
      `Of the 61 layers of ${ID} only the first 2 were measured.`,
    );
    expect(lines.find((line) => line.startsWith('Badges: '))).toMatch(/, 2 of 61 layers(,|$)/);
    expect(recordMarkdown(lengthRecord())).not.toContain('layers');
  });

  it('has columns of its own in CSV, empty where all layers were measured', () => {
    const [head = '', first = ''] = recordCsv(scaledRecord()).split('\r\n');
    expect(head.includes(',latent_twin,layers_measured,layers_of,whole_model_formula_bytes,')).toBe(true);
    expect(first.includes(',true,2,61,7995392,')).toBe(true);
    expect(recordCsv(lengthRecord()).split('\r\n')[1]?.includes(',false,,,')).toBe(true);
  });

  it('carries them in JSON, and is read back', () => {
    const text = recordJson(scaledRecord());
    expect(parseRecordText(text).models[0]?.scaled?.wholeFormulaBytes).toEqual([
      { batch: 1, tokens: 128, formulaBytes: 7_995_392 },
    ]);
    // The whole model’s bytes are computed again for the next export, and are the same.
    expect(parseRecordText(recordJson(parseRecordText(text)))).toEqual(parseRecordText(text));
  });
});

describe('the badges of twins of every kind', () => {
  it.each(['twin:Qwen/Qwen3-8B', 'mha:tiny', 'config:llama-0123abcd', 'latent:a/b', 'config:x-1:layers=2'])(
    '%s is a cache twin also where its model was never loaded',
    (model) => {
      const record = { ...lengthRecord(), models: [], cells: [sampleCell({ model })] };
      expect(badgesOf(record).twin).toBe(true);
      expect(recordCsv(record).split('\r\n')[1]).toContain(',true,');
    },
  );

  it('is none for models that really run', () => {
    for (const model of ['tiny', 'a/b', 'local:twin'])
      expect(badgesOf({ ...lengthRecord(), models: [], cells: [sampleCell({ model })] }).twin).toBe(false);
  });

  it('says of latents that no export keeps them', () => {
    expect(badgeWords(scaledRecord())).toContain(
      'latents kept compressed (no transformers.js export does this)',
    );
    expect(badgeWords(scaledRecord('twin:deepseek-ai/DeepSeek-V3:layers=2')).join()).not.toContain('latents');
  });
});
