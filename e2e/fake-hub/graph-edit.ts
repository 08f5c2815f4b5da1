/** Changes to an encoded ONNX file: decode, rewire, encode. */
import { onnx } from 'onnx-proto';
import type { Value } from '../../src/model/onnx-graph';

export interface Editable {
  nodes: onnx.INodeProto[];
  initializers: onnx.ITensorProto[];
  inputs: onnx.IValueInfoProto[];
  outputs: onnx.IValueInfoProto[];
}

/** Runs `edit` on the graph's lists and encodes the file again. */
export function editGraph(file: Uint8Array, edit: (graph: Editable) => void): Uint8Array {
  const model = onnx.ModelProto.decode(file);
  const { graph } = model;
  if (!graph) throw new Error('The ONNX file has no graph.');
  const lists: Editable = {
    nodes: graph.node ?? [],
    initializers: graph.initializer ?? [],
    inputs: graph.input ?? [],
    outputs: graph.output ?? [],
  };
  edit(lists);
  model.graph = {
    ...graph,
    node: lists.nodes,
    initializer: lists.initializers,
    input: lists.inputs,
    output: lists.outputs,
  };
  return onnx.ModelProto.encode(model).finish();
}

/** The node that makes a value. @throws Error when none does. */
export function producerOf(graph: Editable, value: Value): onnx.INodeProto {
  const found = graph.nodes.find(({ output }) => output?.includes(value));
  if (!found) throw new Error(`No node makes ${value}.`);
  return found;
}

/** Puts nodes behind the one that makes `value`, and lets everything that read `value` read `replacement`. */
export function insertBehind(
  graph: Editable,
  value: Value,
  inserted: onnx.INodeProto[],
  replacement: Value,
): void {
  for (const node of graph.nodes) {
    node.input = (node.input ?? []).map((name) => (name === value ? replacement : name));
  }
  graph.nodes.splice(graph.nodes.indexOf(producerOf(graph, value)) + 1, 0, ...inserted);
}

/** A node with INT and INTS attributes. */
export function node(
  opType: string,
  input: Value[],
  output: Value,
  attributes: Record<string, number | number[]> = {},
): onnx.INodeProto {
  const { AttributeType } = onnx.AttributeProto;
  return {
    opType,
    name: `${output}_node`,
    input,
    output: [output],
    attribute: Object.entries(attributes).map(([name, value]) =>
      Array.isArray(value)
        ? { name, type: AttributeType.INTS, ints: value }
        : { name, type: AttributeType.INT, i: value },
    ),
  };
}

/** An int64 initializer: a scalar for a number, a vector for a list. */
export function int64Tensor(name: Value, value: number | number[]): onnx.ITensorProto {
  const values = Array.isArray(value) ? value : [value];
  return {
    name,
    dims: Array.isArray(value) ? [value.length] : [],
    dataType: onnx.TensorProto.DataType.INT64,
    rawData: new Uint8Array(BigInt64Array.from(values, BigInt).buffer),
  };
}

/** A float32 graph input or output; a string dimension is symbolic. */
export function floatPort(name: Value, dims: (number | string)[]): onnx.IValueInfoProto {
  return {
    name,
    type: {
      tensorType: {
        elemType: onnx.TensorProto.DataType.FLOAT,
        shape: { dim: dims.map((dim) => (typeof dim === 'string' ? { dimParam: dim } : { dimValue: dim })) },
      },
    },
  };
}
