/**
 * Matrix products in float64 on ONNX Runtime, for the solver workers: one thread each, since there are several of them.
 * Its build without WebGPU (14 MB): the one that runtime.ts loads leaves float64 out of MatMul and Gemm ("Could not find an
 * implementation for Gemm(13)", onnxruntime-web 1.31.0-dev).
 */
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import ortScriptUrl from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import ortWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { GraphBuilder } from '../model/onnx-graph';
import type { Matrix, Multiply } from '../redundancy/types';

env.logLevel = 'error';
env.wasm.numThreads = 1;
env.wasm.wasmPaths = { mjs: ortScriptUrl, wasm: ortWasmUrl };

/**
 * Opens the two sessions, for a·b and aᵀ·b. 512 x 512 times 512 x 512 took 39 ms here, on an idle core.
 * @throws whatever ONNX Runtime says when it cannot start.
 */
export async function ortMultiply(): Promise<Multiply> {
  const plain = await open(false);
  const transposed = await open(true);
  return async (a, b, transposeA = false) => {
    const feeds = { a: tensorOf(a), b: tensorOf(b) };
    const { c } = await (transposeA ? transposed : plain).run(feeds);
    if (c === undefined) throw new Error('the product has no output');
    return {
      rows: transposeA ? a.columns : a.rows,
      columns: b.columns,
      values: c.data as Float64Array<ArrayBuffer>,
    };
  };
}

function open(transposeA: boolean): Promise<InferenceSession> {
  return InferenceSession.create(productGraph(transposeA), {
    executionProviders: ['wasm'],
    // WASM memory never shrinks; the arena would keep room for the largest product of every shape.
    enableCpuMemArena: false,
  });
}

function productGraph(transposeA: boolean): Uint8Array {
  const graph = new GraphBuilder('fp32');
  const a = graph.input({
    name: 'a',
    type: 'fp64',
    dims: transposeA ? ['depth', 'rows'] : ['rows', 'depth'],
  });
  const b = graph.input({ name: 'b', type: 'fp64', dims: ['depth', 'columns'] });
  graph.node('Gemm', [a, b], { outputs: ['c'], attributes: { transA: transposeA ? 1 : 0 } });
  graph.output({ name: 'c', type: 'fp64', dims: ['rows', 'columns'] });
  return graph.encode('product');
}

function tensorOf({ rows, columns, values }: Matrix): Tensor {
  return new Tensor('float64', values, [rows, columns]);
}
