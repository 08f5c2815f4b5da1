/** English texts of what the calculator finds. */
export const enCalculator = {
  'calc.perToken': 'One token of one sequence',
  'calc.atLengths': 'Formula bytes at batch {batch}, and the buffers they would sit in',
  'calc.inBuffers': 'in buffers, {dtype}',
  'calc.buffersHow':
    '“In buffers” is an expectation, not a measurement: every key and value tensor rounded up to ONNX Runtime’s bucket table.',
  'calc.ceiling':
    '{dtype}: one buffer of this GPU ({limit} = {allowed} bytes) holds the tensor {tensor} of at most {tokens} tokens at batch {batch}. Total memory is another limit.',
  'calc.overMax': 'over the maximum position {maximum}',
  'calc.tooLarge': 'more than 2^53 bytes',
  'calc.asHidden': 'layers {layers} · attention heads {heads} · KV heads {kvHeads} · head dim {headDim}',
} as const;
