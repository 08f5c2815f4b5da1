/** How an engine's bytes follow: the formula with its numbers where the engine keeps whole tokens, else its layers one by one. Pure. */
import type { EngineBytes, EngineOptions } from '../../geometry/engines';
import { underGraphRule } from '../../geometry/engines/graph';
import type { Geometry } from '../../geometry/geometry';
import { derive } from './derivation';
import { lineText, numberText } from './derivation-text';
import type { InputTranslate } from './words';

/** Lines for one sequence; those of blocks and cells end in what rounding adds to whole tokens. */
export function engineDerivation(
  geometry: Geometry,
  size: EngineBytes,
  { dtype, tokens, batch }: EngineOptions,
  tr: InputTranslate,
): string[] {
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
    case 'llama.cpp':
      return [
        ...size.layers
          .filter(
            ({ bytesPerToken, bytesPerTokenFar, fixedBytes }) =>
              bytesPerToken + bytesPerTokenFar + fixedBytes > 0,
          )
          .map(({ kind, count, bytesPerToken, bytesPerTokenFar, fixedBytes }) =>
            tr(bytesPerToken === bytesPerTokenFar ? 'arch.engine.groupPlain' : 'arch.engine.group', {
              count,
              kind: tr(`kind.${kind}`),
              first: numberText(bytesPerToken),
              far: numberText(bytesPerTokenFar),
              fixed: fixedBytes,
            }),
          ),
        tr('arch.engine.rounded', { tokens }),
        sum,
      ];
  }
}
