/** From a recipe to passes: which model is loaded how often, and at how many tokens it is measured. */
import { formulaBytes } from '../geometry/bytes';
import { tensorCeiling, type BufferLimits } from '../geometry/gpu-buffers';
import type { Geometry } from '../geometry/geometry';
import type { Fault } from '../protocol/faults';
import type { Pass } from '../protocol/messages';
import { readShard } from '../protocol/options';
import { FLOAT16_DTYPES, type Device, type Dtype, type Recipe } from '../protocol/recipe';
import { overRoom, refusedAbove, roomOf } from '../protocol/room';
import { UNKNOWN_HOST, type Host, type Models } from './models';
import { keepingsOf, type Keeping } from './plan-policies';
import { planRedundancy } from './plan-redundancy';
import { planServing } from './serving';
import { keptGeometry } from './quantised';
import { shardOf } from './shard';
import { unitsOf } from './units';

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

/**
 * One pass per model, dtype, batch and repeat, in the recipe's order. Stops over the model's maximum position, or with a
 * tensor larger than a buffer of the device may be, are skipped; the steps of a growth are cut to what fits after its prompt.
 * A recipe with a shard gets its part of all that. A redundancy and a serving are one pass, or a refusal; of `policies` each policy under each
 * allocator mode has a pass of its own.
 * @throws what `models.geometryOf` throws for an unknown model; LabError as `planRedundancy` and `planServing`.
 */
export function planRun(recipe: Recipe, models: Models, host: Host = UNKNOWN_HOST): Plan {
  const passes: Pass[] = [];
  const skipped: SkippedStop[] = [];
  for (const settings of settingsOf(recipe, models, host)) {
    const geometry = keptGeometry(models.geometryOf(settings.model), settings);
    const itemSize = models.itemSizeOf(settings.model, settings.dtype);
    const variant = variantFault(settings, models, host);
    const faultAt = (tokens: number): Fault | null =>
      tokens > (geometry.maxPositions ?? Infinity)
        ? overMaxPosition(tokens, geometry)
        : (overRoom(tokens, recipe) ??
          variant ??
          (settings.device === 'webgpu' && host.limits !== null
            ? tensorTooLarge(
                Math.max(tokens, roomOf(recipe)),
                geometry,
                // A quantised geometry is in bytes.
                { batch: settings.batch, itemSize: settings.policy === 'quantised' ? 1 : itemSize },
                host.limits,
              )
            : null));
    const promptTokens = models.promptTokensOf(settings.model, recipe.prompt);
    const most = Math.min(geometry.maxPositions ?? Infinity, refusedAbove(recipe));
    const { work, refused } =
      recipe.experiment === 'redundancy'
        ? { work: planRedundancy(recipe, settings.model, geometry, faultAt), refused: [] }
        : recipe.experiment === 'serving'
          ? { work: planServing(recipe, settings.model, geometry, itemSize), refused: [] }
          : planWork(recipe, most, promptTokens, faultAt);
    for (const { tokens, fault } of refused) {
      const size = { batch: settings.batch, tokens, elementBytes: itemSize };
      skipped.push({ pass: settings, tokens, formulaBytes: formulaBytes(geometry, size), fault });
    }
    if (work !== null) passes.push({ id: passes.length, ...settings, work });
  }
  const [first] = passes;
  // Tried behind all else, so that nothing that was measured can suffer from it: the worker ends with it.
  if (recipe.experiment === 'policies' && first !== undefined)
    passes.push({
      ...first,
      id: passes.length,
      work: { kind: 'contexts', stops: [], steps: 0, probes: true },
    });
  const whole = { passes, skipped, totalUnits: totalOf(passes) };
  const shard = readShard(recipe.shard);
  if (shard === null) return whole;
  const part = shardOf(passes, shard);
  // What cannot be measured at all is said once, by the first part.
  return { passes: part, skipped: shard.index === 1 ? skipped : [], totalUnits: totalOf(part) };
}

/** The fault of asking for more tokens than the model has positions. */
export function overMaxPosition(tokens: number, geometry: Geometry): Fault {
  return { code: 'over-max-position', params: { tokens, maximum: geometry.maxPositions ?? 0 } };
}

function totalOf(passes: readonly Pass[]): number {
  return passes.reduce((sum, pass) => sum + unitsOf(pass, Infinity), 0);
}

/** A serving has no axes: its requests are its batch. */
function settingsOf(recipe: Recipe, models: Models, host: Host): PassSettings[] {
  const all = allSettings(recipe, models, host);
  return recipe.experiment === 'serving' ? all.slice(0, 1) : all;
}

/** Every combination of the recipe's axes, in the table's order: model, dtype, batch, repeat; of `policies` all that for each way to keep the cache. */
function allSettings(recipe: Recipe, models: Models, host: Host): PassSettings[] {
  const { room, overflow, bits, block, chunk, seed, repeats } = recipe;
  // A comparison of policies makes each cache for the context that it is measured at.
  const sized: Pick<PassSettings, 'room' | 'overflow'> =
    recipe.experiment === 'policies' ? { room: 0, overflow: 'refuse' } : { room, overflow };
  const keepings: Keeping[] = recipe.experiment === 'policies' ? keepingsOf(recipe) : [recipe];
  const processBytes = recipe.experiment === 'batch' && host.processBytes;
  return keepings.flatMap(({ policy, allocator }) =>
    modelsOf(recipe, models).flatMap((model) =>
      recipe.dtype.flatMap((dtype) =>
        recipe.batch.flatMap((batch) =>
          Array.from({ length: repeats }, (_, repeat) => ({
            ...{ model, dtype, batch, policy, ...sized, bits, block },
            ...{ allocator, chunk, seed, repeat, processBytes },
            device: deviceOf(recipe, dtype, host),
          })),
        ),
      ),
    ),
  );
}

/** The models that a recipe measures: those it names, and in `gqa` beside each its twin without shared KV heads. */
export function modelsOf(recipe: Recipe, models: Pick<Models, 'counterfactualOf'>): string[] {
  const named = [...new Set(recipe.model)];
  if (recipe.experiment !== 'gqa') return named;
  return [
    ...new Set(
      named.flatMap((model) => {
        const counterfactual = models.counterfactualOf(model);
        return counterfactual === null ? [model] : [model, counterfactual];
      }),
    ),
  ];
}

/** In the comparison of dtypes float16 runs where it can: without shader-f16 that is the WASM backend, and the cell says so. */
function deviceOf(recipe: Recipe, dtype: Dtype, host: Host): Device {
  const elsewhere =
    recipe.experiment === 'dtype' && host.shaderF16 === false && FLOAT16_DTYPES.includes(dtype);
  return elsewhere ? 'wasm' : recipe.device;
}

function variantFault(settings: PassSettings, models: Models, host: Host): Fault | null {
  const { model, dtype, device } = settings;
  if (dtype === 'bf16') return { code: 'bf16-unsupported', params: {} };
  if (device === 'webgpu' && host.shaderF16 === false && FLOAT16_DTYPES.includes(dtype))
    return { code: 'fp16-unsupported', params: {} };
  return models.variantFault(model, dtype);
}

/** The fault of a cell whose largest cache tensor no buffer of the device could hold; null when it fits. */
function tensorTooLarge(
  tokens: number,
  geometry: Geometry,
  { batch, itemSize }: { batch: number; itemSize: number },
  limits: BufferLimits,
): Fault | null {
  const size = { batch, elementBytes: itemSize };
  const { tokens: most, bytesPerToken, tensor, limit, allowed } = tensorCeiling(geometry, size, limits);
  if (tokens <= most) return null;
  return { code: 'buffer-too-large', params: { bytes: tokens * bytesPerToken, limit, allowed, tensor } };
}

interface PlannedWork {
  work: Pass['work'] | null;
  /** Token counts that were asked for and cannot be measured. */
  refused: { tokens: number; fault: Fault }[];
}

function planWork(
  recipe: Recipe,
  maximum: number,
  promptTokens: number,
  faultAt: (tokens: number) => Fault | null,
): PlannedWork {
  if (recipe.experiment === 'growth') return planGrowth(recipe, maximum, promptTokens, faultAt);
  const stops: number[] = [];
  const refused: PlannedWork['refused'] = [];
  for (const tokens of [...new Set(recipe.tokens)].sort((a, b) => a - b)) {
    const fault = faultAt(tokens);
    if (fault) refused.push({ tokens, fault });
    else stops.push(tokens);
  }
  const last = stops.at(-1);
  if (last === undefined) return { work: null, refused };
  if (recipe.experiment === 'policies')
    return { work: { kind: 'contexts', stops, steps: recipe.steps, probes: false }, refused };
  const steps = recipe.experiment === 'batch' ? Math.min(recipe.steps, maximum - last) : 0;
  return { work: { kind: 'length', stops, steps }, refused };
}

function planGrowth(
  recipe: Recipe,
  maximum: number,
  promptLength: number,
  faultAt: (tokens: number) => Fault | null,
): PlannedWork {
  const promptTokens = recipe.prompt === '' ? (recipe.tokens[0] ?? 0) : promptLength;
  const fault = faultAt(promptTokens);
  if (fault) return { work: null, refused: [{ tokens: promptTokens, fault }] };
  const steps = Math.min(recipe.steps, maximum - promptTokens);
  return { work: { kind: 'growth', prompt: recipe.prompt, promptTokens, steps }, refused: [] };
}
