/** The files of a byte-level tokenizer: one token a UTF-8 byte, 256 in all, as a BPE without merges. */

export const BYTE_VOCAB_SIZE = 256;

/**
 * The printable character that stands for each byte in GPT-2's byte-level BPE: the visible bytes of Latin-1 stand for
 * themselves, the others for U+0100 onwards, in order (openai/gpt-2, encoder.py, `bytes_to_unicode`).
 */
function byteCharacters(): string[] {
  const visible = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let next = 0x100;
  return Array.from({ length: BYTE_VOCAB_SIZE }, (_, byte) =>
    String.fromCodePoint(visible(byte) ? byte : next++),
  );
}

/** `tokenizer.json` and `tokenizer_config.json`, as transformers.js' AutoTokenizer reads them. Token id = byte. */
export function byteTokenizerFiles(): Record<string, string> {
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
  return {
    'tokenizer.json': JSON.stringify({
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: byteLevel,
      post_processor: null,
      decoder: byteLevel,
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        vocab: Object.fromEntries(byteCharacters().map((character, byte) => [character, byte])),
        merges: [],
      },
    }),
    'tokenizer_config.json': JSON.stringify({
      tokenizer_class: 'PreTrainedTokenizerFast',
      model_max_length: 1e9,
    }),
  };
}
