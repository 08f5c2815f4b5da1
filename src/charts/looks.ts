/** How lines are told apart where they are no byte levels: by width, dash, shape of their points, and colour. */

/**
 * One look a thing, in their order; more things begin anew. Equal values lie on each other, so earlier lines are wider and
 * have larger, hollow points: all of them stay visible.
 */
export const LOOKS = [
  { dash: [], width: 5, radius: 7 },
  { dash: [10, 5], width: 3.5, radius: 5.5 },
  { dash: [2, 4], width: 2.5, radius: 4 },
  { dash: [12, 4, 2, 4], width: 2, radius: 3 },
  { dash: [5, 3], width: 1.5, radius: 2.5 },
  { dash: [1, 3], width: 1.25, radius: 2 },
] as const;

/** CSS custom properties of the looks' colours; none is a byte level's. */
export const LOOK_COLOURS = LOOKS.map((_, index) => `--record-${index + 1}`);

export const SHAPES = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'cross'] as const;
