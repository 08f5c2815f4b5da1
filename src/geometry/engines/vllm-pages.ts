/** vLLM's pages: made equal for all layers of a hybrid model, and layers put into groups that share block tables. */
import type { EngineNote } from './engine';
import { blocksOf, type LayerSpec } from './vllm-specs';

export interface PageLayout {
  /** Layers after their blocks and pages were changed. */
  specs: LayerSpec[];
  groups: { spec: LayerSpec; layers: number }[];
  /** Bytes that one block takes over all layers of a group. */
  blockBytes: number;
  /** Layers that one block spans, padding layers included. */
  groupSize: number;
  notes: EngineNote[];
}

/** Block sizes that vLLM sets for hybrids are multiples of this. */
const BLOCK = 16;

/**
 * Groups and pages (vLLM core/kv_cache_utils.py). Layers of one type are one group whose block has the sum of their pages
 * (`UniformTypeKVCacheSpecs`). Otherwise pages become equal: an attention layer with a smaller page gets more tokens in a
 * block (`unify_kv_cache_spec_page_size`), a state is padded; layers with equal specs are split into groups of as many
 * layers as the rarest kind has, or the commonest where that is less than 1.5 times as many
 * (`_get_kv_cache_groups_uniform_page_size`). Beside states, the attention block grows until its page holds a state
 * (models/config.py, `HybridAttentionMambaModelConfig`).
 */
export function pageLayout(layers: readonly LayerSpec[], hybrid: boolean): PageLayout {
  const kept = hybrid ? layers : withoutWindows(layers);
  if (isUniform(kept)) return uniformLayout(kept);
  const { specs, notes } = equalPages(roomForStates(kept));
  const kinds = new Map<string, LayerSpec[]>();
  for (const spec of specs) {
    const key = [spec.type, spec.limit, spec.shape, spec.blockTokens].join(';');
    kinds.set(key, [...(kinds.get(key) ?? []), spec]);
  }
  const counts = [...kinds.values()].map((same) => same.length);
  const rarest = Math.min(...counts);
  const commonest = Math.max(...counts);
  const groupSize = commonest < rarest * 1.5 ? commonest : rarest;
  const groups = [...kinds.values()].flatMap((same) => {
    const number = Math.ceil(same.length / groupSize);
    // vLLM deals layers out: group i gets layers i, i + number, i + 2 x number …
    return Array.from({ length: number }, (_, i) => same.filter((__, at) => at % number === i)).flatMap(
      (dealt) => (dealt[0] ? [{ spec: dealt[0], layers: dealt.length }] : []),
    );
  });
  const padding = groups.reduce((sum, group) => sum + groupSize - group.layers, 0);
  return {
    specs,
    groups,
    groupSize,
    blockBytes: groupSize * (specs[0]?.pageBytes ?? 0),
    notes: padding > 0 ? [...notes, { code: 'padding-layers', params: { layers: padding } }] : notes,
  };
}

/** Blocks of all groups that one sequence takes. */
export function blocksPerSequence({ groups }: PageLayout, tokens: number, batchedTokens: number): number {
  return groups.reduce((sum, { spec }) => sum + blocksOf(spec, tokens, batchedTokens), 0);
}

function uniformLayout(specs: readonly LayerSpec[]): PageLayout {
  const [first] = specs;
  return {
    specs: [...specs],
    groups: first ? [{ spec: first, layers: specs.length }] : [],
    groupSize: specs.length,
    blockBytes: specs.reduce((sum, { pageBytes }) => sum + pageBytes, 0),
    notes: [],
  };
}

/** `UniformTypeKVCacheSpecs.is_uniform_type`: the same type, window and tokens of a block in all layers. */
function isUniform(specs: readonly LayerSpec[]): boolean {
  return specs.every(
    ({ type, limit, blockTokens }) =>
      type === specs[0]?.type && limit === specs[0].limit && blockTokens === specs[0].blockTokens,
  );
}

/** `--disable-hybrid-kv-cache-manager`: beside full layers, windows and chunks keep every token (`unify_hybrid_kv_cache_specs`). */
function withoutWindows(specs: readonly LayerSpec[]): LayerSpec[] {
  if (!specs.some(({ type }) => type === 'full')) return [...specs];
  return specs.map((spec) =>
    spec.type === 'sliding' || spec.type === 'chunked' ? { ...spec, type: 'full', limit: 0 } : spec,
  );
}

/** Attention blocks as long as it takes for their page to hold the largest state. */
function roomForStates(specs: readonly LayerSpec[]): LayerSpec[] {
  const state = Math.max(
    0,
    ...specs.filter(({ type }) => type === 'mamba').map(({ pageBytes }) => pageBytes),
  );
  const attention = specs.find(({ type }) => type === 'full') ?? specs.find(({ type }) => type !== 'mamba');
  if (state === 0 || !attention) return [...specs];
  const tokenBytes = attention.pageBytes / attention.blockTokens;
  const needed = BLOCK * Math.ceil(state / (BLOCK * tokenBytes));
  return specs.map((spec) =>
    spec.type === 'mamba' ? spec : withBlock(spec, Math.max(needed, spec.blockTokens)),
  );
}

/** All pages as large as the largest. */
function equalPages(specs: readonly LayerSpec[]): { specs: LayerSpec[]; notes: EngineNote[] } {
  const page = Math.max(...specs.map(({ pageBytes }) => pageBytes));
  const uneven = specs.some(({ type, pageBytes }) => type !== 'mamba' && page % pageBytes !== 0);
  return {
    specs: specs.map((spec) =>
      spec.type === 'mamba' || page % spec.pageBytes !== 0
        ? { ...spec, pageBytes: page }
        : withBlock(spec, (spec.blockTokens * page) / spec.pageBytes),
    ),
    notes: uneven ? [{ code: 'pages-padded', params: {} }] : [],
  };
}

function withBlock(spec: LayerSpec, blockTokens: number): LayerSpec {
  return { ...spec, blockTokens, pageBytes: (spec.pageBytes / spec.blockTokens) * blockTokens };
}
