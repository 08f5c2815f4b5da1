/** Notes of records in Korean: those that the page writes, and no others. */
import { describe, expect, it } from 'vitest';
import { LATENT_NOTE } from '../model/config-twin';
import { noteInLanguage } from './record-note';

const SCALED =
  'The first 2 of 61 layers were measured, and the formula beside is theirs. All 61 layers take 9,994,240 bytes per token by the formula; that was not measured.';

describe('noteInLanguage', () => {
  it('says a part of the layers in Korean', () => {
    expect(noteInLanguage('ko', SCALED)).toBe(
      '61개 층 가운데 처음 2개를 측정했으며 옆의 공식 값도 그 층들의 것입니다. 61개 층 전체는 공식으로 토큰당 9,994,240바이트이며, 이는 측정하지 않았습니다.',
    );
  });

  it('says its pattern and fixed state where the note has them', () => {
    const note =
      'The first 8 of 62 layers were measured, and the formula beside is theirs. The pattern of layers repeats every 6, so these are no whole number of its periods. All 62 layers take 10 bytes per token and 1,024 bytes of fixed state by the formula; that was not measured.';
    expect(noteInLanguage('ko', note)).toBe(
      '62개 층 가운데 처음 8개를 측정했으며 옆의 공식 값도 그 층들의 것입니다. 층의 패턴은 6개마다 되풀이되므로 측정한 층은 패턴의 정수배가 아닙니다. 62개 층 전체는 공식으로 토큰당 10바이트와 고정 상태 1,024바이트이며, 이는 측정하지 않았습니다.',
    );
  });

  it('knows the note of compressed latents as the page writes it', () => {
    expect(noteInLanguage('ko', LATENT_NOTE)).toContain('압축한 채');
  });

  it('knows the note on the copies of a paged cache', () => {
    const note =
      'For each pass the blocks of the paged cache were gathered into contiguous working buffers, 59,392 bytes for the largest pass, and the new rows were put back into blocks: ONNX Runtime Web has no attention that reads blocks of these caches. The working buffers are freed after each pass; they count as device bytes, not as cache. These copies are the price of doing it here, not of paging.';
    expect(noteInLanguage('ko', note)).toContain('가장 큰 패스에서 59,392바이트');
  });

  it('knows where the scales of a quantised cache are', () => {
    const start =
      'Quantised cache, 8 bits: a graph of one layer was run first, and its cache had such rows. One row is one head’s keys or values of one token. It takes ';
    const inRows =
      '36 bytes: a scale of 4 bytes and 32 packed elements, in a float32 tensor of 9 a row. The scales are part of the cache’s bytes.';
    const beside =
      '32 bytes: 32 elements in an int8 tensor of 32 a row. The scales, one float32 for the keys and one for the values of a layer, are constants of the graph: 32 bytes that are not part of the cache’s.';
    expect(noteInLanguage('ko', start + inRows)).toContain('스케일 4바이트와 묶어 담은 원소 32개');
    expect(noteInLanguage('ko', start + beside)).toContain('그 32바이트는 캐시에 들지 않습니다');
  });

  it('knows the notes of a redundancy', () => {
    const note =
      'No solver worker could be started (no WASM); the regressions were solved in one thread, without ONNX Runtime.';
    expect(noteInLanguage('ko', note)).toBe(
      '회귀를 풀 워커를 시작하지 못해(no WASM) ONNX Runtime 없이 스레드 하나에서 풀었습니다.',
    );
    const large =
      'The GPU’s keys and values were not compared with the WASM backend’s: the model’s files, 600000000 bytes, are too large to load twice.';
    expect(noteInLanguage('ko', large)).toContain('600000000바이트');
    const refused =
      'The GPU’s keys and values were not compared with the WASM backend’s, which could not run the model: no such node';
    expect(noteInLanguage('ko', refused)).toContain(': no such node');
  });

  it('leaves English, and what it does not know, as it is', () => {
    expect(noteInLanguage('en', SCALED)).toBeNull();
    expect(noteInLanguage('ko', 'a note of its own')).toBeNull();
  });
});
