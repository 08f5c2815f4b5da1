/** How every figure follows: per kind of entry, the formula with its numbers put in. Pure; words come from the catalogs. */
import { fixedPartBytes, stateElementBytes, tokenBytes } from '../../geometry/engines/entry';
import type { KvDtype } from '../../geometry/engines/kv-dtype';
import type { Geometry, LayerCache, LayerCacheKind } from '../../geometry/geometry';

/** What a number counts; the text of each is `derive.<unit>`. */
export type FactorUnit =
  | 'layers'
  | 'caches'
  | 'kvHeads'
  | 'elements'
  | 'bytes'
  | 'state'
  | 'channels'
  | 'taps'
  | 'encoderTokens'
  | 'tokens'
  | 'entries'
  | 'perToken';

/** One factor of a product: a number, or a sum or product in brackets. */
export interface Factor {
  unit: FactorUnit;
  /** Numbers of the factor; several are joined by `join`. */
  numbers: number[];
  join: '+' | '−' | '×' | 'min' | '÷';
}

export interface DerivationLine {
  kind: LayerCacheKind;
  /** Layers (0-based) with this entry. */
  layers: number[];
  factors: Factor[];
  /** The product. May have a fraction where a type has bits per element, or one entry serves several tokens. */
  bytes: number;
}

export interface Derivation {
  first: DerivationLine[];
  far: DerivationLine[];
  fixed: DerivationLine[];
  /** Of one sequence at the asked length. */
  total: DerivationLine[];
}

/** Equal entries and the layers that have them. */
interface EntryGroup {
  cache: LayerCache;
  layers: number[];
  unit: 'layers' | 'caches';
}

/**
 * The four figures of one sequence under the ideal rule. The lines of a figure add up to it (rounded up to whole bytes), since
 * they use the byte counts of the engines' rules.
 */
export function derive(
  geometry: Geometry,
  { dtype, tokens }: { dtype: KvDtype; tokens: number },
): Derivation {
  const stateBytes = stateElementBytes(geometry, dtype);
  const groups = groupEntries(geometry);
  const growing = groups.filter(({ cache }) => cache.elementsPerToken > 0);
  const fixed = groups
    .filter(({ cache }) => cache.fixedElements > 0)
    .map((group) => fixedLine(group, dtype, stateBytes));
  return {
    first: growing
      .filter(({ cache }) => (cache.tokensPerEntry ?? 1) === 1)
      .map((group) => storedLine(group, dtype)),
    far: growing.filter(({ cache }) => cache.capTokens === null).map((group) => farLine(group, dtype)),
    fixed,
    total: [...growing.map((group) => totalLine(group, dtype, tokens)), ...fixed],
  };
}

/** Bytes of all lines. */
export function sumOf(lines: readonly DerivationLine[]): number {
  return lines.reduce((sum, { bytes }) => sum + bytes, 0);
}

function groupEntries({ caches, layers: ownLayers }: Geometry): EntryGroup[] {
  const groups = new Map<string, EntryGroup>();
  for (const cache of caches) {
    const key = JSON.stringify({ ...cache, layer: 0 });
    const group = groups.get(key);
    if (group) group.layers.push(cache.layer);
    else groups.set(key, { cache, layers: [cache.layer], unit: 'layers' });
  }
  return [...groups.values()].map((group) => {
    const distinct = new Set(group.layers).size;
    // A layer has the same entry several times: LongCat's two attentions, the passes of a looped model.
    return distinct < group.layers.length || distinct > ownLayers ? { ...group, unit: 'caches' } : group;
  });
}

/** Layers x KV heads x (key dim + value dim) x bytes: what all these layers store of one token (or of one entry). */
function storedLine({ cache, layers, unit }: EntryGroup, dtype: KvDtype): DerivationLine {
  return {
    kind: cache.kind,
    layers,
    factors: [one(unit, layers.length), ...vectorFactors(cache, dtype)],
    bytes: layers.length * tokenBytes(cache, dtype),
  };
}

function farLine(group: EntryGroup, dtype: KvDtype): DerivationLine {
  const line = storedLine(group, dtype);
  const share = group.cache.tokensPerEntry ?? 1;
  if (share === 1) return line;
  const perToken: Factor = { unit: 'perToken', numbers: [1, share], join: '÷' };
  return { ...line, factors: [...line.factors, perToken], bytes: line.bytes / share };
}

function totalLine(group: EntryGroup, dtype: KvDtype, tokens: number): DerivationLine {
  const { capTokens, tokensPerEntry = 1 } = group.cache;
  const line = storedLine(group, dtype);
  const kept = Math.min(tokens, capTokens ?? tokens);
  const entries = Math.floor(kept / tokensPerEntry);
  const factor: Factor =
    tokensPerEntry > 1
      ? { unit: 'entries', numbers: [kept, tokensPerEntry], join: '÷' }
      : capTokens === null
        ? one('tokens', tokens)
        : { unit: 'tokens', numbers: [tokens, capTokens], join: 'min' };
  return { ...line, factors: [...line.factors, factor], bytes: line.bytes * entries };
}

function fixedLine({ cache, layers, unit }: EntryGroup, dtype: KvDtype, stateBytes: number): DerivationLine {
  return {
    kind: cache.kind,
    layers,
    factors: [one(unit, layers.length), ...fixedFactors(cache, dtype, cache.elementBytes ?? stateBytes)],
    bytes: layers.length * fixedPartBytes(cache, dtype, stateBytes),
  };
}

function fixedFactors(cache: LayerCache, dtype: KvDtype, elementBytes: number): Factor[] {
  const { conv, stateDims, encoderTokens, fixedElements } = cache;
  const element = one('bytes', elementBytes);
  if (cache.kind === 'cross' && encoderTokens !== undefined)
    return [one('encoderTokens', encoderTokens), ...vectorFactors(cache, dtype)];
  if (conv && conv.channels * (conv.kernel - 1) === fixedElements)
    return [one('channels', conv.channels), { unit: 'taps', numbers: [conv.kernel, 1], join: '−' }, element];
  if (stateDims && product(stateDims) === fixedElements)
    return [{ unit: 'state', numbers: stateDims, join: '×' }, element];
  return [one('elements', fixedElements), element];
}

/** KV heads x (key dim + value dim) x bytes of an element; of a type with scales, the bytes of the vectors instead. */
function vectorFactors(cache: LayerCache, dtype: KvDtype): Factor[] {
  const { kvHeads, keyDim, valueDim, elementsPerToken, elementBytes } = cache;
  const whole = kvHeads * (keyDim + valueDim);
  const plain = elementsPerToken > 0 && whole !== elementsPerToken;
  const dims = plain ? [elementsPerToken] : valueDim === 0 ? [keyDim] : [keyDim, valueDim];
  // One vector for all heads (latent, compressed, indexer) has no heads to count.
  const heads = plain || kvHeads === 0 || (kvHeads === 1 && valueDim === 0) ? [] : [one('kvHeads', kvHeads)];
  const exact = elementBytes ?? (dtype.quantised ? null : dtype.vectorBytes(1));
  return exact === null
    ? [...heads, { unit: 'bytes', numbers: dims.map((dim) => dtype.vectorBytes(dim)), join: '+' }]
    : [...heads, { unit: 'elements', numbers: dims, join: '+' }, one('bytes', exact)];
}

function one(unit: FactorUnit, number: number): Factor {
  return { unit, numbers: [number], join: '×' };
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total * number, 1);
}
