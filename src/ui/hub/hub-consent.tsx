/** The place of the question before a download; what asks it is loaded when there is something to ask. */
import { useUi } from '../context';
import { lazyPart } from '../lazy-part';

const Consent = lazyPart(async () => (await import('./consent')).Consent);

export function HubConsent() {
  const { store } = useUi();
  return store.run.value.status === 'asking' ? <Consent /> : null;
}
