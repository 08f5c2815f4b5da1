/** “How this is measured” of the policies experiment. */
import { useUi } from '../context';
import { HowBody } from '../how-body';

export function PoliciesHow() {
  const { tr } = useUi<'policies' | 'report'>();
  return (
    <>
      <p>{tr('policies.how')}</p>
      <HowBody />
    </>
  );
}
