/** What a serving's good values together cannot be. */
import { describe, expect, it } from 'vitest';
import { parseRecipe, recipeQuery } from './options';

const faultsOf = (query: string) => parseRecipe(new URLSearchParams(`experiment=serving&${query}`)).faults;

describe('options of a serving', () => {
  it('come back from a link; only what differs is written', () => {
    const { recipe, faults } = parseRecipe(
      new URLSearchParams('experiment=serving&lengths=alpaca&pool=4096&requests=50&block=32&seed=3'),
    );
    expect(faults).toEqual([]);
    expect(recipe.serving).toEqual({ lengths: 'alpaca', requests: 50, pool: 4096, longest: 2048 });
    expect(recipeQuery(recipe).toString()).toBe(
      'experiment=serving&lengths=alpaca&requests=50&pool=4096&block=32&seed=3',
    );
  });

  it('refuse a longest request for which no range of a power of two is left', () => {
    // 3,000 = 2,048 + 512 + …: no range of 4,096 rows.
    expect(faultsOf('pool=3000&longest=2048')).toEqual([]);
    expect(faultsOf('pool=3000&longest=2049')[0]?.params).toMatchObject({
      ...{ option: 'longest', value: '2049', min: 16, max: 2048 },
      expected: 'use at most 2048, the largest power of two in a pool of 3000 tokens',
    });
  });

  it('refuse blocks of which the pool has too few for the longest request', () => {
    // 100 tokens need two blocks of 96, and a pool of 190 has one; of 95 it has two.
    expect(faultsOf('pool=127&longest=64&block=64')).toEqual([]);
    expect(faultsOf('pool=190&longest=100&block=96')[0]?.params).toMatchObject({
      ...{ option: 'block', value: '96', max: 95 },
    });
  });
});
