/** Turns a decoder into an older export: no `num_logits_to_keep`, logits of every position, and a large vocabulary. */
import type { Value } from '../../src/model/onnx-graph';
import { editGraph, int64Tensor, node, producerOf, type Editable } from './graph-edit';

/**
 * The vocabulary stays small inside, so that the file does: ids are taken modulo it, and its logits repeated.
 * @param vocabSize What the decoder was built with.
 * @param repeats Logits are of `vocabSize * repeats` tokens.
 */
export function withAllLogits(file: Uint8Array, vocabSize: number, repeats: number): Uint8Array {
  return editGraph(file, (graph) => {
    const head = producerOf(graph, 'logits');
    const [slice = '', weights = ''] = head.input ?? [];
    const [hidden = ''] = producerOf(graph, slice).input ?? [];
    head.input = [hidden, weights];
    removeDeadNodes(graph, 'num_logits_to_keep', slice);

    head.output = ['small_logits'];
    graph.nodes.push(node('Tile', ['small_logits', 'logit_repeats'], 'logits'));
    const embedding = graph.nodes.find(({ input }) => input?.includes('input_ids'));
    if (!embedding) throw new Error('Nothing reads input_ids.');
    graph.nodes.unshift(node('Mod', ['input_ids', 'small_vocabulary'], 'small_ids'));
    embedding.input = (embedding.input ?? []).map((name) => (name === 'input_ids' ? 'small_ids' : name));
    graph.initializers.push(
      int64Tensor('logit_repeats', [1, 1, repeats]),
      int64Tensor('small_vocabulary', vocabSize),
    );
    const dims = graph.outputs.find(({ name }) => name === 'logits')?.type?.tensorType?.shape?.dim;
    if (dims?.length !== 3) throw new Error('The logits have no three dimensions.');
    dims.splice(1, 2, { dimParam: 'sequence_length' }, { dimValue: vocabSize * repeats });
  });
}

/** Removes an input, the nodes on the way from it to the value that nobody reads any more, and their constants. */
function removeDeadNodes(graph: Editable, input: Value, last: Value): void {
  graph.inputs = graph.inputs.filter(({ name }) => name !== input);
  const dead = new Set([input]);
  while (!dead.has(last)) {
    const next = graph.nodes.find((candidate) => candidate.input?.some((name) => dead.has(name)));
    if (!next) throw new Error(`${last} does not depend on ${input}.`);
    graph.nodes = graph.nodes.filter((other) => other !== next);
    for (const name of next.output ?? []) dead.add(name);
  }
  // ONNX Runtime would warn of each constant that is left over.
  const read = new Set(graph.nodes.flatMap((each) => each.input ?? []));
  graph.initializers = graph.initializers.filter(({ name }) => read.has(name ?? ''));
}
