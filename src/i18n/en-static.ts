/** Texts of the cache policies that do not simply grow in floats; they come with the report. */
export const enStatic = {
  'level.used.long': 'used bytes',
  'level.used.origin': 'rows of the buffers that hold a token, found by reading them',
  'level.room.origin': 'dims × item size of the preallocated tensors',
  'figures.used': 'Measured (used)',
  'figures.usedEnd': 'Cache (used)',
  'figures.capacity': 'Capacity (tensor)',
  'figures.capacityOf': 'room for {room} tokens; formula {formula}',
  'figures.moved': 'moved {moves}×',
  'table.used': 'Used (bytes)',
  'table.room': 'Room (tokens)',
  'table.capacity': 'Tensor = capacity (bytes)',
  'table.deltaUsed': 'Δ used',
  'chart.deltaUsed': 'Δ used bytes',
  'verdict.static':
    'the cache is preallocated with room for {room} tokens: at {tokens} tokens {used} of its {capacity} bytes are used',
  'verdict.staticWrong':
    'the cache is preallocated with room for {room} tokens, but its {capacity} bytes are not the formula’s at that room',
  'verdict.staticMoved': 'it was moved {moves}× to larger buffers',
  'result.static': 'static cache with room for {room} tokens',
  'result.staticAny': 'static cache',
  'result.quantised': 'quantised cache of {bits} bits',
  'result.paged': 'paged cache of blocks of {block} tokens with room for {room}',
  'result.pagedAny': 'paged cache of blocks of {block} tokens',
  'why.static.title': 'Why capacity stands still while use grows',
  'why.static':
    'The tensors were made once, for as many tokens as they have room for, and their dims say so from the first step on: dims alone cannot tell a full cache from an empty one. So the used bytes are read from the data. The buffers start as zeros; of every head the rows that are not all zeros hold a token.',
  'why.static.gpu':
    'Past and present of a layer are the same buffer: the attention writes one new row a head, and nothing old is copied. A move to larger buffers copies every row once, and for that moment both sets of buffers are there.',
  'how.static':
    'Policy static: a buffer for each cache tensor, made before the first pass, is the graph’s past and its present in one. The formula at the tokens is compared with the used bytes, the formula at the room with the capacity. On a run of its own, every logit is compared with that of a growing cache; not one digit may differ.',
  'why.paged':
    'The cache is a pool of blocks. A sequence gets a block when it needs one, and what its last block does not hold yet is lost inside it. This onnxruntime-web has no paged attention for float32, so that the blocks are gathered into one tensor before each pass; those copies are ours.',
  'how.quantised':
    'Policy quantised: ONNX Runtime’s attention keeps keys and values as integers. The formula counts them with their scales where these stand in the tensors (WebGPU: a 32-bit scale before each row of a head). On a run of its own, the logits are compared with those of a cache of floats, and the check says how near they are.',
  'how.paged':
    'Policy paged: a pool of blocks is made before the first pass, and the rows that hold tokens are found through the sequences’ block tables. The formula at the tokens is compared with the used bytes, the formula at the room with the pool. On a run of its own, every logit is compared with that of a growing cache.',
} as const;
