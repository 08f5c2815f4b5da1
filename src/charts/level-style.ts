/** The one colour name, dash and point shape of each byte level, in every chart; colour is never the only sign. */

/**
 * The byte levels in the order in which they are told, from the formula outwards. `used` is what of a preallocated cache's tensors
 * holds tokens; a cache that grows has no such level.
 */
export const LEVELS = ['formula', 'used', 'tensor', 'resident', 'device'] as const;
export type Level = (typeof LEVELS)[number];

export interface LevelStyle {
  /** CSS custom property that holds the colour in the present theme. */
  cssVariable: `--level-${Level}`;
  /** Dash and gap lengths in CSS pixels; empty is a solid line. */
  dash: readonly number[];
  pointStyle: 'circle' | 'rect' | 'rectRot' | 'triangle' | 'crossRot';
}

export const LEVEL_STYLES: Readonly<Record<Level, LevelStyle>> = {
  formula: { cssVariable: '--level-formula', dash: [7, 5], pointStyle: 'rectRot' },
  used: { cssVariable: '--level-used', dash: [12, 4], pointStyle: 'crossRot' },
  tensor: { cssVariable: '--level-tensor', dash: [], pointStyle: 'circle' },
  resident: { cssVariable: '--level-resident', dash: [2, 3], pointStyle: 'rect' },
  device: { cssVariable: '--level-device', dash: [10, 4, 2, 4], pointStyle: 'triangle' },
};
