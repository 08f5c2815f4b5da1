/** English texts of the experiment policies, and of the settings of cache policies. */
export const enPolicies = {
  'setting.room.help':
    'Tokens per sequence that the buffers are made for at first. 0: as many as the run needs.',
  'setting.overflow.help':
    'refuse: more tokens are not taken. move: the cache is copied to buffers twice as large.',
  'setting.bits.help': 'Bits of a quantised element; its scales come on top.',
  'setting.block.help':
    'Tokens per block of a paged cache. What the last block does not hold is lost inside it.',
  'policies.policies': 'Cache policies',
  'policies.allocators': 'Allocator modes',
  'policies.allocators.help':
    'ONNX Runtime’s storageBufferCacheMode. Every policy runs with every mode, each with the model loaded anew.',

  'policies.pair': '{policy} with {mode}',
  'policies.and': ' and ',
  'policies.waiting': 'Nothing to compare yet: the first policy is being measured.',
  'policies.verdict.none': 'No policy could be measured.',
  'policies.verdict.device':
    'At {tokens} tokens {name} takes least: the device’s peak is {bytes}, against {baseBytes} of {base} ({times}×).',
  'policies.verdict.device.alone': 'At {tokens} tokens the device’s peak under {name} is {bytes}.',
  'policies.verdict.tensor':
    'At {tokens} tokens the cache tensors of {name} take least: {bytes}, against {baseBytes} of {base} ({times}×); device bytes were not measured.',
  'policies.verdict.tensor.alone':
    'At {tokens} tokens the cache tensors of {name} take {bytes}; device bytes were not measured.',
  'policies.verdict.cost': 'Per decode step, {parts}.',
  'policies.verdict.ms': 'it takes {ms} against {baseMs}',
  'policies.verdict.copied': 'it copies {bytes} of old keys and values against {baseBytes}',
  'policies.verdict.lossy':
    'Its logits are not quite those of floats; the check below says how near they are.',
  'policies.verdict.equal': '{equal} of {measured} measured cells hold exactly the formula’s bytes.',
  'policies.verdict.failed': 'Failed: {failed} of {of} ({names}).',
  'policies.verdict.allOf': '{mode} with {policies}',

  'policies.best.title': 'What holds the most tokens here',
  'policies.best':
    'Within {budget} of device bytes, {name} holds {tokens} tokens, {base} {baseTokens}: {times} times as many.',
  'policies.best.alone': 'Within {budget} of device bytes, {name} holds {tokens} tokens.',
  'policies.best.none':
    'Within {budget} of device bytes, {name} holds {tokens} tokens, {base} none of the measured lengths.',
  'policies.best.default':
    'Within {budget} of device bytes the default, {name}, already holds the most: {tokens} tokens; the least, {base}, holds {baseTokens}.',
  'policies.best.same':
    'Within {budget} of device bytes, {name} holds {tokens} tokens, as {base} does, with {peak} against {basePeak} at the peak.',
  'policies.best.budget': 'The budget, exactly:',
  'policies.best.what':
    'Measured on this device, nothing extrapolated: the budget is the smallest peak at the longest context of any of them, and each holds the most tokens per sequence at which its own peak was within it.',
  'policies.best.unknown':
    'No recommendation: it compares peaks of device bytes, and these were not measured here.',
  'policies.best.later': 'The recommendation comes when the run has ended.',
  'policies.best.table': 'Tokens within the budget, by policy and mode',
  'policies.best.rank': 'Rank',
  'policies.best.tokens': 'Tokens held, measured',
  'policies.best.peak': 'Peak device bytes, measured',
  'policies.best.nothing': 'none fits',

  'policies.col.policy': 'Policy',
  'policies.col.mode': 'Allocator mode',

  'policies.chart.lines': 'Lines',
  'policies.lines.policies': 'all policies, one level',
  'policies.lines.allocators': 'all modes, one level',
  'policies.lines.levels': 'all levels of one policy',
  'policies.chart.of.policies': 'By policy under {mode}: {level}',
  'policies.chart.of.allocators': 'By allocator mode under {policy}: {level}',
  'policies.chart.of.levels': 'By level: {policy} under {mode}',
  'policies.chart.level': 'Level',
  'policies.chart.batch': 'Batch {batch}.',
  'policies.chart.hint':
    'Each context is filled, then decoded from. dynamic and quantised go on growing to the next context; static and paged start anew in buffers made for that context and its steps.',
  'policies.chart.ms': 'ms per decode step, measured',
  'policies.chart.copied': 'bytes copied per step, counted',
  'policies.chart.context': 'tokens in the cache before the steps',
  'policies.chart.time': 'Time per decode step by context',
  'policies.chart.time.hint':
    'Medians of measured steps. Steps left out as warm-up, since the GPU built pipelines in them: {warmUp} of {all}.',
  'policies.chart.time.none':
    'Steps left out as warm-up: none of {all}; whether the GPU built pipelines in them is counted.',
  'policies.chart.copies': 'Bytes copied per decode step by context',
  'policies.chart.copies.hint':
    'Keys and values of earlier tokens that a step puts into other memory: all of them where the cache is a new tensor each step, none where it stays in place, and what is gathered from blocks.',
  'policies.level.formula': 'formula bytes, worked out',
  'policies.level.used': 'used bytes, measured',
  'policies.level.tensor': 'tensor bytes, measured',
  'policies.level.resident': 'resident bytes, measured',
  'policies.level.device': 'device bytes after, measured',
  'policies.level.peak': 'device bytes at the peak, measured',

  'policies.table': 'Every policy and mode at its longest context',
  'policies.table.hint':
    'Formula: worked out from config.json and, for quantised, its bits. Everything else is measured. Time and copies are medians of the steps behind that context.',
  'policies.table.tokens': 'Tokens',
  'policies.table.formula': 'Formula (bytes)',
  'policies.table.used': 'Used, measured (bytes)',
  'policies.table.tensor': 'Tensor, measured (bytes)',
  'policies.table.resident': 'Resident, measured (bytes)',
  'policies.table.device': 'Device after, measured (bytes)',
  'policies.table.peak': 'Device peak, measured (bytes)',
  'policies.table.ms': 'Time per step, measured',
  'policies.table.copied': 'Copied per step, counted (bytes)',
  'policies.table.ratio': 'Device / formula, largest',
  'policies.table.steps': 'median of {steps}',
  'policies.table.noSteps': 'only warm-up steps',
  'policies.table.all': 'all of it',
  'policies.table.failed': 'failed: {reason}',
  'policies.table.partly': '{measured} of {planned} contexts; then: {reason}',
  'policies.table.bits': '{bits} bits, {scales}',
  'policies.scales.webgpu': 'a 32-bit scale before each row of a head, inside the tensors',
  'policies.scales.wasm': 'one scale for all keys of a layer and one for all values, beside the tensors',
  'policies.table.blocks': '{blocks} blocks of {block} tokens in use, {lost} bytes lost in the last ones',
  'policies.table.gathered': 'gathered by copies of ours before each pass',
  'policies.paged.note':
    'paged: this onnxruntime-web has no paged attention for float32, so that the blocks of a sequence are gathered into one tensor before each pass. Those copies are ours and are counted.',
  'policies.batch': 'Batch {batch}',

  'policies.probes.title': 'Also tried',
  'policies.probes.name.graph-capture': 'graph capture',
  'policies.probes.name.paged-attention': 'paged attention of ONNX Runtime',
  'policies.probes.outcome.works': 'works',
  'policies.probes.outcome.refused': 'refused',
  'policies.probes.outcome.ignored': 'taken, but without effect',
  'policies.probes.outcome.wrong': 'wrong results',
  'policies.probes.graph-capture.works':
    'The commands of a graph can be recorded once and replayed, which saves the CPU’s part of each step: seen on a graph of one attention layer, whose numbers stayed the same. Whether the measured model’s graph can be captured stands below.',
  'policies.probes.graph-capture.refused':
    'The commands of a step cannot be recorded and replayed here, so each step encodes them anew.',
  'policies.probes.graph-capture.ignored':
    'The option was taken, but no step was seen to be replayed: it saves nothing here.',
  'policies.probes.graph-capture.wrong': 'Steps were replayed and gave other logits: it cannot be used here.',
  'policies.probes.paged-attention.works':
    'Blocks could be read in place, without gathering them; this lab’s paged policy does not use it yet.',
  'policies.probes.paged-attention.refused':
    'Blocks cannot be read in place, so the paged policy gathers them before each pass.',
  'policies.probes.paged-attention.ignored':
    'The operator ran without doing what it is for, so the paged policy gathers its blocks.',
  'policies.probes.paged-attention.wrong':
    'The operator ran and gave other numbers, so the paged policy gathers its blocks.',
  'policies.probes.said': 'What was seen: {detail}',
  'policies.probes.none': 'Nothing else was tried in this run.',

  'policies.steps': 'Every decode step ({count})',
  'policies.steps.ms': 'Time, measured',
  'policies.steps.warmUp': 'warm-up: {compiled} pipelines built',
  'policies.steps.counted': 'counted',
  'policies.steps.note': 'In the median',
  'policies.steps.cut': 'The last {shown} of {total} steps; CSV and JSON have them all.',

  'policies.how.runs':
    '{policies} policies × {modes} allocator modes, each with the model loaded anew: the same weights, tokens and lengths ({tokens}), and {steps} decode steps after each.',
  'policies.how.wasm': 'WASM has no allocator modes, so each policy runs once.',
  'policies.how.formula': 'dynamic, static, paged: bytes = tokens × {perToken}',
  'policies.how.quantised.webgpu':
    'quantised: bytes = tokens × {rows} rows × ({headDim} × {bits} / 8 + 4) = tokens × {perToken}',
  'policies.how.quantised.wasm':
    'quantised: bytes = tokens × {rows} rows × {headDim} × {bits} / 8 = tokens × {perToken}',
  'policies.how.rows':
    'A row is one head’s key or value of one token: {layers} layers × {kvHeads} KV heads × 2.',
  'policies.how.paged':
    'paged: room for tokens in whole blocks of {block}; a sequence of {tokens} tokens holds {blocks} of them and loses {lost} tokens’ bytes in the last.',
  'policies.how.time':
    'A step’s time is from the call to the logits. The pipelines that the GPU builds meanwhile are counted; a step with some is a warm-up and no part of a median.',
  'policies.how.copied':
    'Copied bytes are counted from the tensors: where a step’s cache is a new tensor, all that the old one held; of blocks, what was gathered.',
  'policies.how.peak':
    'The peak is the highest sum of all live GPU buffers during a prefill or a step, counted at every buffer that is made or destroyed.',
} as const;
