/** Short names of models: only a commit is cut. */
import { describe, expect, it } from 'vitest';
import { shortCommit, shortModelName } from './model-name';

const COMMIT = '0123abcdef0123abcdef0123abcdef0123abcdef';

describe('shortModelName', () => {
  it.each([
    [`onnx-community/Qwen3-0.6B-ONNX@${COMMIT}`, 'Qwen3-0.6B-ONNX@0123abc'],
    [`lab/tiny@${COMMIT.toUpperCase()}`, 'tiny@0123ABC'],
    ['lab/tiny@main', 'lab/tiny@main'],
    ['lab/tiny', 'lab/tiny'],
    [`lab/tiny@${COMMIT}0`, `lab/tiny@${COMMIT}0`],
    ['twin:Qwen/Qwen2.5-0.5B-Instruct', 'twin:Qwen/Qwen2.5-0.5B-Instruct'],
    [`local:folder@${COMMIT}`, `local:folder@${COMMIT}`],
    ['tiny', 'tiny'],
    ['', ''],
  ])('%s is %s', (id, name) => {
    expect(shortModelName(id)).toBe(name);
  });
});

describe('shortCommit', () => {
  it.each([
    [COMMIT, '0123abc'],
    ['main', 'main'],
    ['v1.0', 'v1.0'],
    ['0123abcdef', '0123abcdef'],
  ])('%s is %s', (revision, shown) => {
    expect(shortCommit(revision)).toBe(shown);
  });
});
