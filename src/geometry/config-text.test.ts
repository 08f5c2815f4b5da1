/** Texts that people paste in place of a config.json. */
import { describe, expect, it } from 'vitest';
import { parseConfigText, readConfigText } from './config-text';
import { GeometryError } from './geometry-error';

const CONFIG = { model_type: 'llama', num_hidden_layers: 2, head_dim: null, use_cache: true };

function refusal(text: string): unknown {
  try {
    return parseConfigText(text);
  } catch (error) {
    if (error instanceof GeometryError) return error.code;
    throw error;
  }
}

describe('readConfigText', () => {
  it.each<[string, string, string[]]>([
    ['strict JSON', JSON.stringify(CONFIG), []],
    ['a byte order mark', `\uFEFF${JSON.stringify(CONFIG)}\r\n`, []],
    [
      'comments and trailing commas',
      '{ // the model\n "model_type": "llama", /* two { */ "num_hidden_layers": 2, # layers\n "head_dim": null, "use_cache": true, }',
      ['relaxed-json'],
    ],
    [
      'a Python dict',
      "{'model_type': 'llama', 'num_hidden_layers': 2, 'head_dim': None, 'use_cache': True}",
      ['python', 'relaxed-json'],
    ],
    [
      'what Python prints of a config, and text behind it',
      'LlamaConfig {\n  "model_type": "llama",\n  "num_hidden_layers": 2,\n  "head_dim": null,\n  "use_cache": true\n}\n>>> ',
      ['text-around'],
    ],
    [
      'a Markdown fence',
      `The config is:\n\`\`\`json\n${JSON.stringify(CONFIG)}\n\`\`\`\nThanks!`,
      ['text-around'],
    ],
    [
      'unquoted keys',
      '{ model_type: "llama", num_hidden_layers: 2, head_dim: null, use_cache: true }',
      ['relaxed-json'],
    ],
  ])('reads %s', (_name, text, repairs) => {
    expect(readConfigText(text)).toEqual({ value: CONFIG, repairs });
  });

  it('leaves words, braces and comment signs inside of strings alone', () => {
    const text = '{"a": "None } // # {", "b": \'True\', "c": "\\"", }';
    expect(parseConfigText(text)).toEqual({ a: 'None } // # {', b: 'True', c: '"' });
  });

  it('keeps NaN for the reader of the field to refuse', () => {
    expect(parseConfigText('{"num_hidden_layers": NaN}')).toEqual({ num_hidden_layers: NaN });
  });

  it.each([
    ['', 'config-empty'],
    ['\uFEFF \n', 'config-empty'],
    ['<!DOCTYPE html><html></html>', 'config-html'],
    ['\n<html><body>{"a": 1}</body></html>', 'config-html'],
    ['404: Not Found', 'config-not-json'],
    ['model_type: llama', 'config-not-json'],
    ['{"num_hidden_layers": 32, "hidden_size": 4096', 'config-truncated'],
    ['{"text_config": {"num_hidden_layers": 32}', 'config-truncated'],
    ['{"a": "never closed}', 'config-truncated'],
    ['{"num_hidden_layers": 32 "hidden_size": 4096}', 'config-not-json'],
  ])('refuses %j', (text, code) => {
    expect(refusal(text)).toBe(code);
  });

  it('refuses what is longer than any config, and reads the longest published one’s 3,087,083 characters', () => {
    expect(refusal(`{"a": "${'9'.repeat(4_000_000)}"}`)).toBe('config-too-long');
    expect(parseConfigText(`{"a": "${'9'.repeat(3_087_074)}"}`)).toHaveProperty('a');
  });

  // Each of these took time by the square of its length: hours.
  it.each(["'\\", '"\\', "'\\\n", '/*'])('comes to an end with %j half a million times', (part) => {
    expect(refusal(`{${part.repeat(500_000)}`)).toBe('config-truncated');
  });

  it('gives other JSON values as they are: the geometry says that they are no config', () => {
    expect(parseConfigText('[1, 2]')).toEqual([1, 2]);
    expect(parseConfigText('42')).toBe(42);
  });
});
