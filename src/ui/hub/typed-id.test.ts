/** Typed ids of models: an id, or the address of a repository's page. */
import { describe, expect, it } from 'vitest';
import { readTypedId } from './typed-id';

const HOST = 'http://localhost:4180';

describe('readTypedId', () => {
  it.each([
    ['lab/tiny', 'lab/tiny'],
    ['  lab/tiny ', 'lab/tiny'],
    ['lab/tiny@v1', 'lab/tiny@v1'],
    ['lab/tiny@main', 'lab/tiny'],
    ['https://huggingface.co/onnx-community/Qwen3-0.6B-ONNX', 'onnx-community/Qwen3-0.6B-ONNX'],
    ['https://huggingface.co/a/b/', 'a/b'],
    ['https://huggingface.co/a/b/tree/main', 'a/b'],
    ['https://huggingface.co/a/b/tree/v2/onnx?x=1#y', 'a/b@v2'],
    ['http://localhost:4180/lab/tiny', 'lab/tiny'],
  ])('%s is %s', (text, id) => {
    expect(readTypedId(text, HOST)).toBe(id);
  });

  it.each([
    '',
    'gpt2',
    'a/b/c',
    'a/b@c@d',
    '../etc/passwd',
    'https://example.com/a/b',
    'https://huggingface.co/a/b/discussions/1',
    'https://huggingface.co/',
    'javascript:alert(1)',
    '<img src=x>/y',
  ])('%s is none', (text) => {
    expect(readTypedId(text, HOST)).toBeNull();
  });
});
