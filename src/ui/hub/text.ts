/** The texts of hub models, in the page's language. They come with these parts, so that the first paint has none of them. */
import { enHub, type HubTextKey } from '../../i18n/en-hub';
import { koHub } from '../../i18n/ko-hub';
import { fillSentence } from '../../protocol/faults';
import { useUi } from '../context';

/** As `useUi`, with `hub` for the texts of hub models. */
export function useHubUi() {
  const ui = useUi();
  const texts = ui.language === 'ko' ? koHub : enHub;
  return {
    ...ui,
    hub: (key: HubTextKey, params: Record<string, string | number> = {}) => fillSentence(texts[key], params),
  };
}
