/** A line of a derivation in words: `16 full attention layers × 4 KV heads × (256 + 256) × 2 bytes = 65,536 bytes a token`. Pure. */
import type { DerivationLine, Factor } from './derivation';
import type { InputTranslate } from './words';

/** @param per What the product is counted for. */
export function lineText(line: DerivationLine, per: 'token' | 'sequence', tr: InputTranslate): string {
  const factors = line.factors.map((factor) => factorText(factor, line, tr)).join(' × ');
  const bytes = numberText(line.bytes);
  return `${factors} = ${tr(per === 'token' ? 'derive.resultToken' : 'derive.result', { bytes })}`;
}

function factorText(factor: Factor, { kind }: DerivationLine, tr: InputTranslate): string {
  const n = numbersText(factor);
  const alone = factor.numbers.length === 1 && factor.numbers[0] === 1;
  if (factor.unit === 'layers')
    return tr(alone ? 'derive.layer' : 'derive.layers', { n, kind: tr(`kind.${kind}`) });
  if (factor.unit === 'caches') return tr('derive.caches', { n, kind: tr(`kind.${kind}`) });
  if (factor.unit === 'kvHeads') return tr(alone ? 'derive.kvHead' : 'derive.kvHeads', { n });
  return tr(`derive.${factor.unit}`, { n });
}

function numbersText({ unit, numbers, join }: Factor): string {
  const texts = numbers.map(numberText);
  if (texts.length === 1) return texts[0] ?? '';
  if (join === 'min') return `min(${texts.join(', ')})`;
  // Entries that are not full yet are not stored.
  if (unit === 'entries') return `⌊${texts.join(` ${join} `)}⌋`;
  return `(${texts.join(` ${join} `)})`;
}

/** A number with thousands separators, to three places where it has a fraction. */
export function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}
