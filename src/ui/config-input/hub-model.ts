/** A model's config.json and the size of its weights, from the hub: two or three small files, asked for on a click. */
import { parseSafetensorsIndex } from '../../geometry/safetensors';
import { downloadFiles } from '../../model/hub/download';
import type { HubDeps } from '../../model/hub/deps';
import { parseHubId } from '../../model/hub/ids';
import { readListing, type HubListing } from '../../model/hub/listing';
import { cut } from '../../protocol/options';
import { LabError, toFault, type Fault } from '../../protocol/faults';
import type { InputModel, ReadModel } from './input-model';
import { readModelText } from './read-model';

const CONFIG = 'config.json';
const INDEX = 'model.safetensors.index.json';

export interface HubRequest {
  /** `owner/name[@revision]`. */
  id: string;
  host: string;
  signal: AbortSignal;
  onNotice: (fault: Fault) => void;
}

/** Asks the hub; what goes wrong is the fault's one sentence. Never rejects. */
export async function fetchHubModel(deps: HubDeps, request: HubRequest): Promise<ReadModel> {
  try {
    return await fetchModel(deps, request);
  } catch (error) {
    return { fault: toFault(error, 'model-load-failed', { model: request.id }), prefill: null };
  }
}

async function fetchModel(deps: HubDeps, { id, host, signal, onNotice }: HubRequest): Promise<ReadModel> {
  const ref = parseHubId(id);
  if (ref === null) throw new LabError('hub-bad-id', { id: cut(id.trim()) });
  const listing = await readListing(deps, host, ref, signal);
  const download = async (path: string): Promise<string> => {
    const files = listing.files.filter((file) => file.path === path);
    if (files.length === 0)
      throw new LabError('hub-file-missing', {
        file: path,
        where: `${host}/${listing.repo}@${listing.revision}`,
      });
    const blobs = await downloadFiles(deps, {
      ...{ host, listing, files, signal, onNotice },
      onProgress: () => undefined,
    });
    return (await blobs.get(path)?.text()) ?? '';
  };
  const text = await download(CONFIG);
  const weightBytes = await weightsOf(listing, download, signal);
  return readModelText(text, 'hub', {
    id: listing.repo,
    name: listing.repo,
    revision: listing.revision,
    parameters: listing.parameters,
    weightBytes,
  });
}

/** Bytes by the safetensors index, else the sizes of the safetensors files; null without any. */
async function weightsOf(
  { files }: HubListing,
  download: (path: string) => Promise<string>,
  signal: AbortSignal,
): Promise<InputModel['weightBytes']> {
  if (files.some(({ path }) => path === INDEX)) {
    try {
      return { bytes: parseSafetensorsIndex(JSON.parse(await download(INDEX))).bytes, source: INDEX };
    } catch (error) {
      if (signal.aborted) throw error;
      // A damaged index costs only its own number: the sizes of the files say nearly the same.
    }
  }
  const shards = files.filter(({ path }) => /^[^/]+\.safetensors$/.test(path));
  const sizes = shards.map(({ bytes }) => bytes);
  if (sizes.length === 0 || sizes.includes(null)) return null;
  const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return { bytes, source: shards.length === 1 ? (shards[0]?.path ?? '') : `${shards.length} x .safetensors` };
}
