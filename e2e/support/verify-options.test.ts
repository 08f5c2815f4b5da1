/** Command line of `npm run verify`. */
import { expect, it } from 'vitest';
import { readVerifyOptions, refuseOwnTexts } from './verify-options';

it.each([
  ['tokens=8', { query: 'tokens=8', hash: '' }],
  ['?tokens=8#r=1.AB', { query: 'tokens=8', hash: '#r=1.AB' }],
  ['https://example.org/lab/?tokens=8,16#r=1.AB', { query: 'tokens=8,16', hash: '#r=1.AB' }],
])('takes a query or a whole link as the recipe: %s', (recipe, parts) => {
  expect(readVerifyOptions(['--recipe', recipe])).toMatchObject({ ...parts, url: null });
});

it('takes the recipe out of the page’s address unless one is given', () => {
  const link = 'https://example.org/lab/?tokens=8#r=1.AB';
  expect(readVerifyOptions(['--url', link])).toMatchObject({
    url: 'https://example.org/lab/',
    query: 'tokens=8',
    hash: '#r=1.AB',
  });
  expect(readVerifyOptions(['--url', link, '--recipe', 'batch=2'])).toMatchObject({
    query: 'batch=2',
    hash: '',
  });
});

it.each([
  [['--fast']],
  [['--recipe']],
  [['tokens=8']],
  [['--url', 'file:///etc/passwd']],
  [['--json', '/no/such/x']],
])('refuses %j', (args) => {
  expect(() => readVerifyOptions(args)).toThrow();
});

it('says that only the page can take a text of one’s own', () => {
  const query = 'experiment=redundancy&documents=model-card,own:notes,python-code';
  expect(() => {
    refuseOwnTexts(query);
  }).toThrow(
    'The document “notes” is a text of your own, which only the page can take: add it there, or choose built-in texts.',
  );
  for (const fine of ['', 'experiment=redundancy'])
    expect(() => {
      refuseOwnTexts(fine);
    }).not.toThrow();
});
