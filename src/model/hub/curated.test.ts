/** The curated list is searchable and well-formed. */
import { expect, it } from 'vitest';
import { searchCurated } from './curated';
import { parseHubId } from './ids';

it('finds by all words, in id, name, family and both languages', () => {
  expect(searchCurated('qwen3 1.7').map(({ name }) => name)).toEqual(['Qwen3 1.7B']);
  expect(searchCurated('LFM2 합성곱').map(({ name }) => name)).toEqual(['LFM2 350M']);
  expect(searchCurated('no such model')).toEqual([]);
});

it('has the article’s three models first, each id once and without a revision', () => {
  const ids = searchCurated('').map(({ id }) => id);
  expect(ids.slice(0, 3)).toEqual([
    'onnx-community/Qwen2.5-0.5B-Instruct',
    'HuggingFaceTB/SmolLM2-135M-Instruct',
    'onnx-community/gpt2-ONNX',
  ]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.map((id) => parseHubId(id))).toEqual(ids.map((id) => ({ repo: id, revision: 'main' })));
});
