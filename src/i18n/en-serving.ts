/** English texts of the experiment serving. */
export const enServing = {
  'serving.lengths': 'Lengths of the requests',
  'serving.lengths.sharegpt': 'like ShareGPT',
  'serving.lengths.alpaca': 'like Alpaca',
  'serving.lengths.help':
    'Drawn with the seed, with the means of that data set: {prompt} tokens of prompt and {output} of output.',
  'serving.requests': 'Requests',
  'serving.requests.help': 'How many arrive in all. They queue up: some wait until the last one is in.',
  'serving.pool': 'Pool (tokens)',
  'serving.pool.help': 'Tokens that each pool has room for. It is really allocated.',
  'serving.pool.bytes': 'Here that is {size}.',
  'serving.longest': 'Longest request (tokens)',
  'serving.longest.help':
    'Prompt and output together. The first system reserves this much for every request.',
  'serving.block.help': 'Tokens per block of the paged pool.',

  'serving.system.reserve-max': 'Reserved for the longest',
  'serving.system.reserve-pow2': 'Reserved to a power of two',
  'serving.system.reserve-oracle': 'Reserved for the true length',
  'serving.system.paged': 'Blocks as tokens come',
  'serving.paperName.reserve-max': 'Orca (Max)',
  'serving.paperName.reserve-pow2': 'Orca (Pow2)',
  'serving.paperName.reserve-oracle': 'Orca (Oracle)',
  'serving.paperName.paged': 'vLLM',

  'serving.verdict.both':
    'Tokens filled {paged} % of the pool that is given out in blocks of {block} tokens, and {reserved} % of the pools that are reserved in one piece.',
  'serving.verdict.paged':
    'Tokens filled {paged} % of the pool that is given out in blocks of {block} tokens.',
  'serving.verdict.reserved': 'Tokens filled {reserved} % of the pools that are reserved in one piece.',
  'serving.verdict.none':
    'Nothing can be said: the pool was never full while it was looked at, so nobody waited. Choose more requests or a smaller pool.',
  'serving.verdict.waiting': 'No system has run to its end yet.',
  'serving.verdict.paper':
    'The PagedAttention paper reports {paged} % for blocks and {reserved} % for reservations.',
  'serving.verdict.sessions':
    'In the same bytes, {paged} requests ran at one time with blocks and {max} with a reservation for the longest (means): {times} times as many.',
  'serving.range': '{min} to {max}',
  'serving.paper.source':
    'Kwon et al. 2023, “Efficient Memory Management for Large Language Model Serving with PagedAttention”, arXiv 2309.06180, Figure 2. Real requests of ShareGPT there, on OPT-13B with room for 15.7K tokens: ranges can be compared, digits cannot.',

  'serving.origin': 'What is real here, and what is simulated',
  'serving.origin.real': 'Really allocated',
  'serving.origin.real.gpu':
    'A pool of {bytes} bytes of GPU buffers for each system. Every token’s row of {row} bytes is written to its place and cleared when its request leaves. “Holds tokens” is counted from what was read back from the buffers.',
  'serving.origin.real.wasm':
    'A pool of {bytes} bytes of memory for each system. Every token’s row of {row} bytes is written to its place and cleared when its request leaves. “Holds tokens” is counted from what was read back from it.',
  'serving.origin.simulated': 'Simulated',
  'serving.origin.simulated.what':
    'The requests: their lengths, their arrival, and that a step computes one token for each that runs. No model runs. What was reserved or never used follows from those lengths and the allocator’s tables.',

  'serving.figures': 'Share of the pool that holds tokens',
  'serving.figure.measured': 'really allocated: read back from the pool',
  'serving.figure.simulatedRequests': '{running} requests at one time on average (simulated)',
  'serving.figure.paper': 'in the paper: {share} % ({name})',
  'serving.bytesOf': '{used} of {pool} bytes on average',

  'serving.chart.shares': 'What the pools hold while requests wait (mean)',
  'serving.chart.shares.hint':
    '① is really allocated: read back from the pool. ② and ③ are simulated: they follow from the lengths that were drawn. ④ is free by the allocator’s tables, and no request that waits fits into it.',
  'serving.chart.shares.axis': 'share of the pool',
  'serving.chart.time': 'How full the pools are over the steps',
  'serving.chart.time.hint':
    'Really allocated: every point is one reading of the pool. Simulated: the requests, and so when a step is. At the end nobody waits any more, and the pools empty.',
  'serving.chart.time.axis': 'simulated decode steps',
  'serving.chart.time.share': 'holds tokens',
  'serving.part.used': 'holds tokens',
  'serving.part.reserved': 'reserved for later',
  'serving.part.wasted': 'never used inside',
  'serving.part.free': 'free, but unusable',

  'serving.table': 'The systems in numbers, means while requests wait',
  'serving.table.system': 'System',
  'serving.table.used': 'Holds tokens (read back)',
  'serving.table.paper': 'In the paper',
  'serving.table.inside': 'Of what was handed out (read back)',
  'serving.table.reserved': 'Reserved for later (simulated)',
  'serving.table.wasted': 'Never used inside (simulated)',
  'serving.table.free': 'Free, but unusable (tables)',
  'serving.table.running': 'Requests at one time, mean (simulated)',
  'serving.table.most': 'Most at one time (simulated)',
  'serving.table.steps': 'Steps to the last request (simulated)',
  'serving.table.preemptions': 'Sent back to wait (simulated)',
  'serving.table.pool': 'Pool, bytes (allocated)',
  'serving.table.device': 'Device with the pool, bytes (allocated)',
  'serving.stepsOf': '{steps} of {of}',
  'serving.deviceAfter': '{bytes} when it was freed',
  'serving.noDevice': 'not measured: no GPU',
  'serving.percent': '{share} %',
  'serving.notRun': 'not measured: the run ended before this system',
  'serving.toCome': 'still to come',
  'serving.neverWaited': 'not measured: nobody waited',

  'serving.samples': 'Every reading of the pools ({count})',
  'serving.samples.hint':
    'Bytes and tokens in use are read back from the pool; the other columns are the simulation’s and the allocator’s.',
  'serving.samples.step': 'Step (simulated)',
  'serving.samples.running': 'Running',
  'serving.samples.waiting': 'Waiting',
  'serving.samples.usedTokens': 'Tokens found (read back)',
  'serving.samples.usedBytes': 'Bytes that hold them (read back)',
  'serving.samples.held': 'Tokens handed out',
  'serving.samples.reserved': 'Reserved for later',
  'serving.samples.wasted': 'Never used',

  'serving.how.requests':
    '{requests} requests, drawn with seed {seed}: prompt and output apart, each from a geometric distribution, whose means are those of {source} in the PagedAttention paper (section 6.1, Figure 11): {prompt} and {output} tokens. A request longer than {longest} tokens is cut. All have arrived before the first step; first come, first served.',
  'serving.how.drawn': 'Drawn here: {prompt} tokens of prompt and {output} of output on average.',
  'serving.how.systems':
    'A request of {prompt} + {output} tokens is given, in the pool: {max} tokens where the longest is reserved; {pow2} where its output is rounded up to a power of two; {oracle} where its true length is known; {paged} at its end where blocks of {block} tokens come as they are needed. The first three are one piece each from a buddy allocator, which rounds every piece up to a power of two, as the paper’s Orca does.',
  'serving.how.formula': 'share = bytes of the rows that hold something ÷ bytes of the pool',
  'serving.how.pool':
    'The pool: {tokens} tokens × {row} bytes a token = {bytes} bytes, for each system in turn.',
  'serving.how.samples':
    'The pool is read at about 24 evenly spaced steps. Means are over those readings at which requests waited: an empty queue says nothing of an allocator. Every row that was found has to carry the pattern of the request that owns it.',
  'serving.how.preempt':
    'When the blocks run out, the request that came last gives its own back and starts again later, recomputed, as in vLLM.',
  'serving.how.limits':
    'No model runs and no time is measured: this is about room. Blocks also cost time in attention, which the experiment “Policies and allocator” measures.',
} as const;
