/** The growth series of a record: opened by the prompt, one entry a decode step, closed or cut short. */
import type { Geometry } from '../geometry/geometry';
import { describeFault } from '../protocol/faults';
import type { Fault } from '../protocol/faults';
import type { MeasuredStep, Pass } from '../protocol/messages';
import type { Growth, LabRecord, MaybeBytes, Step } from '../protocol/record';
import { overRoom } from '../protocol/room';
import { formulaAt, preallocatedAt, samePoint, type PointSubject } from './cells';
import type { Models } from './models';
import { overMaxPosition } from './plan';

export interface MeasuredPrompt {
  tokens: number;
  tensorBytes: number;
  residentBytes: MaybeBytes;
  processBytes: MaybeBytes;
  usedBytes?: number | undefined;
}

/** All series of a pass, in the order in which they were opened: one a prompt. */
export function growthsOf(record: LabRecord, pass: PointSubject): Growth[] {
  return record.growth.filter((growth) => samePoint(growth, pass));
}

/** Opens a series of a pass; the same prompt a second time changes nothing. */
export function openGrowth(record: LabRecord, pass: Pass, prompt: MeasuredPrompt): LabRecord {
  if (growthsOf(record, pass).some(({ promptTokens }) => promptTokens === prompt.tokens)) return record;
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
 * Opens, without a step and with the reason, the series of a pass that ended between a cell and the steps behind it: they
 * were asked for and are missing. Without such steps, or without that cell, nothing is added.
 */
export function missSteps(record: LabRecord, pass: Pass, fault: Fault): LabRecord {
  return stopsBeforeSteps(pass.work).reduce((done, tokens) => {
    if (growthsOf(done, pass).some(({ promptTokens }) => promptTokens === tokens)) return done;
    const cell = done.cells.find((one) => samePoint(one, pass) && one.tokens === tokens);
    if (cell === undefined || cell.tensorBytes === null) return done;
    const { tensorBytes, residentBytes, processBytes, usedBytes } = cell;
    const prompt = { tokens, tensorBytes, residentBytes, processBytes, usedBytes };
    const opened = openGrowth(done, pass, prompt);
    const growth = growthsOf(opened, pass).at(-1);
    return growth === undefined ? opened : cutGrowth(opened, growth, fault);
  }, record);
}

/** The stops of a pass behind which decode steps are asked for. */
function stopsBeforeSteps(work: Pass['work']): number[] {
  if (work.kind !== 'length' && work.kind !== 'contexts') return [];
  if (work.steps === 0) return [];
  return work.kind === 'contexts' ? work.stops : work.stops.slice(-1);
}

/** Appends a step with what it added to the tensors and to the buffers. Nothing is added to a series that was cut short. */
export function appendStep(
  record: LabRecord,
  pass: Pass,
  measured: MeasuredStep,
  ctx: { models: Models; background: boolean },
): LabRecord {
  const growth = growthsOf(record, pass).at(-1);
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
    ...costsOf(measured),
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
  return growthsOf(record, pass).reduce((done, growth) => {
    const asked = growth.promptTokens + growth.stepsPlanned;
    // Whichever comes first.
    const full = overRoom(Math.min(asked, geometry.maxPositions ?? asked), pass);
    return cutGrowth(done, growth, full ?? overMaxPosition(asked, geometry));
  }, record);
}

/** What a step cost, as far as it was counted. */
function costsOf({
  compiled,
  copiedBytes,
  peakDeviceBytes,
}: MeasuredStep): Pick<Step, 'compiled' | 'copiedBytes' | 'peakDeviceBytes'> {
  return {
    ...(compiled === undefined ? {} : { compiled }),
    ...(copiedBytes === undefined ? {} : { copiedBytes }),
    ...(peakDeviceBytes === undefined ? {} : { peakDeviceBytes }),
  };
}

function replace(record: LabRecord, old: Growth, next: Growth): LabRecord {
  return { ...record, growth: record.growth.map((growth) => (growth === old ? next : growth)) };
}
