/** 10,000 damaged configs, seeded: each gives whole numbers from 0 up, or an error that names a field. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { describe, expect, it } from 'vitest';
import { bytesPerToken, bytesPerTokenFar, fixedBytes } from './bytes';
import { underGraphRule } from './engines/graph';
import type { Geometry } from './geometry';
import { GeometryError } from './geometry-error';
import architectures from './golden/architectures.json';
import cases from './golden/config-cases.json';
import { readGeometry } from './read-config';

const SEED = 20261130;
const CONFIGS = [...architectures, ...cases]
  .map(({ config }) => config as unknown)
  .filter((config): config is Record<string, unknown> => typeof config === 'object');

/** What may stand where a number should, and back. */
const FOREIGN: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  1,
  2,
  3,
  7,
  0.5,
  NaN,
  Infinity,
  2 ** 31,
  1e18,
  '',
  '4096',
  '<img src=x onerror=alert(1)>',
  true,
  false,
  [],
  [1, 2, 3],
  ['full_attention', 'nonsense'],
  {},
  { nested: [null] },
];
/** Fields of other families, which a damaged config may have got. */
const STRANGE_FIELDS = [
  'layer_types',
  'kv_lora_rank',
  'sliding_window',
  'num_kv_shared_layers',
  'hybrid_override_pattern',
  'linear_attn_config',
  'full_attention_interval',
  'compress_ratios',
  'block_configs',
  'text_config',
  'model_type',
  'is_encoder_decoder',
  'attention_chunk_size',
  'mamba_d_state',
  'conv_L_cache',
  'use_sliding_window',
  'cla_share_factor',
];

const random = xoroshiro128plus(SEED);
const below = (limit: number) => uniformInt(random, 0, limit - 1);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

/** A copy with one to three fields changed, at any depth. */
function damaged(config: Record<string, unknown>): Record<string, unknown> {
  const copy = structuredClone(config);
  for (let times = 1 + below(3); times > 0; times -= 1) {
    const objects = [copy, ...Object.values(copy)].filter(
      (value): value is Record<string, unknown> =>
        typeof value === 'object' && value !== null && !Array.isArray(value),
    );
    const target = pick(objects);
    const field = below(4) === 0 ? pick(STRANGE_FIELDS) : pick([...Object.keys(target), 'num_hidden_layers']);
    const value = target[field];
    if (Array.isArray(value) && below(2) === 0) {
      const list = [...(value as unknown[])];
      if (below(2) === 0) list.pop();
      else list[below(list.length + 1)] = structuredClone(pick(FOREIGN));
      target[field] = list;
    } else target[field] = structuredClone(pick(FOREIGN));
  }
  return copy;
}

/** Why an outcome is wrong; null when it is right. */
function complaint(config: unknown): string | null {
  let geometry: Geometry;
  try {
    geometry = readGeometry(config);
  } catch (error) {
    if (!(error instanceof GeometryError)) return `threw ${String(error)}`;
    if (error.code === 'config-not-object' || error.code === 'config-no-cache') return null;
    const field = error.params['field'];
    return typeof field === 'string' && field !== '' ? null : `${error.code} names no field`;
  }
  const numbers: [string, number][] = [geometry, underGraphRule(geometry)].flatMap((each) => [
    ['first', bytesPerToken(each, 2)],
    ['fixed', fixedBytes(each, 2)],
    ...each.caches.flatMap((cache): [string, number][] => [
      [`layer ${cache.layer} ${cache.kind}: elements`, cache.elementsPerToken],
      [`layer ${cache.layer} ${cache.kind}: fixed`, cache.fixedElements],
      [`layer ${cache.layer} ${cache.kind}: cap`, cache.capTokens ?? 1],
    ]),
  ]);
  const wrong = numbers.find(([, value]) => !Number.isSafeInteger(value) || value < 0);
  if (wrong) return `${wrong[0]} = ${wrong[1]}`;
  const far = bytesPerTokenFar(geometry, 2);
  return Number.isFinite(far) && far >= 0 ? null : `far = ${far}`;
}

describe('10,000 damaged configs', () => {
  it('never give NaN, a negative or an unnamed error', () => {
    const complaints: string[] = [];
    for (let run = 0; run < 10_000 && complaints.length < 10; run += 1) {
      const config = damaged(pick(CONFIGS));
      const found = complaint(config);
      if (found !== null) complaints.push(`${run}: ${found}: ${JSON.stringify(config).slice(0, 600)}`);
    }
    expect(complaints).toEqual([]);
  }, 60_000);

  it('are different ones, of which some are read and some refused', () => {
    const outcomes = Array.from({ length: 300 }, () => {
      try {
        readGeometry(damaged(pick(CONFIGS)));
        return 'read';
      } catch (error) {
        return error instanceof GeometryError ? error.code : 'other';
      }
    });
    expect(outcomes.filter((outcome) => outcome === 'read').length).toBeGreaterThan(30);
    expect(outcomes.filter((outcome) => outcome === 'config-bad-field').length).toBeGreaterThan(30);
    expect(outcomes).not.toContain('other');
  });
});
