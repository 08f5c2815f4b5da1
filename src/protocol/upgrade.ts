/** Versioned formats: one upgrader per step, checked for gaps when the chain is made. */

/** `steps[n]` turns a value of version n into one of version n + 1. */
export type UpgradeSteps = Readonly<Record<number, (value: unknown) => unknown>>;

/**
 * Makes the function that lifts a value from any known version (1 … `current`) to the current one.
 * @throws Error at once when a step is missing or leads past the current version: a fault of ours, never of a file.
 */
export function upgradeChain(
  format: string,
  current: number,
  steps: UpgradeSteps,
): (version: number, value: unknown) => unknown {
  const found = Object.keys(steps).map(Number);
  for (let version = 1; version < current; version += 1) {
    if (!found.includes(version)) throw new Error(`${format} has no upgrader from version ${version}`);
  }
  const extra = found.find((version) => version < 1 || version >= current);
  if (extra !== undefined)
    throw new Error(`${format} has an upgrader from version ${extra}, but is at ${current}`);
  return (version, value) => {
    let lifted = value;
    for (let at = version; at < current; at += 1) lifted = steps[at]?.(lifted);
    return lifted;
  };
}
