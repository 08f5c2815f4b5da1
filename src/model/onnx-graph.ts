/** A small writer of ONNX files: names values, collects nodes and initialisers, and encodes them with onnx-proto. */
import { setFloat16 } from '@petamoriken/float16';
import { onnx } from 'onnx-proto';
import { quantiseBlocks, type WeightBits } from './quantise';

/** Name of a value (an edge) in the graph. */
export type Value = string;

/** An attribute of a node: integers become INT, other numbers must be wrapped as `{ float }`, arrays become INTS, texts STRING. */
export type Attribute = number | number[] | string | { float: number };

/** Element types of activations, norms and caches. */
export type FloatType = 'fp32' | 'fp16';

/** A graph input or output; a string dimension is symbolic. */
export interface Port {
  name: Value;
  type: FloatType | 'fp64' | 'int64' | 'int32' | 'int8' | 'uint8';
  dims: (number | string)[];
}

const { DataType } = onnx.TensorProto;
const ELEMENT_TYPE = {
  fp32: DataType.FLOAT,
  fp16: DataType.FLOAT16,
  fp64: DataType.DOUBLE,
  int64: DataType.INT64,
  int32: DataType.INT32,
  int8: DataType.INT8,
  uint8: DataType.UINT8,
};

/** The domain of ONNX Runtime's contributed operators. */
export const CONTRIB = 'com.microsoft';

/** Operators of ONNX 1.12 (opset 17) and ONNX Runtime's contributed ones. */
const OPSETS = [
  { domain: '', version: 17 },
  { domain: CONTRIB, version: 1 },
];
const IR_VERSION = 8;

export class GraphBuilder {
  private readonly nodes: onnx.INodeProto[] = [];
  private readonly initializers: onnx.ITensorProto[] = [];
  private readonly inputs: Port[] = [];
  private readonly outputs: Port[] = [];
  private counter = 0;

  /**
   * @param float Element type of activations and of weights that are not quantised.
   * @param bits Bits of the projections' weights; null leaves them in `float`.
   */
  constructor(
    readonly float: FloatType,
    private readonly bits: WeightBits | null = null,
  ) {}

  input(port: Port): Value {
    this.inputs.push(port);
    return port.name;
  }

  output(port: Port): void {
    this.outputs.push(port);
  }

  /**
   * Adds a node and returns the names of its outputs.
   * @param outputs How many outputs, or their names when they are graph outputs.
   */
  node(
    op: string,
    inputs: Value[],
    {
      outputs = 1,
      attributes = {},
      domain = '',
    }: { outputs?: number | Value[]; attributes?: Record<string, Attribute>; domain?: string } = {},
  ): Value[] {
    const names =
      typeof outputs === 'number' ? Array.from({ length: outputs }, () => this.fresh(op)) : outputs;
    this.nodes.push({
      opType: op,
      domain,
      name: this.fresh(`${op}_node`),
      input: inputs,
      output: names,
      attribute: Object.entries(attributes).map(([name, value]) => encodeAttribute(name, value)),
    });
    return names;
  }

  /** A node with exactly one output. */
  op(op: string, inputs: Value[], attributes: Record<string, Attribute> = {}, domain = ''): Value {
    const [name = ''] = this.node(op, inputs, { attributes, domain });
    return name;
  }

  /** A constant tensor of the graph's float type. */
  weight(name: string, dims: number[], values: Float32Array): Value {
    this.initializers.push({
      name,
      dims,
      dataType: ELEMENT_TYPE[this.float],
      rawData: this.float === 'fp32' ? bytesOf(values) : halfBytes(values),
    });
    return name;
  }

  /**
   * Input times a weight matrix: MatMul, or MatMulNBits where the graph's projections are quantised.
   * @param values [rows, columns], row by row.
   * @param output The name of the result when it is a graph output.
   */
  project(
    name: string,
    input: Value,
    { rows, columns, values }: { rows: number; columns: number; values: Float32Array },
    output = this.fresh('MatMul'),
  ): Value {
    if (this.bits === null) {
      this.node('MatMul', [input, this.weight(name, [rows, columns], values)], { outputs: [output] });
      return output;
    }
    const { packed, scales, blocks, blockSize, blockBytes } = quantiseBlocks(
      values,
      rows,
      columns,
      this.bits,
    );
    this.initializers.push({
      name: `${name}_quant`,
      dims: [columns, blocks, blockBytes],
      dataType: DataType.UINT8,
      rawData: packed,
    });
    this.node(
      'MatMulNBits',
      [input, `${name}_quant`, this.weight(`${name}_scales`, [columns * blocks], scales)],
      {
        outputs: [output],
        attributes: { K: rows, N: columns, bits: this.bits, block_size: blockSize },
        domain: CONTRIB,
      },
    );
    return output;
  }

  /** A constant of one float32, whatever the graph's float type: scales of a quantised cache are no other. */
  scale(name: string, value: number): Value {
    this.initializers.push({
      name,
      dims: [1],
      dataType: DataType.FLOAT,
      rawData: bytesOf(Float32Array.of(value)),
    });
    return name;
  }

  /** A constant int64 tensor: a scalar for a number, a vector for an array. */
  int64(value: number | number[]): Value {
    const values = typeof value === 'number' ? [value] : value;
    const name = this.fresh('const');
    this.initializers.push({
      name,
      dims: typeof value === 'number' ? [] : [values.length],
      dataType: ELEMENT_TYPE.int64,
      rawData: bytesOf(BigInt64Array.from(values, BigInt)),
    });
    return name;
  }

  /** Encodes the model file. */
  encode(graphName: string): Uint8Array {
    return onnx.ModelProto.encode({
      irVersion: IR_VERSION,
      producerName: 'kv-cache-lab',
      opsetImport: OPSETS,
      graph: {
        name: graphName,
        node: this.nodes,
        initializer: this.initializers,
        input: this.inputs.map(encodePort),
        output: this.outputs.map(encodePort),
      },
    }).finish();
  }

  private fresh(prefix: string): Value {
    return `${prefix}_${this.counter++}`;
  }
}

function encodeAttribute(name: string, value: Attribute): onnx.IAttributeProto {
  const { AttributeType } = onnx.AttributeProto;
  if (Array.isArray(value)) return { name, type: AttributeType.INTS, ints: value };
  if (typeof value === 'string')
    return { name, type: AttributeType.STRING, s: new TextEncoder().encode(value) };
  if (typeof value === 'object') return { name, type: AttributeType.FLOAT, f: value.float };
  return { name, type: AttributeType.INT, i: value };
}

function encodePort({ name, type, dims }: Port): onnx.IValueInfoProto {
  return {
    name,
    type: {
      tensorType: {
        elemType: ELEMENT_TYPE[type],
        shape: { dim: dims.map((dim) => (typeof dim === 'string' ? { dimParam: dim } : { dimValue: dim })) },
      },
    },
  };
}

function bytesOf(values: Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Float16 bits; by the browser's own Float16Array where it has one, which is far faster. */
function halfBytes(values: Float32Array): Uint8Array {
  const Native = (globalThis as { Float16Array?: new (values: Float32Array) => { buffer: ArrayBuffer } })
    .Float16Array;
  if (Native) return new Uint8Array(new Native(values).buffer);
  const view = new DataView(new ArrayBuffer(values.length * 2));
  values.forEach((value, index) => {
    setFloat16(view, index * 2, value, true);
  });
  return new Uint8Array(view.buffer);
}
