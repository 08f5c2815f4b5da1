/** What checks say, as data: a key from a closed list and its values, so that a page can say it in its own language. */
import { fillSentence } from './faults';
import type { Check, CheckName } from './record';

/** English phrases, one a key. `{name}` is replaced by the value of that name. */
export const CHECK_PHRASES = {
  nothing: 'nothing was measured',
  bytes: '{bytes} bytes',
  unchanged: 'unchanged',
  'ratio-all': '1.0000 everywhere',
  'ratio-is': '{ratio}',
  'ratio-equal': '{count} of {count} sizes are equal to the byte',
  'ratio-used': 'used bytes of {count} of {count} sizes are equal to the byte',
  'ratio-differs':
    '{different} of {count} sizes differ; at {tokens} tokens {measured} bytes, formula {formula} bytes',
  'wrong-expected': 'not 1.0000 with {kvHeads} KV heads',
  'wrong-how':
    'the formula with {kvHeads} KV heads instead of {trueKvHeads}, against the same measured bytes',
  'wrong-state-expected': 'not 1.0000 with states one element larger',
  'wrong-state-how': 'the formula with one element more in every state, against the same measured bytes',
  'delta-expected': '{bytes} bytes at every step',
  'delta-range': '{smallest} to {largest} bytes',
  'delta-count': '{steps} steps, {distinct} distinct deltas',
  'graph-expected': '{count} cache inputs, {kvHeads} KV heads x {headDim}, {type}',
  'graph-found': '{count} cache inputs',
  'graph-missing': '{count} cache inputs; not found: {missing}',
  'graph-itself': 'the geometry was read from this graph, so this cannot fail',
  'graph-instead': 'the graph has: {found}',
  'logits-expected': 'differences of at most {tolerance} of the largest logit',
  'logits-found': '{difference}',
  'logits-without': '{tokens} tokens; without the cache the difference is {difference}',
  'prefix-expected': 'the old tokens of every cache tensor bit for bit as before each step',
  'prefix-changed': 'changed in {tensor}',
  'prefix-how': '{steps} steps after {tokens} tokens',
  'repeats-expected': 'the same tensor bytes in every repeat',
  'repeats-found': 'identical in every repeat of {count} points',
  'repeats-stray':
    '{different} of {count} points stray; at {tokens} tokens identical in {identical} of {repeats} repeats',
  'padded-expected':
    'each row’s logits as when it runs alone, and the cache of {batch} rows of {tokens} tokens',
  'padded-found': '{difference} of the largest logit, {bytes} bytes',
  'padded-how':
    'prompts of {lengths} tokens in one batch, padded to {tokens}: {bytes} formula bytes with the padding',
  'capacity-expected': 'the formula’s bytes at the room of the buffers',
  'capacity-equal': '{bytes} bytes at a room of {room} tokens',
  'capacity-count': '{count} sizes, rooms of {rooms} tokens',
  'capacity-differs': '{measured} bytes at a room of {room} tokens, formula {formula} bytes',
  'same-logits-expected': 'a largest difference of exactly 0',
  'same-logits-found': '{difference}',
  'same-logits-how': '{logits} logits: a prompt of {chunks} tokens, then {steps} decode steps',
  'quantised-expected': 'a cosine of at least {cosine} with the logits of a cache of floats ({bits} bits)',
  'quantised-found': 'smallest cosine {cosine}; largest difference {difference}',
  'quantised-how': 'the same tokens through both: a prompt of {chunks}, then {steps} decode steps',
  'flat-expected': 'the same device bytes after every step from the second on',
  'flat-range': '{smallest} to {largest} bytes',
  'flat-count': '{steps} steps; steps in which the cache was moved are left out: {moves}',
  'merge-expected': 'the same tensor bytes where two records measured the same point',
  'merge-found': '{count} points in two or more records, all the same',
  'merge-differs': '{different} of {count} points differ; first {model} at {tokens} tokens',
  'released-expected': '{bytes} bytes on the device, as before the model was loaded',
  'gpu-expected': 'no error from the GPU',
  'gpu-found': '{message}',
  'serving-expected': 'every row of the pool ({system}) as the simulation placed it',
  'serving-found': '{rows} rows with a token, each of its own request; {empty} empty',
  'serving-differs':
    '{wrong} of {rows} rows differ; first row {row} at step {step}: request {found}, expected {owner} (0 is none)',
  'serving-count': 'read from the pool at {moments} moments',
  'pools-released-expected': '{bytes} bytes on the device, as before the first pool was made',
  'shuffled-expected': 'no R² above 0 where the tokens of the source are shuffled',
  'shuffled-found': 'at most {largest}',
  'shuffled-count': '{count} values: each pair, each document as the test',
  'shuffled-leak':
    '{above} of {count} values are above 0: the evaluation leaks, and the result must not be believed',
  'shuffled-leak-small':
    '{above} of {count} values are above 0, at most {largest}: the result must not be believed; so little can be chance: change the seed and look again',
  'noise-exact': 'no difference between two runs of one document',
  'noise-tolerance':
    'a difference of at most {tolerance} of the largest value between two runs of one document, on a GPU',
  'noise-found': '{difference}',
  'noise-how': '{tokens} tokens of “{name}” fed twice; the largest value is {largest}',
  'method-expected': 'planted R² of {truths} found within {tolerance}, and a planted leak caught',
  'method-found': '{found}; the leak’s shuffled R² is {shuffled}',
  'backends-expected':
    'keys and values as the WASM backend computes them: a cosine of at least {cosine} in every layer',
  'backends-found': 'smallest cosine {cosine}: {kind} of layer {layer}',
  'backends-how': '{tokens} tokens through both backends, {tensors} tensors',
  'backends-wrong':
    'the GPU computes other keys and values than the WASM backend: the result must not be believed ({tokens} tokens, {tensors} tensors)',
} as const;

export type CheckPhraseKey = keyof typeof CHECK_PHRASES;

/** A phrase and its values. */
export interface CheckPhrase {
  key: CheckPhraseKey;
  params: Record<string, string | number>;
}

export interface CheckPhrases {
  expected: CheckPhrase;
  measured: CheckPhrase;
  detail: CheckPhrase | null;
}

export function say(key: CheckPhraseKey, params: CheckPhrase['params'] = {}): CheckPhrase {
  return { key, params };
}

/** A check with its phrases, and with their English text for files and terminals. */
export function makeCheck(
  name: CheckName,
  model: string | null,
  pass: boolean,
  {
    expected,
    measured,
    detail = null,
  }: { expected: CheckPhrase; measured: CheckPhrase; detail?: CheckPhrase | null },
): Check {
  return {
    name,
    model,
    pass,
    expected: inEnglish(expected),
    measured: inEnglish(measured),
    detail: detail === null ? '' : inEnglish(detail),
    phrases: { expected, measured, detail },
  };
}

function inEnglish({ key, params }: CheckPhrase): string {
  return fillSentence(CHECK_PHRASES[key], params);
}
