/** The fields of config.json that a number follows from. */
import type { Geometry } from '../../geometry/geometry';
import { useUi } from '../context';

export function ConfigFields({ geometry }: { geometry: Geometry }) {
  const { tr } = useUi<'architecture'>();
  const fields = (geometry.fields ?? []).filter(({ value }) => value !== null);
  if (fields.length === 0) return null;
  return (
    <>
      <p class="hint">{tr('arch.how.fields')}</p>
      <ul class="derivation-fields">
        {fields.map(({ name, value }) => (
          <li key={name}>
            <code>
              {name} = {String(value)}
            </code>
          </li>
        ))}
      </ul>
    </>
  );
}
