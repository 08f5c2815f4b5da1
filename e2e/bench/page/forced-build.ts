/** Imported first by the bench's workers: one that is named `asyncify` gets that build of ONNX Runtime, as in a browser without JSPI. */
if (self.name === 'asyncify') Reflect.deleteProperty(WebAssembly, 'Suspending');
