/** Numbers as text: exact integers, rounded bytes (2^10, 2^20, 2^30), the ratio and the slack. */
import type { Lang } from './recipe';

const LOCALES: Record<Lang, string> = { en: 'en-US', ko: 'ko-KR' };
const BINARY_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const LABEL_DIGITS = 4;
const MOST_DIGITS = 16;

/** An exact integer with thousands separators: 3145728 → "3,145,728". */
export function formatInteger(value: number, lang: Lang = 'en'): string {
  return value.toLocaleString(LOCALES[lang], { maximumFractionDigits: 0 });
}

/** Bytes rounded to two places in the largest binary unit that fits: 3170304 → "3.02 MiB". For axes and labels, never for proofs. */
export function formatBytes(bytes: number, lang: Lang = 'en'): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < BINARY_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toLocaleString(LOCALES[lang], { maximumFractionDigits: 2 })} ${BINARY_UNITS[unit] ?? 'bytes'}`;
}

/**
 * tensor bytes / formula bytes to four places. "1.0000" only when the integers are equal: a ratio that would round to it
 * gets as many digits as it takes to show that it is not 1. Null when there is nothing to divide by.
 */
export function formatRatio(tensorBytes: number, formulaBytes: number): string | null {
  if (formulaBytes <= 0) return null;
  if (tensorBytes === formulaBytes) return '1.0000';
  const ratio = tensorBytes / formulaBytes;
  for (let digits = LABEL_DIGITS; digits <= MOST_DIGITS; digits += 1) {
    const text = ratio.toFixed(digits);
    if (Number(text) !== 1) return text;
  }
  return '≠ 1';
}

/** resident bytes / tensor bytes to two places: "1.98×". Null when there is nothing to divide by. */
export function formatSlack(residentBytes: number, tensorBytes: number): string | null {
  return tensorBytes > 0 ? `${(residentBytes / tensorBytes).toFixed(2)}×` : null;
}
