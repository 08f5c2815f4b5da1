/** Layers in rows of a table, and what one layer keeps in words. Pure. */
import type { LayerCache } from '../../geometry/geometry';
import { numberText } from './derivation-text';
import { layerRanges, type LayerGroup, type LayerView } from './layer-groups';
import type { InputTranslate } from './words';

export type Cell = string | number;

/** The kinds of a layer, such as `latent (MLA) + indexer`. */
export function kindText({ kinds }: Pick<LayerView, 'kinds'>, tr: InputTranslate): string {
  return kinds.map((kind) => tr(`kind.${kind}`)).join(' + ');
}

/** Columns that groups and single layers share: KV heads, dims, cap. */
function shapeCells({ entries }: Pick<LayerView, 'entries'>, tr: InputTranslate): Cell[] {
  const keyed = entries.filter(({ kvHeads }) => kvHeads > 0);
  const heads = [...new Set(keyed.map(({ kvHeads }) => kvHeads))];
  const dims = [...new Set(entries.map(dimsOf).filter(Boolean))];
  const growing = entries.filter(({ elementsPerToken }) => elementsPerToken > 0);
  const caps = growing.map((entry) => capOf(entry, tr));
  return [
    heads.length === 1 ? (heads[0] ?? '') : heads.map(numberText).join(', '),
    dims.join(', '),
    [...new Set(caps)].join(', '),
  ];
}

/** Key + value dim; of a state its dims, of a convolution channels x inputs. */
function dimsOf({ kvHeads, keyDim, valueDim, stateDims, conv }: LayerCache): string {
  if (stateDims) return stateDims.map(numberText).join(' × ');
  if (conv) return [conv.channels, conv.kernel - 1].map(numberText).join(' × ');
  if (kvHeads === 0) return '';
  return valueDim === 0 ? numberText(keyDim) : `${numberText(keyDim)} + ${numberText(valueDim)}`;
}

function capOf({ capTokens, tokensPerEntry = 1 }: LayerCache, tr: InputTranslate): string {
  const cap = capTokens === null ? tr('arch.noCap') : numberText(capTokens);
  return tokensPerEntry === 1 ? cap : `${cap} ÷ ${numberText(tokensPerEntry)}`;
}

/** Bytes a token: of entries that serve several tokens their share. */
function perToken({ first, far }: LayerView | LayerGroup): number {
  return Math.max(first, far);
}

export function groupHead(tr: InputTranslate): string[] {
  return [
    tr('arch.col.kind'),
    tr('arch.col.layers'),
    tr('arch.col.count'),
    tr('arch.col.kvHeads'),
    tr('arch.col.dims'),
    tr('arch.col.cap'),
    tr('arch.col.token'),
    tr('arch.col.fixed'),
    tr('arch.col.all'),
  ];
}

export function groupRow(group: LayerGroup, tr: InputTranslate): Cell[] {
  const count = group.layers.length;
  return [
    kindText(group, tr),
    layerRanges(group.layers.map(({ layer }) => layer)),
    count,
    ...shapeCells(group, tr),
    perToken(group),
    group.fixed,
    perToken(group) * count,
  ];
}

export function layerHead(tr: InputTranslate): string[] {
  return [
    tr('arch.col.layer'),
    tr('arch.col.kind'),
    tr('arch.col.kvHeads'),
    tr('arch.col.dims'),
    tr('arch.col.cap'),
    tr('arch.col.token'),
    tr('arch.col.fixed'),
  ];
}

export function layerRow(view: LayerView, tr: InputTranslate): Cell[] {
  return [view.layer, kindText(view, tr), ...shapeCells(view, tr), perToken(view), view.fixed];
}

/** What one layer keeps, for its cell in the picture: `Layer 3: full attention. 4,096 bytes a token`. */
export function layerFacts(view: LayerView, tr: InputTranslate): string {
  const caps = [...new Set(view.entries.flatMap(({ capTokens }) => capTokens ?? []))];
  const shares = [
    ...new Set(view.entries.flatMap(({ tokensPerEntry = 1 }) => (tokensPerEntry > 1 ? tokensPerEntry : []))),
  ];
  const source = view.entries.find(({ sharedWith }) => sharedWith !== undefined)?.sharedWith;
  const facts = [
    ...(perToken(view) > 0 ? [tr('arch.fact.token', { bytes: numberText(perToken(view)) })] : []),
    ...caps.map((cap) => tr('arch.fact.cap', { cap })),
    ...shares.map((share) => tr('arch.fact.share', { share })),
    ...(view.fixed > 0 ? [tr('arch.fact.fixed', { bytes: view.fixed })] : []),
    ...(source === undefined ? [] : [tr('arch.fact.sharedWith', { layer: source })]),
  ];
  return tr('arch.layerFacts', {
    layer: view.layer,
    kind: kindText(view, tr),
    facts: facts.length === 0 ? tr('arch.fact.nothing') : facts.join(', '),
  });
}
