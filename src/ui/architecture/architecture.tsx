/** The section for any config.json: which model, and what its cache takes. Only its frame is part of the first paint. */
import { useSignal } from '@preact/signals';
import { ConfigInput, type InputModel } from '../config-input/config-input';
import { useUi } from '../context';
import { lazyPart } from '../lazy-part';

const Result = lazyPart<{ model: InputModel }>(
  async () => (await import('./architecture-result')).ArchitectureResult,
  'architecture',
  'input',
);

export function Architecture() {
  const { tr } = useUi();
  const model = useSignal<InputModel | null>(null);
  return (
    <section class="calculator" id="calculator" aria-labelledby="calculator-title">
      <p class="eyebrow">{tr('calc.title')}</p>
      <h2 id="calculator-title">{tr('calc.question')}</h2>
      <ConfigInput
        onModel={(read) => {
          model.value = read;
        }}
        onClear={() => {
          model.value = null;
        }}
      >
        {model.value !== null && <Result model={model.value} />}
      </ConfigInput>
    </section>
  );
}
