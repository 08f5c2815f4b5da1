/** What is under "Other models": twins of the catalogue, the list to search, a free id, a folder, the hub's address, and what is stored. */
import { lazyPart } from '../lazy-part';
import { AddFolder } from './add-folder';
import { AddById } from './add-by-id';
import { HubAddress } from './hub-address';
import { SearchCurated } from './search-curated';
import { StoredModels } from './stored-models';
import { useHubUi } from './text';

const TwinSearch = lazyPart(async () => (await import('./twin-search')).TwinSearch, 'input');

export function OtherModels() {
  const { hub } = useHubUi();
  return (
    <div class="hub-panel">
      <TwinSearch waiting={<p class="muted">…</p>} />
      <div>
        <p class="hub-label">{hub('hub.title')}</p>
        <p class="hint">{hub('hub.lead')}</p>
      </div>
      <div class="hub-ways">
        <SearchCurated />
        <div class="hub-side">
          <AddById />
          <AddFolder />
          <HubAddress />
        </div>
      </div>
      <StoredModels />
    </div>
  );
}
