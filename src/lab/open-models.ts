/** Opens models from outside: finds them, asks before a download, downloads, and reads what they are. */
import { browserDeps, type HubDeps } from '../model/hub/deps';
import { downloadFiles } from '../model/hub/download';
import { openSource } from '../model/hub/open-source';
import { sizeFault } from '../model/hub/size-limit';
import { listStored } from '../model/hub/storage';
import { variantFor, type HubVariant } from '../model/hub/variants';
import { LabError, toFault, type Fault } from '../protocol/faults';
import type { Dtype } from '../protocol/recipe';
import { hubHost } from './hub-host';
import { lookUp, type LookedUp } from './look-up';
import { isOutside } from './models';
import type { DownloadNeed, DownloadProgress, Opened, OpenModels, OpenRequest } from './opening';

/** One variant of one model that is to be opened. */
interface Wanted {
  /** As the recipe names it. */
  id: string;
  dtype: Dtype;
  found: LookedUp;
  variant: HubVariant;
}

/** @throws LabError as {@link OpenModels}. */
export const openModels: OpenModels = (request) => openWith(browserDeps(), hubHost(), request);

/** The same with injected surroundings. */
export async function openWith(deps: HubDeps, host: string, request: OpenRequest): Promise<Opened> {
  const { recipe, signal } = request;
  // Storage that fails does so for every file; a person is told once.
  const said = new Set<Fault['code']>();
  const onNotice = (fault: Fault): void => {
    if (said.has(fault.code)) return;
    said.add(fault.code);
    request.onNotice(fault);
  };
  const refused: Opened['refused'] = [];
  const refuse = (id: string, dtypes: readonly Dtype[], fault: Fault): void => {
    refused.push(...dtypes.map((dtype) => ({ id, dtype, fault })));
  };
  const dtypes = recipe.dtype.filter((dtype) => dtype !== 'bf16');
  const wanted: Wanted[] = [];
  const pinned = new Map<string, string>();
  for (const id of recipe.model.filter(isOutside)) {
    try {
      // What storage lacks for config.json, it lacks for the weights: that notice names the bytes that matter.
      const found = await lookUp(deps, { id, host, signal, onNotice: () => undefined });
      pinned.set(id, found.pinned);
      for (const dtype of dtypes) {
        try {
          const variant = variantFor(found.variants, dtype, found.name);
          const fault = sizeFault(variant.files);
          if (fault === null) wanted.push({ id, dtype, found, variant });
          else refuse(id, [dtype], fault);
        } catch (error) {
          refuse(id, [dtype], toFault(error, 'model-load-failed', { model: id }));
        }
      }
    } catch (error) {
      refuse(id, dtypes, faultOrCancel(error, id));
    }
  }

  const need = await needOf(deps, host, wanted, signal);
  if (need.models.length > 0 && !(await request.agree(need))) {
    throw new LabError(signal.aborted ? 'cancelled' : 'download-declined');
  }

  const sources: Opened['sources'] = [];
  const progress = new Total(wanted, request.onProgress);
  for (const { id, dtype, found, variant } of wanted) {
    try {
      const files =
        found.listing === null
          ? found.files
          : await downloadFiles(deps, {
              ...{ host, listing: found.listing, files: variant.files, signal, onNotice },
              onProgress: (now) => {
                progress.update(found, now.files);
              },
            });
      const { kind, name, revision, parameters, config } = found;
      const openId = found.pinned;
      sources.push(await openSource({ id: openId, kind, name, revision, dtype, files, parameters, config }));
    } catch (error) {
      refuse(id, [dtype], faultOrCancel(error, id));
    }
  }
  return {
    sources,
    refused: refused.map((one) => ({ ...one, id: pinned.get(one.id) ?? one.id })),
    // A branch and its commit, both chosen, are one model.
    model: [...new Set(recipe.model.map((id) => pinned.get(id) ?? id))],
  };
}

/** @throws LabError cancelled: that ends everything, not one model. */
function faultOrCancel(error: unknown, model: string): Fault {
  const fault = toFault(error, 'model-load-failed', { model });
  if (fault.code === 'cancelled') throw new LabError('cancelled');
  return fault;
}

/** What has to be fetched: the variants of hub models that the browser does not have whole. */
async function needOf(
  deps: HubDeps,
  host: string,
  wanted: readonly Wanted[],
  signal: AbortSignal,
): Promise<DownloadNeed> {
  const stored = await listStored(deps, signal).catch(() => []);
  const models = wanted
    .filter(({ found }) => found.listing !== null)
    .map(({ id, dtype, found, variant }) => {
      const here = stored.find(
        (model) => model.host === host && model.repo === found.name && model.revision === found.revision,
      );
      const files = variant.files.map(({ path, bytes }) => ({
        path,
        bytes,
        stored: here?.files.some((file) => file.path === path && file.whole) ?? false,
      }));
      return { id, dtype, revision: found.revision, files };
    })
    .filter(({ files }) => files.some((file) => !file.stored));
  // Variants of one model share its small files.
  const missing = [
    ...new Map(
      models.flatMap(({ revision, files }) =>
        files.filter((file) => !file.stored).map((file) => [`${revision} ${file.path}`, file]),
      ),
    ).values(),
  ];
  const known = missing.every(({ bytes }) => bytes !== null);
  return { models, bytes: known ? missing.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) : null };
}

/** Progress over all variants; what is fetched later counts with its listed size, and a file of two variants once. */
class Total {
  private readonly files = new Map<string, DownloadProgress['files'][number]>();

  constructor(
    wanted: readonly Wanted[],
    private readonly publish: (progress: DownloadProgress) => void,
  ) {
    for (const { found, variant } of wanted) {
      if (found.listing === null) continue;
      for (const { path, bytes } of variant.files) {
        this.files.set(`${found.pinned} ${path}`, { path, done: 0, total: bytes });
      }
    }
  }

  update(
    { pinned }: LookedUp,
    files: readonly { path: string; bytes: number; total: number | null }[],
  ): void {
    for (const { path, bytes, total } of files) {
      this.files.set(`${pinned} ${path}`, { path, done: bytes, total });
    }
    const all = [...this.files.values()];
    const known = all.every(({ total }) => total !== null);
    this.publish({
      files: all,
      done: all.reduce((sum, { done }) => sum + done, 0),
      total: known ? all.reduce((sum, { total }) => sum + (total ?? 0), 0) : null,
    });
  }
}
