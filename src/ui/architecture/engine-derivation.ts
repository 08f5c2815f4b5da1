/** How an engine's bytes follow: the formula with its numbers where the engine keeps whole tokens, else its blocks, cells and pages. Pure. */
import type { EngineBytes, EngineOptions } from '../../geometry/engines';
import { underGraphRule } from '../../geometry/engines/graph';
import type { Geometry } from '../../geometry/geometry';
import { derive } from './derivation';
import { lineText, numberText } from './derivation-text';
import { llamaParts, partsSum, vllmParts, type EnginePart } from './engine-parts';
import type { InputTranslate } from './words';

/** Lines for one sequence, which add up to the total. */
export function engineDerivation(
  geometry: Geometry,
  size: EngineBytes,
  options: EngineOptions,
  tr: InputTranslate,
): string[] {
  const { dtype, tokens, batch } = options;
  const total = numberText(size.bytes);
  const sum = batch === 1 ? tr('arch.engine.sum', { total }) : tr('arch.engine.sumBatch', { total, batch });
  const formula = (of: Geometry, kept: number): string[] => [
    ...derive(of, { dtype, tokens: kept }).total.map((line) => lineText(line, 'sequence', tr)),
    sum,
  ];
  switch (size.engine) {
    case 'ideal':
      return formula(geometry, tokens);
    case 'transformers.js':
      return formula(underGraphRule(geometry), tokens);
    case 'preallocated':
      return formula(geometry, geometry.maxPositions ?? tokens);
    case 'vllm':
      return [...partLines(vllmParts(geometry, options), size, options, tr), sum];
    case 'llama.cpp':
      return [...partLines(llamaParts(geometry, options), size, options, tr), sum];
  }
}

/** The terms, and what is left of the total: pages that the pool keeps beyond them, or a fraction of a byte. */
function partLines(
  parts: readonly EnginePart[],
  size: EngineBytes,
  { batch }: EngineOptions,
  tr: InputTranslate,
): string[] {
  const rest = size.bytes / batch - partsSum(parts);
  const lines = parts.map((part) => partText(part, tr));
  if (rest <= 0) return lines;
  return [
    ...lines,
    rest < 1 ? tr('arch.how.roundUp') : tr('arch.engine.padding', { bytes: numberText(rest) }),
  ];
}

function partText(
  { kinds, count, units, how, unitBytes, unit, bytes }: EnginePart,
  tr: InputTranslate,
): string {
  const kind = kinds.map((one) => tr(`kind.${one}`)).join(' + ');
  return tr(`arch.engine.${unit}`, {
    layers: tr(count === 1 ? 'derive.layer' : 'derive.layers', { n: count, kind }),
    units: numberText(units),
    how,
    unitBytes: numberText(unitBytes),
    bytes: numberText(bytes),
  });
}
