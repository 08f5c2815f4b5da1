/** The badges that numbers wear wherever they go: facts of a record that change what its numbers mean. */
import { isLatentId, isTwinId } from '../protocol/model-name';
import type { LabRecord } from '../protocol/record';

export interface Badges {
  /** Some model was a cache twin: its cache is exact, its text is noise. */
  twin: boolean;
  /** The GPU adapter was a software one: bytes are real, times say nothing about a GPU. */
  software: boolean;
  /** Some part ran on the WASM backend, which keeps no GPU buffers. */
  wasm: boolean;
  /** Some part ran in a background tab: its times cannot be trusted. */
  background: boolean;
}

/** Whether a model of this record was a cache twin. */
export function isTwin(record: LabRecord, model: string): boolean {
  return isTwinId(model) || record.models.some((each) => each.id === model && each.source === 'twin');
}

/** Whether some model of this record kept its latents compressed. */
export function hasLatent(record: LabRecord): boolean {
  return idsOf(record).some(isLatentId);
}

/** Every model that was loaded or measured. */
function idsOf({ models, cells, growth }: LabRecord): string[] {
  return [...models.map(({ id }) => id), ...[...cells, ...growth].map(({ model }) => model)];
}

export function badgesOf(record: LabRecord): Badges {
  const parts = [...record.cells, ...record.growth];
  return {
    twin: idsOf(record).some((id) => isTwin(record, id)),
    software: record.environment?.adapter?.fallback ?? false,
    wasm: record.environment?.backend === 'wasm' || parts.some((part) => part.device === 'wasm'),
    background:
      record.cells.some((cell) => cell.background) ||
      record.growth.some((growth) => growth.steps.some((step) => step.background)),
  };
}

/** The badges as English words, in their one order, for exports. */
export function badgeWords(record: LabRecord): string[] {
  const badges = badgesOf(record);
  const words: [boolean, string][] = [
    [badges.twin, 'cache twin'],
    [hasLatent(record), 'latents kept compressed (no transformers.js export does this)'],
    [badges.software, 'software adapter'],
    [badges.wasm, 'WASM'],
    [badges.background, 'background tab'],
  ];
  return words.filter(([worn]) => worn).map(([, word]) => word);
}
