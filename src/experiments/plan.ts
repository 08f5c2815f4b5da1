/** From a recipe to passes: which model is loaded how often, and at how many tokens it is measured. */
import { formulaBytes } from '../geometry/bytes';
import { tensorCeiling, type BufferLimits } from '../geometry/gpu-buffers';
import type { Geometry } from '../geometry/geometry';
import type { Fault } from '../protocol/faults';
import type { Pass } from '../protocol/messages';
import { DTYPE_BYTES } from '../protocol/recipe';
import type { Recipe } from '../protocol/recipe';

/** What all measurements of one pass share. */
export type PassSettings = Omit<Pass, 'id' | 'work'>;

/** A point that is known before the run not to be measurable. */
export interface SkippedStop {
  pass: PassSettings;
  /** Tokens per sequence that were asked for. */
  tokens: number;
  formulaBytes: number;
  fault: Fault;
}

export interface Plan {
  passes: Pass[];
  skipped: SkippedStop[];
  /** Work of all passes, in the units of {@link unitsOf}. */
  totalUnits: number;
}

/** Tokens of context at which one more token costs twice what it costs in an empty cache. */
const CONTEXT_DOUBLING = 1024;
/** What a decode step costs more than one token of a prefill, which shares its overhead with its chunk. */
const DECODE_STEP_UNITS = 8;

/**
 * One pass per model and repeat, in the recipe's order. Stops over the model's maximum position, or with a tensor larger
 * than a buffer of the device may be, are skipped; the steps of a growth are cut to what fits after its prompt.
 * @param limits The device's, where they are known and the recipe runs on a GPU.
 * @throws what `geometryOf` throws for an unknown model.
 */
export function planRun(
  recipe: Recipe,
  geometryOf: (id: string) => Geometry,
  limits: BufferLimits | null = null,
): Plan {
  const passes: Pass[] = [];
  const skipped: SkippedStop[] = [];
  for (const model of new Set(recipe.model)) {
    const geometry = geometryOf(model);
    for (let repeat = 0; repeat < recipe.repeats; repeat += 1) {
      const settings = settingsOf(recipe, model, repeat);
      const faultAt = (tokens: number): Fault | null =>
        tokens > (geometry.maxPositions ?? Infinity)
          ? overMaxPosition(tokens, geometry)
          : limits && tensorTooLarge(tokens, geometry, settings, limits);
      const { work, refused } = planWork(recipe, geometry.maxPositions ?? Infinity, faultAt);
      skipped.push(...refused.map((stop) => skippedStop(settings, geometry, stop)));
      if (work !== null) passes.push({ id: passes.length, ...settings, work });
    }
  }
  return { passes, skipped, totalUnits: passes.reduce((sum, pass) => sum + unitsOf(pass, Infinity), 0) };
}

/**
 * Work that a pass has done when its cache holds `doneTokens` tokens. Prefilling a token at context c costs
 * 1 + c / 1024 units (attention grows with the context), a decode step 8 times that. For estimates of time only.
 */
export function unitsOf(pass: Pass, doneTokens: number): number {
  if (pass.work.kind === 'length') return prefillUnits(Math.min(doneTokens, pass.work.stops.at(-1) ?? 0));
  const { promptTokens, steps } = pass.work;
  const decoded = Math.max(0, Math.min(doneTokens - promptTokens, steps));
  const decodeUnits = prefillUnits(promptTokens + decoded) - prefillUnits(promptTokens);
  return prefillUnits(Math.min(doneTokens, promptTokens)) + DECODE_STEP_UNITS * decodeUnits;
}

/** The fault of asking for more tokens than the model has positions. */
export function overMaxPosition(tokens: number, geometry: Geometry): Fault {
  return { code: 'over-max-position', params: { tokens, maximum: geometry.maxPositions ?? 0 } };
}

/** The fault of a cell whose largest cache tensor no buffer of the device could hold; null when it fits. */
function tensorTooLarge(
  tokens: number,
  geometry: Geometry,
  { batch, dtype }: PassSettings,
  limits: BufferLimits,
): Fault | null {
  const size = { batch, elementBytes: DTYPE_BYTES[dtype] };
  const { tokens: most, bytesPerToken, tensor, limit, allowed } = tensorCeiling(geometry, size, limits);
  if (tokens <= most) return null;
  return { code: 'buffer-too-large', params: { bytes: tokens * bytesPerToken, limit, allowed, tensor } };
}

function settingsOf(recipe: Recipe, model: string, repeat: number): PassSettings {
  const { dtype, batch, policy, device, allocator, chunk, seed } = recipe;
  return { model, dtype, batch, policy, device, allocator, chunk, seed, repeat };
}

interface PlannedWork {
  work: Pass['work'] | null;
  /** Token counts that were asked for and cannot be measured. */
  refused: { tokens: number; fault: Fault }[];
}

function planWork(recipe: Recipe, maximum: number, faultAt: (tokens: number) => Fault | null): PlannedWork {
  if (recipe.experiment === 'growth') return planGrowth(recipe, maximum, faultAt);
  const stops: number[] = [];
  const refused: PlannedWork['refused'] = [];
  for (const tokens of [...new Set(recipe.tokens)].sort((a, b) => a - b)) {
    const fault = faultAt(tokens);
    if (fault) refused.push({ tokens, fault });
    else stops.push(tokens);
  }
  return { work: stops.length > 0 ? { kind: 'length', stops } : null, refused };
}

function planGrowth(recipe: Recipe, maximum: number, faultAt: (tokens: number) => Fault | null): PlannedWork {
  // Our tokenizer is byte-level: a prompt has as many tokens as UTF-8 bytes.
  const promptTokens =
    recipe.prompt === '' ? (recipe.tokens[0] ?? 0) : new TextEncoder().encode(recipe.prompt).length;
  const fault = faultAt(promptTokens);
  if (fault) return { work: null, refused: [{ tokens: promptTokens, fault }] };
  const steps = Math.min(recipe.steps, maximum - promptTokens);
  return { work: { kind: 'growth', prompt: recipe.prompt, promptTokens, steps }, refused: [] };
}

function skippedStop(
  pass: PassSettings,
  geometry: Geometry,
  { tokens, fault }: PlannedWork['refused'][number],
): SkippedStop {
  const size = { batch: pass.batch, tokens, elementBytes: DTYPE_BYTES[pass.dtype] };
  return { pass, tokens, formulaBytes: formulaBytes(geometry, size), fault };
}

/** The integral of 1 + c / 1024 over the tokens, so that chunks of any size add up to the same. */
function prefillUnits(tokens: number): number {
  return tokens + tokens ** 2 / (2 * CONTEXT_DOUBLING);
}
