/** An exact number that can be copied by pressing it. */
import { formatInteger } from '../protocol/format';
import { useUi } from './context';
import { useCopy, useFlash } from './hooks';

interface Props {
  /** A whole number, shown with thousands separators and copied without. */
  value: number;
  /** What else is shown instead of the number itself, for instance a ratio. */
  text?: string;
}

export function Exact({ value, text }: Props) {
  const { tr, language } = useUi();
  const copy = useCopy();
  const [copied, flash] = useFlash(1500);
  const plain = text ?? String(value);
  const onClick = () => {
    void copy(plain).then((done) => {
      if (done) flash();
    });
  };
  return (
    <button
      type="button"
      class={copied ? 'exact is-copied' : 'exact'}
      title={tr('copy.value', { value: plain })}
      onClick={onClick}
    >
      {text ?? formatInteger(value, language)}
      <span class="exact-copied" aria-hidden="true">
        {copied ? tr('copy.done') : ''}
      </span>
    </button>
  );
}
