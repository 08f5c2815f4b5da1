/**
 * What all layers of a graph share of its attention mask: who sees whom, how many new tokens of a row are real, and how a
 * state fades. Each is made when the first layer asks for it. Padding stands behind a row's real new tokens.
 */
import type { GraphBuilder, Value } from './onnx-graph';

/** ONNX element types for `Cast`. */
const CAST = { fp32: 1, fp16: 10 };
/** Slice's "to the end". */
export const END = Number.MAX_SAFE_INTEGER;
/** What a masked score gets: far below any score, and finite in float16. */
const HIDDEN = 1e4;
/** What one token leaves of a state: about a thousandth after 64 tokens. */
export const FADE = 0.9;

export class GraphMasks {
  private readonly made = new Map<string, Value>();

  /**
   * @param ids `input_ids` [batch, tokens].
   * @param mask `attention_mask` [batch, past and new tokens], int64.
   * @param totalLength Past and new tokens, an int64 scalar.
   */
  constructor(
    private readonly graph: GraphBuilder,
    private readonly ids: Value,
    private readonly mask: Value,
    private readonly totalLength: Value,
  ) {}

  /** 0 where a new token may see a column, far below 0 elsewhere: causal, without padding. [batch, 1, new, past and new]. */
  get bias(): Value {
    return this.once('bias', ({ graph }) => {
      const columns = graph.op('Range', [graph.int64(0), this.totalLength, graph.int64(1)]);
      const first = graph.op('Sub', [this.totalLength, this.newLength]);
      const rows = graph.op('Unsqueeze', [
        graph.op('Range', [first, this.totalLength, graph.int64(1)]),
        graph.int64([1]),
      ]);
      const causal = graph.op('LessOrEqual', [columns, rows]);
      const real = graph.op('Unsqueeze', [
        graph.op('Greater', [this.mask, graph.int64(0)]),
        graph.int64([1, 2]),
      ]);
      const seen = this.float(graph.op('And', [causal, real]));
      return graph.op('Mul', [graph.op('Sub', [seen, this.number(1)]), this.number(HIDDEN)]);
    });
  }

  /**
   * Picks a row's last `kernel` real columns out of a window of kernel + new columns: ones and zeros,
   * [batch, kernel + new, kernel].
   */
  lastColumns(kernel: number): Value {
    return this.once(`last ${kernel}`, ({ graph }) => {
      const width = graph.op('Add', [this.newLength, graph.int64(kernel)]);
      const from = graph.op('Unsqueeze', [
        graph.op('Range', [graph.int64(0), width, graph.int64(1)]),
        graph.int64([1]),
      ]);
      const offsets = graph.int64(Array.from({ length: kernel }, (_, index) => index));
      const wanted = graph.op('Unsqueeze', [graph.op('Add', [this.realLength, offsets]), graph.int64([1])]);
      return this.float(graph.op('Equal', [from, wanted]));
    });
  }

  /** What a token still counts for at a later one: FADE to the power of their distance, 0 backwards. [new, new]. */
  get fadeBetween(): Value {
    return this.once('between', ({ graph }) => {
      const distance = graph.op('Sub', [
        graph.op('Unsqueeze', [this.positions, graph.int64([1])]),
        this.positions,
      ]);
      const forward = this.float(graph.op('GreaterOrEqual', [distance, graph.int64(0)]));
      return graph.op('Mul', [this.power(graph.op('Abs', [distance])), forward]);
    });
  }

  /** What the old state still counts for at each new token. [new, 1]. */
  get fadeOfPast(): Value {
    return this.once('of past', ({ graph }) =>
      this.power(
        graph.op('Unsqueeze', [graph.op('Add', [this.positions, graph.int64(1)]), graph.int64([1])]),
      ),
    );
  }

  /** What a new token counts for in the new state, 0 for padding. [batch, 1, new, 1]. */
  get fadeToEnd(): Value {
    return this.once('to end', ({ graph }) => {
      const last = graph.op('Sub', [this.realLength, graph.int64(1)]);
      const distance = graph.op('Abs', [graph.op('Sub', [last, this.positions])]);
      const faded = graph.op('Mul', [this.power(distance), this.float(this.newMask)]);
      return graph.op('Unsqueeze', [faded, graph.int64([1, 3])]);
    });
  }

  /** What the old state counts for in the new one. [batch, 1, 1, 1]. */
  get fadeOfState(): Value {
    return this.once('of state', ({ graph }) =>
      graph.op('Unsqueeze', [this.power(this.realLength), graph.int64([1, 2])]),
    );
  }

  /** A constant of the graph's float type. */
  number(value: number): Value {
    return this.once(`number ${value}`, ({ graph }) =>
      graph.weight(`number_${value}`, [], Float32Array.of(value)),
    );
  }

  /** New tokens, a scalar. */
  private get newLength(): Value {
    return this.once('new', ({ graph }) =>
      graph.op('Gather', [graph.op('Shape', [this.ids]), graph.int64(1)], { axis: 0 }),
    );
  }

  /** The mask of the new tokens alone, [batch, new]. */
  private get newMask(): Value {
    return this.once('new mask', ({ graph }) => {
      const start = graph.op('Unsqueeze', [graph.op('Neg', [this.newLength]), graph.int64([0])]);
      return graph.op('Slice', [this.mask, start, graph.int64([END]), graph.int64([1])]);
    });
  }

  /** Real new tokens of each row, [batch, 1]. */
  private get realLength(): Value {
    return this.once('real', ({ graph }) =>
      graph.op('ReduceSum', [this.newMask, graph.int64([1])], { keepdims: 1 }),
    );
  }

  /** 0 to the number of new tokens, excluded. */
  private get positions(): Value {
    return this.once('positions', ({ graph }) =>
      graph.op('Range', [graph.int64(0), this.newLength, graph.int64(1)]),
    );
  }

  private power(exponent: Value): Value {
    const { graph } = this;
    return graph.op('Exp', [graph.op('Mul', [this.float(exponent), this.number(Math.log(FADE))])]);
  }

  private float(value: Value): Value {
    return this.graph.op('Cast', [value], { to: CAST[this.graph.float] });
  }

  private once(key: string, make: (self: { graph: GraphBuilder }) => Value): Value {
    const value = this.made.get(key) ?? make({ graph: this.graph });
    this.made.set(key, value);
    return value;
  }
}
