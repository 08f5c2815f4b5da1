import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments';
import { CliError } from './cli-error';

describe('readArguments', () => {
  it('reads every option, and leaves out what is not given', () => {
    const line =
      'bytes a.json --tokens 32768 --batch 2 --engine llamacpp --ubatch 256 --encoder-tokens 1500 --json';
    expect(readArguments(line.split(' '))).toEqual({
      file: 'a.json',
      json: true,
      engine: 'llama.cpp',
      dtype: null,
      tokens: 32768,
      batch: 2,
      ubatch: 256,
      encoderTokens: 1500,
    });
  });

  it('means the ideal cache of one token where nothing else is said', () => {
    expect(readArguments(['bytes', '-'])).toMatchObject({ file: '-', engine: 'ideal', tokens: 1, batch: 1 });
  });

  it('takes GPUs with vLLM, and one GPU with any engine', () => {
    const vllm = 'bytes a --engine vllm --tensor-parallel 1024';
    expect(readArguments(vllm.split(' '))).toMatchObject({ tensorParallel: 1024 });
    expect(readArguments('bytes a --tensor-parallel 1'.split(' '))).toMatchObject({ tensorParallel: 1 });
  });

  it('gives null for help', () => {
    expect(readArguments(['bytes', '--help'])).toBeNull();
    expect(readArguments(['-h'])).toBeNull();
  });

  it.each([
    ['bytes a --tokens 1.5', '--tokens is “1.5”; it must be a whole number from 0 to 1,099,511,627,776.'],
    ['bytes a --batch 0', '--batch is “0”'],
    ['bytes a --tokens 1e3', '--tokens is “1e3”'],
    ['bytes a --tokens -5', '--tokens'],
    ['bytes a --tokens', '--tokens'],
    [
      'bytes a --tensor-parallel 8',
      '--tensor-parallel is a setting of vllm; the engine ideal keeps one cache.',
    ],
    ['bytes a --engine onnx --tensor-parallel 2', 'the engine transformers.js keeps one cache.'],
    [
      'bytes a --engine vllm --tensor-parallel 1025',
      '--tensor-parallel is “1025”; it must be a whole number from 1 to 1,024.',
    ],
    ['bytes a --frobnicate', '--frobnicate'],
    ['bytes a --dtype int7', '--dtype: '],
    ['bytes a --engine tgi', '--engine: '],
    ['bytes a b', '“b” is too much'],
    ['bytes', 'No file is given'],
    ['size a', 'There is no command “size”'],
    ['', 'There is no command'],
  ])('refuses “%s” by name', (line, sentence) => {
    expect(() => readArguments(line.split(' '))).toThrow(CliError);
    expect(() => readArguments(line.split(' '))).toThrow(sentence);
  });
});
