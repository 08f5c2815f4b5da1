/** The growth series of a record: opened by the prompt, one entry a decode step, closed or cut short. */
import type { Geometry } from '../geometry/geometry';
import { describeFault } from '../protocol/faults';
import type { Fault } from '../protocol/faults';
import type { MeasuredStep, Pass } from '../protocol/messages';
import type { Growth, LabRecord, MaybeBytes, Step } from '../protocol/record';
import { formulaAt, preallocatedAt, samePoint, type PointSubject } from './cells';
import type { Models } from './models';
import { overMaxPosition, overRoom } from './plan';

export interface MeasuredPrompt {
  tokens: number;
  tensorBytes: number;
  residentBytes: MaybeBytes;
  processBytes: MaybeBytes;
  usedBytes?: number | undefined;
}

export function findGrowth(record: LabRecord, pass: PointSubject): Growth | undefined {
  return record.growth.find((growth) => samePoint(growth, pass));
}

/** Opens the series of a pass; a second prompt of the same pass changes nothing. */
export function openGrowth(record: LabRecord, pass: Pass, prompt: MeasuredPrompt): LabRecord {
  if (findGrowth(record, pass) !== undefined) return record;
  const { model, dtype, batch, policy, allocator, device, repeat } = pass;
  const growth: Growth = {
    ...{ model, dtype, batch, policy, allocator, device, repeat },
    promptTokens: prompt.tokens,
    promptBytes: prompt.tensorBytes,
    promptResidentBytes: prompt.residentBytes,
    promptProcessBytes: prompt.processBytes,
    ...(prompt.usedBytes === undefined ? {} : { promptUsedBytes: prompt.usedBytes }),
    stepsPlanned: record.recipe.steps,
    steps: [],
    interrupted: null,
    fault: null,
  };
  return { ...record, growth: [...record.growth, growth] };
}

/**
 * Opens, without a step and with the reason, the series of a pass over lengths that ended between its last cell and its
 * steps: they were asked for and are missing. Without such steps, or without that cell, nothing is added.
 */
export function missSteps(record: LabRecord, pass: Pass, fault: Fault): LabRecord {
  const { work } = pass;
  if (work.kind !== 'length' || work.steps === 0 || findGrowth(record, pass) !== undefined) return record;
  const tokens = work.stops.at(-1);
  const last = record.cells.find((cell) => samePoint(cell, pass) && cell.tokens === tokens);
  if (last === undefined || last.tensorBytes === null) return record;
  const { tokens: at, tensorBytes, residentBytes, processBytes, usedBytes } = last;
  const prompt = { tokens: at, tensorBytes, residentBytes, processBytes, usedBytes };
  const opened = openGrowth(record, pass, prompt);
  const growth = findGrowth(opened, pass);
  return growth === undefined ? opened : cutGrowth(opened, growth, fault);
}

/** Appends a step with what it added to the tensors and to the buffers. Nothing is added to a series that was cut short. */
export function appendStep(
  record: LabRecord,
  pass: Pass,
  measured: MeasuredStep,
  ctx: { models: Models; background: boolean },
): LabRecord {
  const growth = findGrowth(record, pass);
  if (growth === undefined || growth.fault !== null) return record;
  const last = growth.steps.at(-1);
  const tensorBefore = last === undefined ? growth.promptBytes : last.tensorBytes;
  const residentBefore = last === undefined ? growth.promptResidentBytes : last.residentBytes;
  const step: Step = {
    tokens: measured.tokens,
    formulaBytes: formulaAt(record, pass, ctx.models, measured.tokens),
    tensorBytes: measured.tensorBytes,
    residentBytes: measured.residentBytes,
    deviceBytes: measured.deviceBytes,
    processBytes: measured.processBytes,
    deltaTensor: measured.tensorBytes - tensorBefore,
    deltaResident:
      measured.residentBytes === null || residentBefore === null
        ? null
        : measured.residentBytes - residentBefore,
    ms: measured.ms,
    background: ctx.background,
    ...preallocatedAt(record, pass, ctx.models, measured),
  };
  return replace(record, growth, { ...growth, steps: [...growth.steps, step] });
}

/** Marks a series whose planned steps are not all there; a complete one, or one with its reason, stays as it is. */
export function cutGrowth(record: LabRecord, growth: Growth, fault: Fault): LabRecord {
  if (growth.fault !== null || growth.steps.length >= growth.stepsPlanned) return record;
  return replace(record, growth, { ...growth, interrupted: describeFault(fault), fault });
}

/** Closes the series of a pass that ended well: steps beyond the room of its cache or the maximum position were never tried. */
export function closeGrowth(record: LabRecord, pass: Pass, geometry: Geometry): LabRecord {
  const growth = findGrowth(record, pass);
  if (growth === undefined) return record;
  const asked = growth.promptTokens + growth.stepsPlanned;
  // Whichever comes first.
  const full = overRoom(Math.min(asked, geometry.maxPositions ?? asked), pass);
  return cutGrowth(record, growth, full ?? overMaxPosition(asked, geometry));
}

function replace(record: LabRecord, old: Growth, next: Growth): LabRecord {
  return { ...record, growth: record.growth.map((growth) => (growth === old ? next : growth)) };
}
