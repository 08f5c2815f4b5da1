/** Finds a model from outside: its files, its config.json and the variants of its weights, before anything large is downloaded. */
import { downloadFiles } from '../model/hub/download';
import type { HubDeps } from '../model/hub/deps';
import { parseHubId } from '../model/hub/ids';
import { readListing, type HubListing } from '../model/hub/listing';
import { readConfig } from '../model/hub/open-source';
import { variantsOf, type HubVariant } from '../model/hub/variants';
import { LabError, type Fault } from '../protocol/faults';
import { localModels } from './local-models';

/** A model from outside as far as its small files tell. */
export interface LookedUp {
  kind: 'hub' | 'local';
  /** The id with its commit, `owner/name@<40 hex>`; a folder's own. */
  pinned: string;
  /** `owner/name`, or the folder's name. */
  name: string;
  revision: string;
  /** Null for a folder. */
  listing: HubListing | null;
  parameters: number | null;
  config: unknown;
  /** Most exact first, at least one. */
  variants: HubVariant[];
  /** A folder's files; of a hub model only config.json. */
  files: ReadonlyMap<string, Blob>;
}

export interface LookUpRequest {
  id: string;
  host: string;
  signal: AbortSignal;
  onNotice: (fault: Fault) => void;
}

/**
 * Looks a model up: on the hub by its file list and config.json (from storage when the hub is not reached), or among the
 * folders that were given to this page.
 * @throws LabError recipe-unknown-model, local-needs-folder, hub-*, config-not-json, model-encoder-decoder, cancelled.
 */
export async function lookUp(deps: HubDeps, request: LookUpRequest): Promise<LookedUp> {
  return request.id.startsWith('local:') ? await lookUpFolder(request.id) : await lookUpHub(deps, request);
}

async function lookUpFolder(id: string): Promise<LookedUp> {
  const model = localModels.peek().get(id);
  if (model === undefined) throw new LabError('local-needs-folder', { folder: id.replace(/^local:/, '') });
  const config = await readConfig(model.files, model.folder);
  return {
    kind: 'local',
    pinned: id,
    name: model.folder,
    revision: 'local',
    listing: null,
    parameters: null,
    config,
    variants: variantsOf(model.listing, config),
    files: model.files,
  };
}

async function lookUpHub(deps: HubDeps, { id, host, signal, onNotice }: LookUpRequest): Promise<LookedUp> {
  const ref = parseHubId(id);
  if (ref === null) throw new LabError('recipe-unknown-model', { model: id, known: 'owner/name[@revision]' });
  const listing = await readListing(deps, host, ref, signal);
  const small = listing.files.filter(({ path }) => path === 'config.json');
  const files = await downloadFiles(deps, {
    ...{ host, listing, files: small, signal, onNotice },
    onProgress: () => undefined,
  });
  const config = await readConfig(files, listing.repo);
  return {
    kind: 'hub',
    pinned: `${listing.repo}@${listing.revision}`,
    name: listing.repo,
    revision: listing.revision,
    listing,
    parameters: listing.parameters,
    config,
    variants: variantsOf(listing.files, config),
    files,
  };
}
