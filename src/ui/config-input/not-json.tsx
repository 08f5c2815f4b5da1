/** Says that a text is no JSON; where it names a repository, says so and leads to the hub. */
import { hubHost } from '../../lab/hub-host';
import { useUi } from '../context';
import { namedRepository } from './named-repository';

export function NotJson({ text, onHub }: { text: string; onHub: (id: string) => void }) {
  const { tr } = useUi<'input'>();
  const id = namedRepository(text, hubHost());
  if (id === null) return <p>{tr('input.notJson')}</p>;
  return (
    <>
      <p>{tr('input.notJsonId', { id })}</p>
      <p>
        <button
          type="button"
          class="button"
          onClick={() => {
            onHub(id);
          }}
        >
          {tr('input.toHub', { id })}
        </button>
      </p>
    </>
  );
}
