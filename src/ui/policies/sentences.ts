/** What the policies experiment says: what takes least and what that costs, what holds the most. Made from a record's data. Pure. */
import { contentBytes } from '../../protocol/content';
import type { PolicyHold, Recommendation } from '../../protocol/policies';
import type { Device } from '../../protocol/recipe';
import type { LabRecord } from '../../protocol/record';
import type { PolicySummary } from '../../record/policies-summary';
import { milliseconds, pairName, times, type PoliciesWords } from './words';

/** Whether a policy and mode is what ONNX Runtime and transformers.js do by themselves. */
function isDefault({ policy, allocator }: Pick<PolicySummary, 'policy' | 'allocator'>): boolean {
  return policy === 'dynamic' && allocator === 'bucket';
}

/** The sentences that a person takes home: the least bytes, their cost, and how much of it all was measured. */
export function takeHome(record: LabRecord, rows: readonly PolicySummary[], words: PoliciesWords): string[] {
  const { tr } = words;
  const measured = rows.filter(({ tokens }) => tokens !== null);
  if (measured.length === 0) return [tr('policies.verdict.none')];
  return [least(measured, words), countSentence(record, rows, words)].filter((text) => text !== '');
}

/** Those with the longest context that any was measured at, of the first batch. */
function comparable(rows: readonly PolicySummary[]): PolicySummary[] {
  const [first] = rows;
  const sameBatch = rows.filter(({ batch }) => batch === first?.batch);
  const longest = Math.max(...sameBatch.map(({ tokens }) => tokens ?? 0));
  return sameBatch.filter(({ tokens }) => tokens === longest);
}

function least(measured: readonly PolicySummary[], words: PoliciesWords): string {
  const { tr, int, size } = words;
  const rows = comparable(measured);
  // On WASM there are no device bytes: tensor bytes are compared then, and the sentence says so.
  const onDevice = rows.some(({ peakDeviceBytes }) => peakDeviceBytes !== null);
  const bytesOf = (row: PolicySummary) => (onDevice ? row.peakDeviceBytes : row.tensorBytes);
  const known = rows.flatMap((row) => {
    const bytes = bytesOf(row);
    return bytes === null ? [] : [{ row, bytes }];
  });
  const [first, ...others] = known.toSorted((a, b) => a.bytes - b.bytes);
  if (first === undefined) return tr('policies.verdict.none');
  const base = others.find(({ row }) => isDefault(row)) ?? others.at(-1);
  const figures = {
    tokens: int(first.row.tokens ?? 0),
    name: pairName(first.row, tr),
    bytes: size(first.bytes),
  };
  const key = onDevice ? 'device' : 'tensor';
  if (base === undefined || first.bytes === base.bytes) return tr(`policies.verdict.${key}.alone`, figures);
  const compared = tr(`policies.verdict.${key}`, {
    ...figures,
    base: pairName(base.row, tr),
    baseBytes: size(base.bytes),
    times: times(base.bytes, first.bytes),
  });
  return compared + costParts(first.row, base.row, words) + lossPart(first.row, words);
}

/** What the step that takes least costs, beside the one that it is compared with. */
function costParts(row: PolicySummary, base: PolicySummary, { tr, size, language }: PoliciesWords): string {
  const parts = [
    row.stepMs === null || base.stepMs === null
      ? null
      : tr('policies.verdict.ms', {
          ms: milliseconds(row.stepMs, language),
          baseMs: milliseconds(base.stepMs, language),
        }),
    row.copiedBytes === null || base.copiedBytes === null
      ? null
      : tr('policies.verdict.copied', { bytes: size(row.copiedBytes), baseBytes: size(base.copiedBytes) }),
  ].filter((part) => part !== null);
  return parts.length === 0
    ? ''
    : ` ${tr('policies.verdict.cost', { parts: parts.join(tr('policies.and')) })}`;
}

/** Quantised caches pay with their logits too, which no figure of bytes or time shows. */
function lossPart({ policy }: PolicySummary, { tr }: PoliciesWords): string {
  return policy === 'quantised' ? ` ${tr('policies.verdict.lossy')}` : '';
}

/** How many cells hold the formula's bytes, and what could not be measured. */
function countSentence(
  { cells }: LabRecord,
  rows: readonly PolicySummary[],
  { tr, int }: PoliciesWords,
): string {
  const measured = cells.filter(({ tensorBytes }) => tensorBytes !== null);
  const equal = measured.filter((cell) => contentBytes(cell) === cell.formulaBytes).length;
  const failed = rows.filter(({ tokens, fault }) => tokens === null && fault !== null);
  const counted = tr('policies.verdict.equal', { equal: int(equal), measured: int(measured.length) });
  if (failed.length === 0) return counted;
  return `${counted} ${tr('policies.verdict.failed', {
    failed: int(failed.length),
    of: int(rows.length),
    names: failedNames(failed, { tr }),
  })}`;
}

/** Names of what failed, shortened to the mode where a mode failed under every policy. */
function failedNames(failed: readonly PolicySummary[], { tr }: Pick<PoliciesWords, 'tr'>): string {
  const modes = [...new Set(failed.map(({ allocator }) => allocator))];
  const [mode] = modes;
  if (mode !== undefined && modes.length === 1 && failed.length > 1 && failed[0]?.device !== 'wasm')
    return tr('policies.verdict.allOf', { mode, policies: failed.map(({ policy }) => policy).join(', ') });
  return failed.map((row) => pairName(row, tr)).join(', ');
}

/** What the recommendation says, and what it is compared with. */
export function recommendationSentence(
  { budgetBytes, holds }: Recommendation,
  device: Device,
  { tr, int, size }: PoliciesWords,
): string {
  const [best, ...others] = holds;
  if (best === undefined) return tr('policies.verdict.none');
  const nameOf = (hold: PolicyHold): string => pairName({ ...hold, device }, tr);
  const base = others.find(isDefault) ?? others.at(-1);
  const figures = { budget: size(budgetBytes), name: nameOf(best), tokens: int(best.tokens) };
  if (base === undefined) return tr('policies.best.alone', figures);
  const compared = { ...figures, base: nameOf(base), baseTokens: int(base.tokens) };
  if (base.tokens === 0) return tr('policies.best.none', compared);
  if (isDefault(best)) return tr('policies.best.default', compared);
  if (base.tokens === best.tokens)
    return tr('policies.best.same', {
      ...compared,
      peak: size(best.peakBytes ?? 0),
      basePeak: size(base.peakBytes ?? 0),
    });
  return tr('policies.best', { ...compared, times: times(best.tokens, base.tokens) });
}
