/** What a model is called on the page. */
import type { TextKey, TextParams } from '../i18n';
import { configModels } from '../lab/config-models';
import { findModel } from '../model/catalog';
import { readTwinId } from '../model/twin-id';
import { shortModelName } from '../protocol/model-name';

/**
 * The short name of a catalog model; of a counterfactual, a latent variant or a twin of some layers, in the page's language; the
 * name that was given to a pasted config; or the id, a pinned one cut.
 */
export function modelName(id: string, tr: (key: TextKey, params?: TextParams) => string): string {
  const model = findModel(id);
  if (id.startsWith('mha:')) {
    const bare = id.slice('mha:'.length);
    const base = findModel(bare) ?? findModel(`twin:${bare}`);
    return model === null ? id : tr('model.counterfactual', { name: base?.name ?? bare });
  }
  if (model !== null) return model.name;
  const twin = readTwinId(id);
  if (twin === null) return shortModelName(id);
  const { base, latent, layers } = twin;
  const bare =
    findModel(`twin:${base}`)?.name ?? configModels.value.get(base)?.name ?? base.replace(/^.*\//, '');
  const name = latent ? tr('model.latent', { name: bare }) : bare;
  return layers === null ? name : tr('model.someLayers', { name, n: layers });
}
