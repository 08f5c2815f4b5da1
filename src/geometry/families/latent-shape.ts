/** Reads the widths of multi-head latent attention, for the families that have it in every layer or in some. */
import { FIELDS } from '../fields';
import type { LatentShape } from '../layers/latent';
import type { ConfigReader } from '../reader';
import { countOr } from './layer-types';

/** The class's values of the widths; `v` null: hidden size / attention heads. */
export interface LatentDefaults {
  rank: number;
  rope: number;
  nope: number;
  v: number | null;
}

/** openPangu writes attention_*_dim for the same widths (its modeling file; vLLM openpangu.py). */
const RANK = { names: ['kv_lora_rank', 'attention_kv_lora_dim'], max: 2 ** 20 } as const;
const ROPE = { names: ['qk_rope_head_dim', 'attention_qk_rope_dim'], max: 65_536 } as const;
const NOPE = { names: ['qk_nope_head_dim', 'attention_qk_dim'], max: 65_536 } as const;
const VALUE = { names: ['v_head_dim', 'attention_v_dim'], max: 65_536 } as const;

/**
 * Whether the config keeps whole keys and values after all: `use_mla: false`, or a `kv_lora_rank` of null or 0
 * (DeepSeek-OCR and the small DeepSeek-VL2 write all three; vLLM deepseek_v2.py then takes plain attention).
 */
export function isNotLatent(reader: ConfigReader): boolean {
  if (reader.flag('use_mla') === false) return true;
  const rank = reader.config['kv_lora_rank'];
  return rank === null || reader.countFromZero(RANK) === 0;
}

/** Rank, rope dim and what is kept when decompressed: as many KV heads as attention heads. */
export function readLatentShape(
  reader: ConfigReader,
  attentionHeads: number,
  defaults?: LatentDefaults,
): LatentShape {
  const rank = countOr(reader, RANK, defaults?.rank);
  const ropeDim = reader.countFromZero(ROPE) ?? countOr(reader, ROPE, defaults?.rope);
  const nopeDim = reader.countFromZero(NOPE) ?? countOr(reader, NOPE, defaults?.nope);
  return {
    rank,
    ropeDim,
    expanded: { kvHeads: attentionHeads, keyDim: nopeDim + ropeDim, valueDim: valueDim() },
  };

  function valueDim(): number {
    const given = reader.count(VALUE);
    if (given !== null) return given;
    if (defaults?.v !== null) return countOr(reader, VALUE, defaults?.v);
    return reader.assume(VALUE, Math.floor(reader.required(FIELDS.hiddenSize) / attentionHeads));
  }
}
