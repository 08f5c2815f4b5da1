/** What an ONNX file says about itself, read without its weights: a file of gigabytes costs milliseconds and no memory. */
import { BlobProtobuf, type Field } from './blob-protobuf';
import type { GraphCacheEntry } from '../protocol/record';
import type { OnnxHeader } from '../protocol/source';

/** Field numbers of the messages that are entered (onnx.proto3 of ONNX 1.12; the numbers never change). */
const MODEL = { graph: 7, operatorSet: 8 };
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12 };
const NODE = { opType: 4, attribute: 5 };
const ATTRIBUTE = { graph: 6, graphs: 11 };
const TENSOR = { dims: 1, dataType: 2, name: 8, externalData: 13, dataLocation: 14 };
const STRING_ENTRY = { key: 1, value: 2 };
const VALUE_INFO = { name: 1, type: 2 };
const TYPE = { tensor: 1 };
const TENSOR_TYPE = { elementType: 1, shape: 2 };
const SHAPE = { dim: 1 };
const DIM = { value: 1, parameter: 2 };
/** TensorProto.DataLocation. */
const EXTERNAL = 1;

/** ONNX's TensorProto.DataType by number, under ONNX Runtime's names where it has the type (its wasm-common.ts). */
const TYPE_NAMES: Partial<Record<number, string>> = {
  1: 'float32',
  2: 'uint8',
  3: 'int8',
  4: 'uint16',
  5: 'int16',
  6: 'int32',
  7: 'int64',
  8: 'string',
  9: 'bool',
  10: 'float16',
  11: 'float64',
  12: 'uint32',
  13: 'uint64',
  16: 'bfloat16',
  21: 'uint4',
  22: 'int4',
};
const FLOATING: readonly (string | undefined)[] = ['float32', 'float16', 'float64', 'bfloat16'];

/**
 * Operators whose weights are packed or scaled integers (ONNX and com.microsoft): MatMulNBits, MatMulBnb4, MatMulInteger,
 * GatherBlockQuantized, DequantizeLinear, DynamicQuantizeMatMul, QLinearConv, QAttention, QMoE, …
 */
const QUANTISED_OP =
  /^MatMul(NBits|Bnb4|FpQ4|Integer)|^ConvInteger$|Quantize|^Q(Linear|Ordered|Attention|Gemm|MoE|Embed)/;

/** Subgraphs inside subgraphs; exports with merged branches have one or two. */
const MAX_DEPTH = 8;
/** So many characters at the start that are all printable are no ONNX file, which begins with a small number. */
const TEXT_START = 8;

/**
 * Reads the header of an ONNX file.
 * @param file Name for faults; a File's own name where none is given.
 * @returns Names, types and dims as ONNX Runtime says them (a dimension without number and name is ''). `parameters` counts
 *   the elements of floating-point initializers of rank 1 and more: what the file holds, so tied weights that an export
 *   wrote twice count twice, and so do rotary tables.
 * @throws LabError model-corrupt for everything that is no whole ONNX file.
 */
export async function readOnnxHeader(blob: Blob, file = nameOf(blob)): Promise<OnnxHeader> {
  const reader = new BlobProtobuf(blob, file);
  await refuseText(reader, blob);
  const walk = new HeaderWalk(reader);
  let operatorSets = 0;
  await reader.walk(0, reader.size, async (field) => {
    if (field.number === MODEL.graph) await walk.graph(field, 0);
    if (field.number === MODEL.operatorSet) operatorSets++;
  });
  // Every model names one, and it follows the graph: without it the file was cut off right there.
  if (operatorSets === 0) reader.fail('it names no operator set');
  return walk.result();
}

/** A page that says 404 or a Git LFS pointer in place of the model: its first words say more than a broken field. */
async function refuseText(reader: BlobProtobuf, blob: Blob): Promise<void> {
  if (reader.size === 0) reader.fail('it is empty');
  const start = await reader.text({ number: 0, varint: null, body: 0, end: Math.min(reader.size, 40) });
  if (blob.size >= TEXT_START && /^[ -~\s]*$/.test(start.slice(0, TEXT_START))) {
    reader.fail(`it is a text that begins with “${start.split(/[\r\n]/)[0] ?? ''}”`);
  }
}

function nameOf(blob: Blob): string {
  return blob instanceof File ? blob.name : 'model.onnx';
}

class HeaderWalk {
  private graphs = 0;
  private readonly inputs: GraphCacheEntry[] = [];
  private readonly outputs: GraphCacheEntry[] = [];
  private readonly ops = new Set<string>();
  private readonly initializers = new Set<string>();
  private readonly externalFiles = new Set<string>();
  private elements = 0;

  constructor(private readonly reader: BlobProtobuf) {}

  result(): OnnxHeader {
    const { reader, inputs, outputs, ops, initializers } = this;
    if (this.graphs === 0) reader.fail('it has no graph');
    if (outputs.length === 0) reader.fail('its graph has no outputs');
    if (!Number.isSafeInteger(this.elements)) reader.fail('its weights would have more than 2^53 elements');
    return {
      inputs: inputs.filter(({ name }) => !initializers.has(name)),
      outputs,
      ops,
      externalFiles: [...this.externalFiles].sort(),
      parameters: [...ops].some((op) => QUANTISED_OP.test(op)) ? null : this.elements,
    };
  }

  /** Counts nodes and weights of a graph; only the outermost graph's inputs and outputs are the model's. */
  async graph(field: Field, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) this.reader.fail(`its graphs are nested more than ${MAX_DEPTH} deep`);
    this.graphs++;
    await this.enter(field, async (part) => {
      switch (part.number) {
        case GRAPH.node:
          return this.node(part, depth);
        case GRAPH.initializer:
          return this.initializer(part, depth);
        case GRAPH.input:
          if (depth === 0) this.inputs.push(await this.port(part));
          return;
        case GRAPH.output:
          if (depth === 0) this.outputs.push(await this.port(part));
          return;
      }
    });
  }

  private async node(field: Field, depth: number): Promise<void> {
    await this.enter(field, (part) => {
      if (part.number === NODE.opType) return this.operator(part);
      return part.number === NODE.attribute ? this.attribute(part, depth) : undefined;
    });
  }

  private async operator(field: Field): Promise<void> {
    this.ops.add(await this.reader.text(field));
  }

  private async attribute(field: Field, depth: number): Promise<void> {
    await this.enter(field, (part) =>
      part.number === ATTRIBUTE.graph || part.number === ATTRIBUTE.graphs
        ? this.graph(part, depth + 1)
        : undefined,
    );
  }

  private async initializer(field: Field, depth: number): Promise<void> {
    const dims: number[] = [];
    let name = '';
    let type = 0;
    let location = 0;
    let file: string | null = null;
    await this.enter(field, async (part) => {
      switch (part.number) {
        case TENSOR.dims:
          // ONNX writes them one by one; protobuf allows them packed as well.
          dims.push(...(part.body === null ? [part.varint ?? -1] : await this.reader.packed(part)));
          return;
        case TENSOR.dataType:
          type = part.varint ?? 0;
          return;
        case TENSOR.name:
          name = await this.reader.text(part);
          return;
        case TENSOR.externalData:
          file = (await this.locationOf(part)) ?? file;
          return;
        case TENSOR.dataLocation:
          location = part.varint ?? 0;
          return;
      }
    });
    if (depth === 0) this.initializers.add(name);
    if (dims.some((dim) => dim < 0)) this.reader.fail(`its weights “${name}” have a negative dimension`);
    if (dims.length > 0 && FLOATING.includes(TYPE_NAMES[type])) {
      this.elements += dims.reduce((product, dim) => product * dim, 1);
    }
    if (location === EXTERNAL) this.addExternal(name, file);
  }

  private addExternal(name: string, file: string | null): void {
    if (file === null) this.reader.fail(`its weights “${name}” are in another file that it does not name`);
    // ONNX demands a path below the model's folder; these names end in requests.
    if (/^[/\\]|[\\:?#]|(^|\/)\.\.(\/|$)/.test(file) || file === '') {
      this.reader.fail(`its weights are in “${file}”, which is outside its folder`);
    }
    this.externalFiles.add(file.replace(/^(\.\/)+/, ''));
  }

  /** The value of an external_data entry whose key is `location`; null for its other keys. */
  private async locationOf(field: Field): Promise<string | null> {
    let key = '';
    let value = '';
    await this.enter(field, async (part) => {
      if (part.number === STRING_ENTRY.key) key = await this.reader.text(part);
      if (part.number === STRING_ENTRY.value) value = await this.reader.text(part);
    });
    return key === 'location' ? value : null;
  }

  private async port(field: Field): Promise<GraphCacheEntry> {
    const entry: GraphCacheEntry = { name: '', type: '', dims: [] };
    await this.enter(field, async (part) => {
      if (part.number === VALUE_INFO.name) entry.name = await this.reader.text(part);
      if (part.number !== VALUE_INFO.type) return;
      await this.enter(part, async (type) => {
        if (type.number === TYPE.tensor) await this.tensorType(type, entry);
      });
    });
    return entry;
  }

  private async tensorType(field: Field, entry: GraphCacheEntry): Promise<void> {
    await this.enter(field, async (part) => {
      if (part.number === TENSOR_TYPE.elementType) {
        entry.type = TYPE_NAMES[part.varint ?? 0] ?? `type ${part.varint ?? '?'}`;
      }
      if (part.number !== TENSOR_TYPE.shape) return;
      await this.enter(part, async (dim) => {
        if (dim.number === SHAPE.dim) entry.dims.push(await this.dim(dim));
      });
    });
  }

  private async dim(field: Field): Promise<number | string> {
    let size: number | string = '';
    await this.enter(field, async (part) => {
      if (part.number === DIM.value) size = part.varint !== null && part.varint >= 0 ? part.varint : '';
      if (part.number === DIM.parameter) size = await this.reader.text(part);
    });
    return size;
  }

  /** Walks a message inside a field. */
  private async enter(
    { body, end }: Field,
    visit: (field: Field) => Promise<void> | undefined,
  ): Promise<void> {
    if (body === null) this.reader.fail('a part of it is a number where a message belongs');
    await this.reader.walk(body, end, visit);
  }
}
