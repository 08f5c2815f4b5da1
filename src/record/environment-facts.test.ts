/** Environments side by side: every differing fact is named, and what is not known is no difference. */
import { describe, expect, it } from 'vitest';
import type { Environment, LabRecord } from '../protocol/record';
import { lengthRecord } from '../protocol/sample-record.fixture';
import { compareEnvironments, type Fact } from './environment-facts';

const sample = lengthRecord();
const base = sample.environment as Environment;
const on = (patch: Partial<Environment>): LabRecord => ({ ...sample, environment: { ...base, ...patch } });
const differing = (...patches: Partial<Environment>[]): [string, Fact['values']][] =>
  compareEnvironments([sample, ...patches.map(on)]).different.map(({ field, name, values }) => [
    name === null ? field : `${field} ${name}`,
    values,
  ]);

describe('differing facts', () => {
  it.each<[string, Partial<Environment>, [string, Fact['values']]]>([
    ['app', { app: '0.2.0' }, ['app', ['0.1.0', '0.2.0']]],
    ['commit', { commit: 'abc' }, ['commit', ['unknown', 'abc']]],
    ['transformers', { transformers: '4.4.0' }, ['transformers', ['4.3.2', '4.4.0']]],
    ['onnxruntime', { onnxruntime: '1.32.0' }, ['onnxruntime', ['1.31.0-dev.20260914-8d85527a0', '1.32.0']]],
    ['browser', { browser: 'Chromium 157' }, ['browser', ['Chromium 156', 'Chromium 157']]],
    ['os', { os: 'Windows' }, ['os', ['Linux', 'Windows']]],
    ['threads', { threads: 8 }, ['threads', [2, 8]]],
    ['isolation', { crossOriginIsolated: false }, ['crossOriginIsolated', [true, false]]],
    ['a limit', { limits: { maxBufferSize: 2147483648 } }, ['limit maxBufferSize', [1073741824, 2147483648]]],
    [
      'a limit of the adapter',
      { adapterLimits: { maxBufferSize: 2147483648 } },
      ['adapterLimit maxBufferSize', [1073741824, 2147483648]],
    ],
    [
      'a feature of the second',
      { features: ['shader-f16', 'subgroups', 'timestamp-query'] },
      ['feature shader-f16', [false, true]],
    ],
    ['a feature of the first', { features: ['timestamp-query'] }, ['feature subgroups', [true, false]]],
  ])('%s', (_, patch, expected) => {
    expect(differing(patch)).toEqual([expected]);
  });

  it('the adapter, part by part', () => {
    const adapter = {
      vendor: 'nvidia',
      architecture: 'ampere',
      device: '0x2204',
      description: 'NVIDIA GeForce RTX 3090',
      fallback: false,
    };
    expect(differing({ adapter })).toEqual([
      ['adapter.vendor', ['google', 'nvidia']],
      ['adapter.architecture', ['swiftshader', 'ampere']],
      ['adapter.fallback', [true, false]],
    ]);
    expect(differing({ adapter }, { adapter: { ...adapter, device: '0x2206' } })[2]).toEqual([
      'adapter.device',
      [null, '0x2204', '0x2206'],
    ]);
  });

  it('memory and processors, where both tell', () => {
    const environments = [
      on({ deviceMemoryGiB: 8, logicalProcessors: 8 }),
      on({ deviceMemoryGiB: 16, logicalProcessors: 8 }),
    ];
    const { different, same } = compareEnvironments(environments);
    expect(different).toEqual([{ field: 'deviceMemoryGiB', name: null, values: [8, 16] }]);
    expect(same.map(({ field }) => field)).toContain('logicalProcessors');
  });

  it('the allocator that was measured with, not the one of the environment', () => {
    const simple = {
      ...sample,
      cells: sample.cells.map((cell) => ({ ...cell, allocator: 'simple' as const })),
    };
    expect(compareEnvironments([sample, simple]).different).toEqual([
      { field: 'allocator', name: null, values: ['bucket', 'simple'] },
    ]);
  });
});

describe('what is not known', () => {
  it('is no difference: WASM has no adapter, no features and no allocator', () => {
    const wasm = { backend: 'wasm' as const, adapter: null, features: [], limits: {}, adapterLimits: {} };
    expect(differing(wasm)).toEqual([['backend', ['webgpu', 'wasm']]]);
  });

  it('is told apart from what is the same in all', () => {
    const { same, partial } = compareEnvironments([sample, on({ platform: 'Linux 6.1 x86 64' })]);
    expect(partial).toEqual([{ field: 'platform', name: null, values: [null, 'Linux 6.1 x86 64'] }]);
    expect(same.map(({ field }) => field)).not.toContain('platform');
  });

  it('leaves nothing to compare when a record has no environment', () => {
    const { different, same } = compareEnvironments([sample, { ...sample, environment: null }]);
    expect([different, same]).toEqual([[], []]);
  });
});
