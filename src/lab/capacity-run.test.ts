/** Plans as records: the second article's numbers from the catalogue, typed and looked-up models, exports, files. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { CapacityResult, PlannedModel } from '../protocol/capacity';
import { parseRecipe } from '../protocol/options';
import { parseRecordText } from '../protocol/schemas';
import { capacitySentence } from '../record/capacity-text';
import { recordCsv, recordJson, recordMarkdown } from '../record/export';
import { readGeometry } from '../geometry/read-config';
import { capacityRecord } from './capacity-run';
import { keepLookedUp, lookedUpModels, plannedIdOf } from './capacity-sources';

const recordOf = (query = '') => {
  const { recipe, faults } = parseRecipe(new URLSearchParams(`experiment=capacity&${query}`));
  expect(faults).toEqual([]);
  return capacityRecord(recipe, 'https://lab.example/?experiment=capacity', '2026-11-30T12:00:00.000Z');
};
const plan = (query = ''): CapacityResult => {
  const { capacity } = recordOf(query);
  if (capacity === null) throw new Error('a plan has a capacity');
  return capacity;
};
const only = (query: string): PlannedModel => {
  const [model] = plan(query).models;
  if (model === undefined) throw new Error('no model');
  return model;
};
const sessions = ({ rows }: Pick<PlannedModel, 'rows'>) => rows.map((row) => row.sessions);

beforeEach(() => {
  lookedUpModels.value = new Map();
});

describe('the second article', () => {
  it('Qwen3-8B and Qwen3-32B on 80 GiB', () => {
    const { models } = plan();
    expect(models.map(({ name, kvTokens }) => [name, kvTokens])).toEqual([
      ['Qwen3-8B', 471_448],
      ['Qwen3-32B', 77_724],
    ]);
    expect(models.map(sessions)).toEqual([
      [115, 57, 14],
      [18, 9, 2],
    ]);
    expect(models.map(({ weights }) => [weights?.bytes, weights?.from])).toEqual([
      [16_381_470_720, 'catalogue'],
      [65_524_246_528, 'catalogue'],
    ]);
  });

  it('says it in one sentence', () => {
    expect(capacitySentence(plan())).toBe(
      'One 80 GiB GPU holds 57 sessions of 8,192 tokens of Qwen3-8B and 9 of Qwen3-32B: weights differ 4.0x, sessions 6.3x.',
    );
  });

  it('Qwen3-8B without shared KV heads: 589,824 bytes and 3 sessions; 2 at 20.4 %', () => {
    const { whatIf } = only('');
    const of = (what: string) => whatIf.find((row) => row.what === what);
    expect(of('no-gqa')?.bytesPerTokenFirst).toBe(589_824);
    expect(of('no-gqa')?.rows[2]?.sessions).toBe(3);
    expect(of('utilisation-low')?.rows[2]?.sessions).toBe(2);
  });

  it('OPT-13B: 819,200 bytes, 15,728 slots in 12 GiB', () => {
    const model = only('model=facebook/opt-13b&weights=facebook/opt-13b:0&gpu=12GiB&kv=fp16');
    expect(model).toMatchObject({ bytesPerTokenFirst: 819_200, kvTokens: 15_728 });
  });

  it('DeepSeek-V2: 69,120 bytes', () => {
    expect(only('model=deepseek-ai/DeepSeek-V2').bytesPerTokenFirst).toBe(69_120);
  });

  it('890 bytes as reported: Qwen3-8B takes 166 times as many', () => {
    const [qwen] = plan('model=Qwen/Qwen3-8B&model=typed:V4.1 Flash:890').models;
    // 147,456 / 890 = 165.68
    expect(qwen?.timesReported).toBeCloseTo(165.68, 2);
    expect(recordMarkdown(recordOf('model=Qwen/Qwen3-8B&model=typed:V4.1 Flash:890'))).toContain(
      'A token of Qwen3-8B takes 166x as many bytes as one of V4.1 Flash.',
    );
  });
});

describe('where weights come from', () => {
  it('typed ones win', () => {
    expect(only('model=Qwen/Qwen3-8B&weights=Qwen/Qwen3-8B:4GiB').weights).toEqual({
      bytes: 4_294_967_296,
      from: 'typed',
      source: 'typed',
      atLeast: false,
    });
  });

  it('a looked-up config: parameters x bytes, else what the hub said', () => {
    const config = {
      model_type: 'llama',
      num_hidden_layers: 2,
      num_attention_heads: 4,
      num_key_value_heads: 2,
      hidden_size: 64,
      intermediate_size: 128,
      vocab_size: 1000,
      torch_dtype: 'bfloat16',
    };
    const looked = {
      name: 'mine',
      config,
      geometry: readGeometry(config),
      weightBytes: null,
      parameters: 1000,
    };
    lookedUpModels.value = new Map([['config:mine', looked]]);
    expect(only('model=config:mine').weights).toEqual({
      bytes: 2000,
      from: 'parameters',
      source: '1,000 parameters x 2 bytes (bfloat16)',
      atLeast: false,
    });
    const hub = { ...looked, weightBytes: { bytes: 4096, source: 'model.safetensors.index.json' } };
    lookedUpModels.value = new Map([['config:mine', hub]]);
    expect(only('model=config:mine').weights).toMatchObject({ bytes: 4096, from: 'hub' });
  });

  it('unknown ones leave everything open that depends on the room', () => {
    const model = only('model=typed:x:1000');
    expect(model).toMatchObject({
      reason: { code: 'capacity-weights-unknown' },
      bytesPerTokenFirst: 1000,
      kvTokens: null,
    });
    expect(sessions(model)).toEqual([null, null, null]);
  });
});

describe('what is added', () => {
  const config = {
    model_type: 'qwen3',
    num_hidden_layers: 2,
    num_attention_heads: 4,
    num_key_value_heads: 2,
    hidden_size: 64,
  };
  const given = (layers: number) => {
    const one = { ...config, num_hidden_layers: layers };
    return {
      ...{ id: null, name: 'qwen3', config: one as unknown, geometry: readGeometry(one) },
      ...{ weightBytes: null, parameters: null },
    };
  };

  it('two pasted configs of one model type both stay, and the same again is the same', () => {
    lookedUpModels.value = new Map();
    const first = keepLookedUp(given(2));
    const second = keepLookedUp(given(3));
    expect(keepLookedUp(given(2))).toBe(first);
    expect([first, second].every((id) => /^config:qwen3-[0-9a-f]{8}$/.test(id))).toBe(true);
    expect([...lookedUpModels.value.values()].map(({ geometry }) => geometry.layers)).toEqual([2, 3]);
    expect(new Set([...lookedUpModels.value.values()].map(({ name }) => name)).size).toBe(2);
    // Numbers by hand have no config.
    const hand = [2, 3].map((layers) => keepLookedUp({ ...given(layers), name: '내 모델', config: null }));
    expect(new Set([first, second, ...hand]).size).toBe(4);
    expect(hand.map((id) => only(`model=${id}`).bytesPerTokenFirst)).toEqual([
      // 2 and 3 layers x 2 heads x (128 + 128) x 2 bytes: 128 is the default head_dim of Qwen3Config.
      2048, 3072,
    ]);
  });

  it.each([
    ['Qwen3-8B', 'Qwen/Qwen3-8B'],
    ['qwen3-8b', 'Qwen/Qwen3-8B'],
    ['qwen/qwen3-8b', 'Qwen/Qwen3-8B'],
    ['nobody/nothing', 'nobody/nothing'],
    ['typed:x:890', 'typed:x:890'],
    ['no id', null],
    ['', null],
  ])('“%s” is the model %s', (text, id) => {
    expect(plannedIdOf(text)).toBe(id);
  });
});

it('weights that do not fit are said with their bytes, and no number is negative', () => {
  const result = plan('model=Qwen/Qwen3-32B&gpu=24GiB');
  // 65,524,246,528 - 25,769,803,776
  expect(result.models[0]).toMatchObject({ missingBytes: 39_754_442_752, budgetBytes: 0, kvTokens: 0 });
  expect(capacitySentence(result)).toBe(
    'The weights of Qwen3-32B do not fit: 39,754,442,752 bytes are missing.',
  );
  expect(JSON.stringify(result)).not.toMatch(/:-\d/);
});

it.each([
  ['nobody/nothing', 'capacity-not-looked-up', /look it up on the hub/],
  ['config:mine', 'capacity-needs-config', /paste it again/],
])('%s is not known: %s', (id, code, sentence) => {
  const record = recordOf(`model=${id}`);
  expect(record.capacity?.models[0]?.reason).toMatchObject({ code, params: { model: id } });
  expect(recordMarkdown(record)).toMatch(sentence);
});

describe('in files', () => {
  it('a record of a plan comes back unchanged', () => {
    for (const query of [
      '',
      'engine=vllm&gpus=2',
      'model=nobody/nothing',
      'model=state-spaces/mamba-130m-hf',
    ]) {
      const record = recordOf(query);
      expect(parseRecordText(recordJson(record))).toEqual(record);
    }
  });

  it('Markdown has the sentence, the sessions and the link', () => {
    const text = recordMarkdown(recordOf());
    expect(text).toContain('| Qwen3-8B | as planned | 8,192 | 1,207,959,552 | 1.13 GiB | 57 |');
    expect(text).toContain('| Qwen3-32B | 65,524,246,528 |');
    expect(text).toContain('[Open this plan](https://lab.example/?experiment=capacity)');
  });

  it('CSV has raw integers, one line a model, case and context', () => {
    const lines = recordCsv(recordOf('model=Qwen/Qwen3-8B')).trim().split('\r\n');
    // As planned and four cases, three contexts each.
    expect(lines).toHaveLength(1 + 5 * 3);
    expect(lines[2]).toBe(
      'Qwen/Qwen3-8B,planned,80 GiB GPU,85899345920,1,0,100,bf16,ideal,16381470720,catalogue,69517875200,0,147456,147456,0,471448,8192,1207959552,57,false,16,1,1,',
    );
  });
});
