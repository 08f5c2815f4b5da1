/** “How this is measured” of the serving experiment. */
import { useUi } from '../context';

export function ServingHow() {
  const { tr } = useUi<'serving' | 'report'>();
  return <p>{tr('serving.how')}</p>;
}
