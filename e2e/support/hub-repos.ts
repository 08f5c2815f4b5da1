/** Repositories that single tests need beside the ready-made ones. */
import { REPO_IDS } from '../fake-hub/repo-ids';
import type { FakeRepo } from '../fake-hub/types';

export const LARGE_ID = 'lab/large';
export const LARGE_SHA = '0e10000000000000000000000000000000000b00';
export const OTHER_TOKENIZER_ID = 'lab/other-tokenizer';
export const OTHER_TOKENIZER_SHA = '0e11000000000000000000000000000000000b11';
export const WITHOUT_DATA_ID = 'lab/without-data';

/** Bytes of one stored part (src/model/hub/part-store.ts): what is resumed after a break or a reload are whole parts. */
export const PART_BYTES = 16_777_216;
/** Half of it, which is where broken answers of the fake hub end, is more than one part. */
export const LARGE_DATA_BYTES = 40_000_000;

function repoOf(repos: readonly FakeRepo[], id: string): FakeRepo {
  const repo = repos.find((one) => one.id === id);
  if (repo === undefined) throw new Error(`There is no ready-made ${id}.`);
  return repo;
}

/** The small model with a data file of many bytes that no tensor uses: what a download of several parts needs. */
export function largeRepo(repos: readonly FakeRepo[]): FakeRepo {
  const { files } = repoOf(repos, REPO_IDS.external);
  const data = new Uint8Array(LARGE_DATA_BYTES);
  const small = files.get('onnx/model.onnx_data');
  if (!(small instanceof Uint8Array)) throw new Error('The model with external data has none.');
  data.set(small);
  return { id: LARGE_ID, sha: LARGE_SHA, files: new Map([...files, ['onnx/model.onnx_data', data]]) };
}

/** The small model with a tokenizer of its own: one token a word, of a vocabulary of three. */
export function otherTokenizerRepo(repos: readonly FakeRepo[]): FakeRepo {
  const { files } = repoOf(repos, REPO_IDS.tiny);
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: false },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: { '[UNK]': 0, the: 1, cache: 2, grows: 3 },
    },
  };
  const own: [string, string][] = [['tokenizer.json', JSON.stringify(tokenizer)]];
  return { id: OTHER_TOKENIZER_ID, sha: OTHER_TOKENIZER_SHA, files: new Map([...files, ...own]) };
}

/** The model with external data, without its data file: config.json announces it, and the list does not have it. */
export function withoutDataFile(repos: readonly FakeRepo[]): FakeRepo {
  const files = new Map(repoOf(repos, REPO_IDS.external).files);
  files.delete('onnx/model.onnx_data');
  return { id: WITHOUT_DATA_ID, sha: '0e12000000000000000000000000000000000b22', files };
}
