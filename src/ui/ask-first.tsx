/** A button that asks before it does what cannot be undone. */
import { useSignal } from '@preact/signals';

interface Props {
  label: string;
  question: string;
  yes: string;
  no: string;
  testId: string;
  onYes: () => void;
}

export function AskFirst({ label, question, yes, no, testId, onYes }: Props) {
  const asking = useSignal(false);
  if (!asking.value) {
    return (
      <button
        type="button"
        class="button"
        data-testid={testId}
        onClick={() => {
          asking.value = true;
        }}
      >
        {label}
      </button>
    );
  }
  return (
    <span class="buttons ask-first" role="group" aria-label={label}>
      <span>{question}</span>
      <button
        type="button"
        class="button"
        onClick={() => {
          asking.value = false;
          onYes();
        }}
      >
        {yes}
      </button>
      <button
        type="button"
        class="button"
        // The safe answer has the focus.
        ref={(button) => button?.focus()}
        onClick={() => {
          asking.value = false;
        }}
      >
        {no}
      </button>
    </span>
  );
}
