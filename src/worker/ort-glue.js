/**
 * ONNX Runtime's glue module, wrapped: gives the WebGPU provider options that the JavaScript API has no name for. It is loaded in the
 * glue's place (`env.wasm.wasmPaths.mjs`) and finds it by the address in its own query. Plain JavaScript, since it reaches the build as
 * the file that it is: ONNX Runtime imports it by its address. Threads never come here: the glue starts them from its own address.
 */
const glue = new URL(import.meta.url).searchParams.get('glue') ?? '';
const { default: start } = await import(/* @vite-ignore */ new URL(glue, import.meta.url).href);

/** Where ort-build.ts leaves the options of the session that is being made, by name. */
const OPTIONS = 'kvlabProviderOptions';

export default async function startWithOptions(config) {
  const module = await start(config);
  const append = module._OrtAppendExecutionProvider;
  module._OrtAppendExecutionProvider = (session, provider, names, values, count) => {
    const more = Object.entries(globalThis[OPTIONS] ?? {});
    if (more.length === 0 || module.UTF8ToString(provider) !== 'WebGPU')
      return append(session, provider, names, values, count);
    const [allNames, allValues] = [names, values].map((array, part) =>
      joined(
        module,
        array,
        count,
        more.map((option) => option[part]),
      ),
    );
    return append(session, provider, allNames, allValues, count + more.length);
  };
  return module;
}

/**
 * A copy of an array of C strings with more behind them. Never freed, some dozen bytes a session: the call may still be suspended when
 * it returns.
 */
function joined(module, array, count, texts) {
  const { PTR_SIZE: size } = module;
  const copy = module._malloc((count + texts.length) * size);
  for (let i = 0; i < count; i++)
    module.setValue(copy + i * size, module.getValue(array + i * size, '*'), '*');
  texts.forEach((text, i) => {
    const bytes = module.lengthBytesUTF8(text) + 1;
    const at = module._malloc(bytes);
    module.stringToUTF8(text, at, bytes);
    module.setValue(copy + (count + i) * size, at, '*');
  });
  return copy;
}
