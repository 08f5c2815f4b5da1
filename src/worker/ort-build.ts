/** Which build of ONNX Runtime's WebAssembly is loaded, and options of its WebGPU provider that its JavaScript API has no name for. */
import asyncifyScriptUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import asyncifyWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import jspiScriptUrl from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.mjs?url';
import jspiWasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url';
import glueUrl from './ort-glue.js?url';
import type { RuntimeBuild } from '../protocol/record';

const BUILDS: Record<RuntimeBuild, { script: string; wasm: string }> = {
  jspi: { script: jspiScriptUrl, wasm: jspiWasmUrl },
  asyncify: { script: asyncifyScriptUrl, wasm: asyncifyWasmUrl },
};

/** Names of ORT's provider options (onnxruntime, core/providers/webgpu/webgpu_provider_options.h) and their values. */
export type ProviderOptions = Record<string, string>;

/**
 * The build for this browser. WebAssembly that waits for the GPU is suspended by the browser itself where it has JSPI; where it does
 * not, by code that the compiler put into every function, which makes that build 10 MB larger and slower.
 */
export function buildHere(): RuntimeBuild {
  return 'Suspending' in WebAssembly ? 'jspi' : 'asyncify';
}

/** The build's two files as ONNX Runtime wants them named, its script wrapped by ort-glue.js. */
export function wasmPathsOf(build: RuntimeBuild): { mjs: string; wasm: string } {
  const { script, wasm } = BUILDS[build];
  return { mjs: `${glueUrl}?glue=${encodeURIComponent(script)}`, wasm };
}

/** Makes sessions while the WebGPU provider gets these options too; sessions are made one after the other. */
export async function withProviderOptions<T>(options: ProviderOptions, work: () => Promise<T>): Promise<T> {
  // ort-glue.js reads it.
  const place = globalThis as { kvlabProviderOptions?: ProviderOptions };
  place.kvlabProviderOptions = options;
  try {
    return await work();
  } finally {
    delete place.kvlabProviderOptions;
  }
}
