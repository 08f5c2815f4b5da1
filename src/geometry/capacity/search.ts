/** Inverses of a cost that never falls: the most tokens that fit, the most sessions, the least GPUs. */
import type { Count } from './types';

/** No context that is asked for is longer; a cost that fits here has stopped growing. */
const ENDLESS = 2 ** 40;

/**
 * The most tokens whose cost is within the room; 0 when not even one fits, `unbounded` when the cost stops growing within it
 * (windows in every layer, states). Costs are straight lines between windows and blocks, so the search goes to where the line
 * meets the room, and closes in from there.
 * @param cost Bytes for so many tokens; never falls as tokens rise; Infinity where impossible.
 */
export function mostTokens(cost: (tokens: number) => number, room: number): Count {
  if (cost(1) > room) return 0;
  let fits = 1;
  let tooMany = 16;
  while (cost(tooMany) <= room) {
    if (tooMany >= ENDLESS) return 'unbounded';
    fits = tooMany;
    tooMany *= 16;
  }
  const [low, high] = [cost(fits), cost(tooMany)];
  const onLine = fits + Math.floor(((room - low) / (high - low)) * (tooMany - fits));
  return bisect((tokens) => cost(tokens) <= room, ...bracket(cost, room, { fits, tooMany, near: onLine }));
}

/** Two numbers around the last that fits, close to `near` when that is close to it. */
function bracket(
  cost: (tokens: number) => number,
  room: number,
  { fits, tooMany, near }: { fits: number; tooMany: number; near: number },
): [fits: number, tooMany: number] {
  const start = Math.min(Math.max(near, fits), tooMany);
  const up = cost(start) <= room;
  for (let step = 1; ; step *= 2) {
    const next = up ? start + step : start - step;
    if (up ? next >= tooMany : next <= fits) return up ? [start, tooMany] : [fits, start];
    if (cost(next) <= room !== up) {
      // The step before was on the other side.
      const before = up ? start + Math.floor(step / 2) : start - Math.floor(step / 2);
      return up ? [before, next] : [next, before];
    }
  }
}

/** The last number from `low` (which fits) up to before `high` (which does not) that fits. */
function bisect(fits: (value: number) => boolean, low: number, high: number): number {
  let [most, tooMany] = [low, high];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (fits(middle)) most = middle;
    else tooMany = middle;
  }
  return most;
}

/** Sessions of that cost in the room. */
export function mostSessions(sessionBytes: number, room: number): Count {
  return sessionBytes === 0 ? 'unbounded' : Math.floor(room / sessionBytes);
}

/** Whether so many sessions of that cost are within the room. */
export function holds(sessions: number, sessionBytes: number, room: number): boolean {
  const fits = mostSessions(sessionBytes, room);
  return fits === 'unbounded' || fits >= sessions;
}
