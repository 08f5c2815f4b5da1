/** Texts of preallocated caches (policy static); they come with the report. */
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
    'the cache is preallocated: at {tokens} tokens {used} of its {capacity} bytes are used, which has room for {room} tokens',
  'verdict.staticWrong':
    'the cache is preallocated, and its {capacity} bytes are not the formula’s at its room of {room} tokens',
  'verdict.staticMoved': 'it was moved {moves}× to larger buffers',
  'result.static': 'static cache with room for {room} tokens',
  'result.staticAny': 'static cache',
} as const;
