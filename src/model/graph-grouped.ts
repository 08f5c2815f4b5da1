/** Attention by ONNX Runtime's GroupQueryAttention, as exports of today have it: fast, but not for every shape of head. */
import { keyValueNames, type CachePart } from './cache-parts';
import { joinHeads, packedHeads, type LayerContext } from './graph-heads';
import { growingPorts } from './graph-layers';
import { CONTRIB, type Value } from './onnx-graph';
import { quantisedPort, scaleInputs, type QuantisedCache } from './graph-quantised';

const ROPE_THETA = 10_000;
/** ONNX Runtime's element type int32 for `Cast`. */
const INT32 = 6;
/** The rotary table's width has to be a multiple of 8, and it is half the head dim (group_query_attention_helper.h). */
const HEAD_DIM_STEP = 16;
/** Widest head that was tried; wider ones take plain attention. */
const MOST_HEAD_DIM = 256;

type AttentionPart = Extract<CachePart, { kind: 'attention' }>;

/** Whether GroupQueryAttention takes a part: keys and values alike, and a head dim that its rotary table can have. */
export function fitsGrouped({ keyDim, valueDim }: AttentionPart): boolean {
  return keyDim === valueDim && keyDim % HEAD_DIM_STEP === 0 && keyDim <= MOST_HEAD_DIM;
}

export class GroupedAttention {
  private readonly lastIndex: Value;
  private readonly totalLength: Value;
  private readonly rotary = new Map<number, { cos: Value; sin: Value }>();

  /**
   * @param mask `attention_mask` [batch, past and new tokens], int64.
   * @param total Past and new tokens, an int64 scalar.
   * @param positions Rows of the rotary tables: the most tokens that the graph can be asked for.
   * @param quantised How keys and values are kept where they are no floats.
   */
  constructor(
    private readonly context: LayerContext,
    mask: Value,
    total: Value,
    private readonly positions: number,
    private readonly quantised: QuantisedCache | null = null,
  ) {
    const { graph } = context;
    // As int32: the index of each sequence's last token, and the length of the mask.
    const lengths = graph.op('ReduceSum', [mask, graph.int64([1])], { keepdims: 0 });
    this.lastIndex = graph.op('Cast', [graph.op('Sub', [lengths, graph.int64([1])])], { to: INT32 });
    this.totalLength = graph.op('Cast', [total], { to: INT32 });
  }

  /** One layer. @param queryHeads A multiple of the KV heads. */
  layer(
    name: string,
    input: Value,
    { layer, kvHeads, keyDim: dim }: AttentionPart,
    queryHeads: number,
  ): Value {
    const { context, quantised } = this;
    const { graph } = context;
    const port = quantised === null ? { dim, type: graph.float } : quantisedPort(quantised, graph.float, dim);
    const scales = quantised === null ? null : scaleInputs(graph, name, quantised);
    const names = [keyValueNames(layer, 'key'), keyValueNames(layer, 'value')];
    const past = names.map((each) => growingPorts(context, each, kvHeads, port.dim, port.type));
    const { cos, sin } = this.rotaryOf(dim);
    const [attention = ''] = graph.node(
      'GroupQueryAttention',
      [
        packedHeads(context, `${name}.q`, input, { heads: queryHeads, dim }),
        packedHeads(context, `${name}.k`, input, { heads: kvHeads, dim }),
        packedHeads(context, `${name}.v`, input, { heads: kvHeads, dim }),
        ...past,
        this.lastIndex,
        this.totalLength,
        cos,
        sin,
        ...(scales?.inputs ?? []),
      ],
      {
        outputs: [`${name}.attention`, ...names.map(({ present }) => present)],
        attributes: { num_heads: queryHeads, kv_num_heads: kvHeads, do_rotary: 1, ...scales?.attributes },
        domain: CONTRIB,
      },
    );
    return joinHeads(context, `${name}.o`, attention, { heads: queryHeads, dim });
  }

  /** cos and sin of position x frequency, [positions, dim / 2] each (RoPE, Su et al. 2021, section 3.2.2). */
  private rotaryOf(dim: number): { cos: Value; sin: Value } {
    const known = this.rotary.get(dim);
    if (known) return known;
    const half = dim / 2;
    const cos = new Float32Array(this.positions * half);
    const sin = new Float32Array(this.positions * half);
    for (let p = 0; p < this.positions; p++) {
      for (let i = 0; i < half; i++) {
        const angle = p * ROPE_THETA ** ((-2 * i) / dim);
        cos[p * half + i] = Math.cos(angle);
        sin[p * half + i] = Math.sin(angle);
      }
    }
    const { graph } = this.context;
    const table = {
      cos: graph.weight(`cos_cache_${dim}`, [this.positions, half], cos),
      sin: graph.weight(`sin_cache_${dim}`, [this.positions, half], sin),
    };
    this.rotary.set(dim, table);
    return table;
  }
}
