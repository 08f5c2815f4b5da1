/** The badges that numbers wear wherever they go: facts of a record that change what its numbers mean. */
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
  return (
    model.startsWith('twin:') || record.models.some((each) => each.id === model && each.source === 'twin')
  );
}

export function badgesOf(record: LabRecord): Badges {
  const parts = [...record.cells, ...record.growth];
  const ids = [...record.models.map((model) => model.id), ...parts.map((part) => part.model)];
  return {
    twin: ids.some((id) => isTwin(record, id)),
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
    [badges.software, 'software adapter'],
    [badges.wasm, 'WASM'],
    [badges.background, 'background tab'],
  ];
  return words.filter(([worn]) => worn).map(([, word]) => word);
}
