/** What is under "Other models": the list to search, a free id, a folder, the hub's address, and what is stored. */
import { AddFolder } from './add-folder';
import { AddById } from './add-by-id';
import { HubAddress } from './hub-address';
import { SearchCurated } from './search-curated';
import { StoredModels } from './stored-models';
import { useHubUi } from './text';

export function OtherModels() {
  const { hub } = useHubUi();
  return (
    <div class="hub-panel">
      <p class="hint">{hub('hub.lead')}</p>
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
