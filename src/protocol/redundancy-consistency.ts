/** Whether a redundancy's result fits together and is that of its recipe: what a schema of fields alone cannot see. */
import type { PairResult } from '../redundancy/types';
import type { LabRecord } from './record';
import type { RedundancyResult } from './redundancy';

/** A field that contradicts others: its path, and the words after “its field … is”. */
export interface Contradiction {
  field: string;
  problem: string;
}

/** The first contradiction of a record's redundancy; null when it has none, or no result. */
export function redundancyContradiction({ recipe, redundancy }: Pick<LabRecord, 'recipe' | 'redundancy'>) {
  if (redundancy === null) return null;
  const own = otherThanAsked(redundancy, recipe) ?? badChannels(redundancy) ?? badPairs(redundancy);
  return own === null ? null : { ...own, field: `redundancy.${own.field}` };
}

function otherThanAsked(result: RedundancyResult, recipe: LabRecord['recipe']): Contradiction | null {
  const asked = recipe.redundancy;
  if (asked === undefined)
    return { field: 'model', problem: 'a result, but the recipe is of another experiment' };
  const fields: [string, string | number, string | number | undefined][] = [
    ['model', result.model, recipe.model[0]],
    ['dtype', result.dtype, recipe.dtype[0]],
    ['skip', result.skip, asked.skip],
    ['keep', result.keep, asked.keep],
    ['split', result.split, asked.split],
    ['documents', result.documents.map(({ name }) => name).join(', '), asked.documents.join(', ')],
  ];
  const other = fields.find(([, found, wanted]) => found !== wanted);
  if (other === undefined) return null;
  const [field, found, wanted] = other;
  return { field, problem: `${found}, but the recipe has ${wanted ?? 'none'}` };
}

/** No channel is read of any layer before the first cache was. */
function badChannels({ layers, channels, pairs }: RedundancyResult): Contradiction | null {
  if (channels.length !== layers.length && (channels.length > 0 || pairs.length > 0))
    return {
      field: 'channels',
      problem: `a list of ${channels.length}, and there are ${layers.length} layers`,
    };
  const none = channels.findIndex(({ K }) => K < 1);
  return none < 0 ? null : { field: `channels.${none}.K`, problem: '0; a layer has at least 1 channel' };
}

function badPairs(result: RedundancyResult): Contradiction | null {
  const seen = new Set<string>();
  for (const [at, pair] of result.pairs.entries()) {
    const key = `${pair.from} ${pair.to} ${pair.kind}`;
    const bad = seen.has(key)
      ? { field: 'to', problem: `the second ${pair.kind} of ${pair.from} → ${pair.to}` }
      : badPair(pair, result);
    if (bad !== null) return { ...bad, field: `pairs.${at}.${bad.field}` };
    seen.add(key);
  }
  return null;
}

function badPair(pair: PairResult, { layers, channels, documents, lambdas }: RedundancyResult) {
  const { from, to, kind, lambda } = pair;
  if (from === to) return { field: 'to', problem: `${to}; a layer is not predicted from itself` };
  for (const [field, layer] of [['from', from] as const, ['to', to] as const]) {
    const place = layers.indexOf(layer);
    if (place < 0)
      return { field, problem: `${layer}, and the layers that were read are ${layers.join(', ')}` };
    if ((channels[place]?.[kind] ?? 0) < 1)
      return { field, problem: `${layer}, a layer without channels of ${kind}` };
  }
  const lists = [
    ['r2.perDocument', pair.r2.perDocument.length] as const,
    ['shuffled.perDocument', pair.shuffled.perDocument.length] as const,
    ['lambda', lambda.length] as const,
  ];
  const wrong = lists.find(([, length]) => length !== documents.length);
  if (wrong !== undefined)
    return {
      field: wrong[0],
      problem: `a list of ${wrong[1]}, and there are ${documents.length} documents`,
    };
  const unknown = lambda.findIndex((one) => !lambdas.includes(one));
  return unknown < 0
    ? null
    : { field: `lambda.${unknown}`, problem: `${lambda[unknown] ?? ''}, which is not among lambdas` };
}
