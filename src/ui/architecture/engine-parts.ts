/** The terms of vLLM's and llama.cpp's bytes for one sequence: layers x blocks or cells x bytes. Pure. */
import type { EngineOptions } from '../../geometry/engines';
import { fixedPartBytes, tokenBytes } from '../../geometry/engines/entry';
import { CELLS, cellsOf, llamaLayout, STATE_BYTES, type LlamaLayout } from '../../geometry/engines/llama-cpp';
import { vllmLayout } from '../../geometry/engines/vllm';
import { blocksOf, type LayerSpec } from '../../geometry/engines/vllm-specs';
import type { Geometry, LayerCache, LayerCacheKind } from '../../geometry/geometry';
import { numberText } from './derivation-text';

export interface EnginePart {
  kinds: LayerCacheKind[];
  /** Layers that are alike. */
  count: number;
  /** Blocks, pages or cells of one layer; 1 where bytes are there whatever the length. */
  units: number;
  /** How the units follow from the tokens, in figures; empty where they do not. */
  how: string;
  unitBytes: number;
  unit: 'blocks' | 'pages' | 'cells' | 'fixed';
  /** count x units x unitBytes. */
  bytes: number;
}

/** Bytes of all terms. */
export function partsSum(parts: readonly EnginePart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Blocks of tokens by layer, and pages of states; what the pool pads beyond them is not among the terms. */
export function vllmParts(geometry: Geometry, options: EngineOptions): EnginePart[] {
  const { layout, batchedTokens } = vllmLayout(geometry, options);
  return grouped(
    layout.specs.map((spec) => {
      const kinds = [...new Set(spec.entries.flatMap((index) => geometry.caches[index]?.kind ?? []))];
      const units = blocksOf(spec, options.tokens, batchedTokens);
      const how = howManyBlocks(spec, options.tokens, batchedTokens);
      return {
        kinds,
        units,
        how,
        unitBytes: spec.pageBytes,
        unit: spec.type === 'mamba' ? 'pages' : 'blocks',
      };
    }),
  );
}

function howManyBlocks({ type, limit, blockTokens }: LayerSpec, tokens: number, batched: number): string {
  const [asked, cap, batch, block] = [tokens, limit, batched, blockTokens].map(numberText);
  switch (type) {
    case 'full':
      return `⌈${asked} ÷ ${block}⌉`;
    case 'sliding':
      return `⌈min(${cap} − 1 + ${batch}, ${asked}) ÷ ${block}⌉ + 1`;
    case 'chunked':
      return `⌈min(${cap} + ${batch}, ${asked}) ÷ ${block}⌉`;
    case 'cross':
      return `⌈${cap} ÷ ${block}⌉`;
    case 'mamba':
      return '';
  }
}

/** Cells by layer, and what is there whatever the length. */
export function llamaParts(geometry: Geometry, options: EngineOptions): EnginePart[] {
  const layout = llamaLayout(geometry, options);
  return grouped(geometry.caches.flatMap((cache) => llamaTerms(cache, options, layout)));
}

function llamaTerms(
  cache: LayerCache,
  { dtype, tokens }: EngineOptions,
  { ubatch, windows }: LlamaLayout,
): Term[] {
  const { kind, capTokens, fixedElements, tokensPerEntry: share = 1 } = cache;
  const state = kind === 'conv' || kind === 'recurrent';
  const fixed = state ? fixedElements * STATE_BYTES : fixedPartBytes(cache, dtype, STATE_BYTES);
  const cap = windows && !state ? capTokens : null;
  const cells = cellsOf(tokens, cap, ubatch);
  const asked = numberText(tokens);
  const kept = cap === null ? asked : `min(${asked}, ${numberText(cap)} + ${numberText(ubatch)})`;
  const how = `⌈${kept} ÷ ${CELLS}⌉ × ${CELLS}${share > 1 ? ` ÷ ${share}` : ''}`;
  const stored = state ? 0 : tokenBytes(cache, dtype);
  return [
    { kinds: [kind], units: Math.ceil(cells / share), how, unitBytes: stored, unit: 'cells' },
    { kinds: [kind], units: 1, how: '', unitBytes: fixed, unit: 'fixed' },
  ];
}

type Term = Omit<EnginePart, 'count' | 'bytes'>;

/** Equal terms counted together, in the order of their first layer; those of nothing left out. */
function grouped(terms: readonly Term[]): EnginePart[] {
  const parts = new Map<string, EnginePart>();
  for (const term of terms.filter(({ units, unitBytes }) => units * unitBytes > 0)) {
    const key = JSON.stringify(term);
    const count = (parts.get(key)?.count ?? 0) + 1;
    parts.set(key, { ...term, count, bytes: count * term.units * term.unitBytes });
  }
  return [...parts.values()];
}
