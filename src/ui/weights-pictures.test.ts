/** The pictures of weights against cache: shared axes, the maximum position as a point of the line. */
import { expect, it } from 'vitest';
import { ARTICLE_MODELS, defaultRecipe } from '../protocol/recipe';
import { weightsPictures } from './weights-pictures';
import { weightsRows } from './weights-rows';

it('gives the article’s three models the same axes, wide enough for every crossing', () => {
  const rows = weightsRows({ ...defaultRecipe('weights'), model: [...ARTICLE_MODELS, 'tiny'] }, null);
  const pictures = weightsPictures(rows, 4);
  // `tiny` has no real weights and no picture.
  expect(pictures.map(({ id }) => id)).toEqual(ARTICLE_MODELS);
  // 2 x 80,409 tokens, up to the next power of two.
  for (const { picture } of pictures) expect(picture.x).toEqual({ min: 128, max: 262144 });
  expect(new Set(pictures.map(({ picture }) => JSON.stringify(picture.y))).size).toBe(1);
  const gpt2 = pictures[2]?.picture;
  expect(gpt2?.line).toContainEqual({ x: 1024, y: 75497472 });
  expect(Math.round(gpt2?.crossing ?? 0)).toBe(6751);
});

it('is empty where no weights are known', () => {
  expect(weightsPictures(weightsRows({ ...defaultRecipe('weights'), model: ['tiny'] }, null), 4)).toEqual([]);
});
