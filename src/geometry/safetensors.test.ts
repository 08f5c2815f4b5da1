import { describe, expect, it } from 'vitest';
import { parseSafetensorsHeader, parseSafetensorsIndex, safetensorsHeaderBytes } from './safetensors';

/** The start of a file: the header's length in 8 bytes, little-endian, then the header. */
function fileOf(header: string, rest = 0): Uint8Array {
  const text = new TextEncoder().encode(header);
  const bytes = new Uint8Array(8 + text.length + rest);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  return bytes;
}

describe('parseSafetensorsIndex', () => {
  const map = {
    'a.weight': 'model-00001-of-00002.safetensors',
    'b.weight': 'model-00002-of-00002.safetensors',
  };

  it('gives the total size of Qwen3-8B (second article: 16,381,470,720 bytes)', () => {
    expect(parseSafetensorsIndex({ metadata: { total_size: 16_381_470_720 }, weight_map: map })).toEqual({
      bytes: 16_381_470_720,
      tensors: 2,
      files: ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'],
    });
  });

  it('reads gpt-oss-120b as its index says, not as bf16 (golden config-cases: 65,248,815,744)', () => {
    expect(parseSafetensorsIndex({ metadata: { total_size: 65248815744.0 }, weight_map: map }).bytes).toBe(
      65_248_815_744,
    );
  });

  it.each([
    [{}, '“weight_map”'],
    [[], '“weight_map”'],
    [null, '“weight_map”'],
    [{ weight_map: { a: 3 } }, '“weight_map”'],
    [{ weight_map: map }, 'has no total_size in its metadata; sum its 2 files'],
    [{ metadata: { total_size: -1 }, weight_map: map }, '“metadata.total_size” is -1'],
    [{ metadata: { total_size: 'many' }, weight_map: map }, '“metadata.total_size” is "many"'],
  ])('refuses %j by name', (json, sentence) => {
    expect(() => parseSafetensorsIndex(json)).toThrow(sentence);
  });
});

describe('parseSafetensorsHeader', () => {
  const header = JSON.stringify({
    __metadata__: { format: 'pt' },
    a: { dtype: 'F16', shape: [2, 3], data_offsets: [0, 12] },
    b: { dtype: 'F32', shape: [5], data_offsets: [12, 32] },
  });

  it('sums the tensors, without metadata, header or what follows', () => {
    const bytes = fileOf(header, 7);
    expect(parseSafetensorsHeader(bytes)).toEqual({ bytes: 32, tensors: 2, headerBytes: 8 + header.length });
    expect(safetensorsHeaderBytes(bytes.subarray(0, 8))).toBe(8 + header.length);
  });

  it('reads a part of a larger buffer', () => {
    const larger = new Uint8Array(200);
    larger.set(fileOf('{"a":{"data_offsets":[0,4]}}'), 50);
    expect(parseSafetensorsHeader(larger.subarray(50)).bytes).toBe(4);
  });

  it.each([
    ['nothing', new Uint8Array(0), 'needs 8 bytes, and 0 are here'],
    ['a cut-off header', fileOf(header).subarray(0, 40), 'and 40 are here'],
    [
      'a page',
      new TextEncoder().encode('<!doctype html><title>no</title>'),
      'does not begin with the length',
    ],
    ['no JSON', fileOf('{"a":'), 'its header is no JSON object'],
    ['a list', fileOf('[1,2]'), 'its header is no JSON object'],
    ['offsets that go back', fileOf('{"a":{"data_offsets":[8,4]}}'), 'tensor “a” data_offsets [8,4]'],
    ['a tensor without offsets', fileOf('{"a":{"dtype":"F16"}}'), 'tensor “a” data_offsets undefined'],
  ])('refuses %s by name', (_, bytes, sentence) => {
    expect(() => parseSafetensorsHeader(bytes)).toThrow(sentence);
  });
});
