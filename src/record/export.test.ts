/** Exports: exact integers, words instead of zeros, and nothing from a record that a reader's program would execute. */
import { describe, expect, it } from 'vitest';
import type { LabRecord } from '../protocol/record';
import { growthRecord, lengthRecord, sampleCell } from '../protocol/sample-record.fixture';
import { parseRecordText } from '../protocol/schemas';
import { recordCsv, recordJson, recordMarkdown } from './export';

const tinyModel = { ...sampleCell(), model: 'tiny' };

/** A run on the WASM backend: no GPU buffers, so no resident and no device bytes. */
function wasmRecord(): LabRecord {
  const record = lengthRecord();
  return {
    ...record,
    models: [],
    environment: record.environment && { ...record.environment, backend: 'wasm', adapter: null },
    cells: [
      {
        ...tinyModel,
        device: 'wasm',
        residentBytes: null,
        deviceBytes: { before: null, after: null, peak: null },
      },
    ],
    notMeasured: {
      resident: 'ONNX Runtime keeps no GPU buffers on WASM',
      device: 'no GPU device',
      process: null,
    },
  };
}

describe('recordJson', () => {
  it('is read back as the same record', () => {
    expect(parseRecordText(recordJson(growthRecord()))).toEqual(growthRecord());
    expect(recordJson(lengthRecord()).startsWith('{\n  "schema": "kvlab.record/1",\n')).toBe(true);
  });
});

describe('recordMarkdown', () => {
  const lines = recordMarkdown(lengthRecord()).split('\n');

  it('has the article’s table with exact integers', () => {
    expect(lines).toContain(
      '| model | dtype | batch | tokens | formula bytes | tensor bytes | ratio | resident bytes | slack | device peak | time |',
    );
    expect(lines).toContain(
      '| twin:Qwen/Qwen2.5-0.5B-Instruct | fp32 | 1 | 129 | 3,170,304 | 3,170,304 | 1.0000 | 6,291,456 | 1.98× | 32,385,920 | 4,500.3 ms |',
    );
  });

  it('gives skipped rows their reason and no number', () => {
    expect(lines).toContain(
      '| twin:openai-community/gpt2 | fp32 | 1 | 2,048 | 150,994,944 | skipped: 2,048 tokens are over the model’s maximum position 1,024. | not measured | not measured | not measured | not measured | not measured |',
    );
  });

  it('wears its badges, says the verdict and the environment, and links back', () => {
    expect(lines).toContain('Badges: cache twin, software adapter');
    expect(lines).toContain(
      '3 of 3 measured cells equal the formula to the byte; 1 not measured. 1 of 1 checks pass.',
    );
    expect(lines).toContain(
      'Environment: WebGPU, adapter google swiftshader, allocator bucket, Chromium 156, Linux, ONNX Runtime 1.31.0-dev.20260914-8d85527a0, transformers.js 4.3.2, KV Cache Lab 0.1.0.',
    );
    expect(lines).toContain(`[Run it again](${lengthRecord().url})`);
  });

  it('takes the page’s verdict instead', () => {
    const text = recordMarkdown(lengthRecord(), '3 of 3 cells equal to the byte');
    expect(text).toContain('\n3 of 3 cells equal to the byte\n');
    expect(text).not.toContain('checks pass');
  });

  it('says “not measured” on WASM, with the reasons', () => {
    const text = recordMarkdown(wasmRecord());
    expect(text).toContain(
      '| 3,145,728 | 3,145,728 | 1.0000 | not measured | not measured | not measured | 4,500.3 ms |',
    );
    expect(text).toContain('Badges: WASM\n');
    expect(text).toContain('- resident bytes not measured: ONNX Runtime keeps no GPU buffers on WASM\n');
    expect(text).toContain('Environment: WASM, Chromium 156,');
  });

  it('never rounds a ratio to 1.0000', () => {
    const cells = [
      sampleCell({ tokens: 512, formulaBytes: 12582912, tensorBytes: 12582913, ratio: 1.0000001 }),
    ];
    expect(recordMarkdown({ ...lengthRecord(), cells })).toContain('| 12,582,912 | 12,582,913 | 1.0000001 |');
  });

  it('summarises growth', () => {
    const text = recordMarkdown(growthRecord());
    // 160 tokens x 24,576 bytes; 48 tensors in buckets of 131,072 bytes.
    expect(text).toContain(
      '| fp32 | 1 | 128 | 32 of 32 | 24,576 | 24,576 | 1 | 160 | 3,932,160 | 3,932,160 | 1.0000 | 6,291,456 |',
    );
    expect(text).toContain('32 of 32 measured steps equal the formula to the byte.');
  });

  it('says where a growth without steps stopped', () => {
    const growth = growthRecord().growth.map((each) => ({ ...each, steps: [], interrupted: 'Cancelled.' }));
    const text = recordMarkdown({ ...growthRecord(), status: 'cancelled', growth });
    expect(text).toMatch(/\| 0 of 32: Cancelled\.( \| not measured){8} \|\n/);
    expect(text).toContain('The run is not complete (cancelled).');
  });

  it('names failed checks', () => {
    const checks: LabRecord['checks'] = [
      { name: 'released', model: 'tiny', pass: false, expected: '0', measured: '512', detail: 'one buffer' },
    ];
    expect(recordMarkdown({ ...lengthRecord(), checks })).toContain(
      '- Check failed: released (tiny): expected 0, measured 512. one buffer\n',
    );
  });

  it('keeps text from a record inside its cell, as text (field reports E1, E3)', () => {
    const record = lengthRecord();
    const cells = [
      sampleCell({ model: 'a|b\n| c' }),
      sampleCell({ tensorBytes: null, skipped: '<img src=x onerror=alert(1)> [a](javascript:1) `x` &amp;' }),
    ];
    const text = recordMarkdown({ ...record, cells, url: 'https://lab.example/?prompt=f(x)' });
    expect(text).toContain('| a\\|b \\| c | fp32 |');
    expect(text).toContain(
      'skipped: &lt;img src=x onerror=alert(1)&gt; \\[a\\](javascript:1) \\`x\\` &amp;amp; |',
    );
    expect(text).toContain('[Run it again](https://lab.example/?prompt=f%28x%29)');
  });

  it('has the cache’s element type and the backend where dtypes are compared, and says what is formula alone', () => {
    const record = lengthRecord();
    const [model] = record.models;
    if (model === undefined) throw new Error('the sample has a model');
    const cells = [
      sampleCell(),
      sampleCell({ dtype: 'fp16', device: 'wasm', formulaBytes: 1572864, tensorBytes: 1572864 }),
      sampleCell({ dtype: 'bf16', formulaBytes: 1572864, tensorBytes: null, skipped: 'formula alone' }),
    ];
    const models = [model, { ...model, dtype: 'fp16' as const, cacheType: 'float16' }];
    const text = recordMarkdown({ ...record, models, cells });
    expect(text).toContain('| model | dtype | cache elements | backend | batch | tokens |');
    expect(text).toContain('| fp32 | float32 | WebGPU | 1 | 128 |');
    expect(text).toContain('| fp16 | float16 | WASM | 1 | 128 | 1,572,864 | 1,572,864 | 1.0000 |');
    expect(text).toContain('| bf16 | not measured | – | 1 | 128 | 1,572,864 | skipped: formula alone |');
  });

  it('has process bytes where they were taken', () => {
    expect(recordMarkdown(lengthRecord())).not.toContain('process with cache');
    const cells = [sampleCell({ batch: 2, processBytesBefore: 9000000, processBytes: 8951896 })];
    const text = recordMarkdown({ ...lengthRecord(), cells });
    expect(text).toContain('| device peak | process before | process with cache | time |');
    expect(text).toContain('| 20,000,000 | 9,000,000 | 8,951,896 | 4,500.3 ms |');
  });

  it('shows the repeat only when there are several', () => {
    expect(recordMarkdown(lengthRecord())).not.toContain('| repeat |');
    const cells = [sampleCell(), sampleCell({ repeat: 1 })];
    expect(recordMarkdown({ ...lengthRecord(), cells })).toContain('| tokens | repeat | formula bytes |');
  });
});

describe('recordCsv', () => {
  const rows = (record: LabRecord): Record<string, string>[] => {
    const [header = '', ...lines] = recordCsv(record).split('\r\n');
    const names = header.split(',');
    return lines
      .filter((line) => line !== '')
      .map((line) => Object.fromEntries(line.split(',').map((value, index) => [names[index] ?? '?', value])));
  };

  it('has raw integers', () => {
    expect(rows(lengthRecord())[1]).toMatchObject({
      kind: 'cell',
      model: 'twin:Qwen/Qwen2.5-0.5B-Instruct',
      tokens: '129',
      formula_bytes: '3170304',
      tensor_bytes: '3170304',
      ratio: '1',
      resident_bytes: '6291456',
      device_before_bytes: '19836864',
      device_after_bytes: '32385920',
      device_peak_bytes: '32385920',
      time_ms: '4500.25',
      cache_twin: 'true',
      software_adapter: 'true',
      background_tab: 'false',
      reason: '',
    });
  });

  it('has the cache’s element type, process bytes and logits, each step with those before it', () => {
    const cells = [sampleCell({ processBytesBefore: 9000000, processBytes: 8951896, logitsBytes: 607744 })];
    expect(rows({ ...lengthRecord(), cells })[0]).toMatchObject({
      cache_type: 'float32',
      process_before_bytes: '9000000',
      process_bytes: '8951896',
      logits_bytes: '607744',
    });
    const growth = growthRecord(128, 2).growth.map((each) => ({
      ...each,
      promptProcessBytes: 5000,
      steps: each.steps.map((step, index) => ({ ...step, processBytes: 6000 + index })),
    }));
    expect(
      rows({ ...growthRecord(), growth }).map((row) => [row['process_before_bytes'], row['process_bytes']]),
    ).toEqual([
      ['', '5000'],
      ['5000', '6000'],
      ['6000', '6001'],
    ]);
  });

  it('leaves what was not measured empty, with the reason', () => {
    expect(rows(wasmRecord())[0]).toMatchObject({
      resident_bytes: '',
      slack: '',
      device_peak_bytes: '',
      tensor_bytes: '3145728',
      reason:
        'resident not measured: ONNX Runtime keeps no GPU buffers on WASM; device not measured: no GPU device',
    });
    const skipped = recordCsv(lengthRecord()).split('\r\n')[4];
    expect(skipped).toContain(
      ',2048,150994944,,,,,,,,,,,,,,true,true,false,over-max-position,"2,048 tokens are over',
    );
  });

  it('has a line for the prompt and each step', () => {
    const found = rows(growthRecord(128, 3));
    expect(
      found.map((row) => [row['kind'], row['tokens'], row['tensor_bytes'], row['delta_resident_bytes']]),
    ).toEqual([
      ['prompt', '128', '3145728', ''],
      ['step', '129', '3170304', '3145728'],
      ['step', '130', '3194880', '0'],
      ['step', '131', '3219456', '0'],
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('does not let %j be a formula', (model) => {
    const [, line = ''] = recordCsv({ ...lengthRecord(), cells: [sampleCell({ model })] }).split(/\r\n/);
    expect(line).toMatch(/^cell,"?'[=+\-@\t\r]/);
  });

  it('quotes commas, quotes and line ends', () => {
    const text = recordCsv({ ...lengthRecord(), cells: [sampleCell({ model: 'a,"b"\nc' })] });
    expect(text).toContain('\r\ncell,"a,""b""\nc",fp32,');
    expect(text.endsWith('\r\n')).toBe(true);
  });

  it('keeps negative numbers numbers', () => {
    const growth = growthRecord(128, 1).growth.map((each) => ({
      ...each,
      steps: each.steps.map((step) => ({ ...step, deltaResident: -2048 })),
    }));
    expect(rows({ ...growthRecord(), growth })[1]?.['delta_resident_bytes']).toBe('-2048');
  });
});
