/** What a model is called on the page, and whether it is a twin. */
import { findModel } from '../model/catalog';
import type { TextKey, TextParams } from '../i18n';
import { shortModelName } from '../protocol/model-name';

/** The short name of a catalog model, of a counterfactual in the page's language, or the id, a pinned one cut. */
export function modelName(id: string, tr: (key: TextKey, params?: TextParams) => string): string {
  const model = findModel(id);
  if (!id.startsWith('mha:')) return model?.name ?? shortModelName(id);
  const bare = id.slice('mha:'.length);
  const base = findModel(bare) ?? findModel(`twin:${bare}`);
  return model === null ? id : tr('model.counterfactual', { name: base?.name ?? bare });
}

/** Whether a model is a cache twin by its id: one of a real model, or of a counterfactual. */
export function isTwinId(id: string): boolean {
  return id.startsWith('twin:') || id.startsWith('mha:');
}
