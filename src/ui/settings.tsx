/** The settings: closed at first, with what is set in the summary line. */
import { useEffect, useRef } from 'preact/hooks';
import { defaultRecipe, FLOAT16_DTYPES } from '../protocol/recipe';
import { useUi } from './context';
import { lazyPart } from './lazy-part';
import { isBusy } from './model-picker';
import { choiceText, OptionField } from './option-field';

const RedundancySettings = lazyPart(
  async () => (await import('./redundancy/settings')).RedundancySettings,
  'redundancy',
);

export function Settings() {
  const { tr, store, badFields, faultSentence } = useUi();
  const recipe = store.recipe.value;
  const probe = store.probe.value;
  const closed = isBusy(store.run.value.status);
  const growth = recipe.experiment === 'growth';
  const redundancy = recipe.experiment === 'redundancy';
  // In the comparison of dtypes float16 moves to WASM where the GPU lacks it.
  const lacksFloat16 =
    recipe.experiment !== 'dtype' &&
    recipe.device === 'webgpu' &&
    probe.adapter !== null &&
    !probe.features.includes('shader-f16');
  const refused: Partial<Record<string, string>> = lacksFloat16
    ? Object.fromEntries(
        FLOAT16_DTYPES.map((dtype) => [dtype, faultSentence({ code: 'fp16-unsupported', params: {} })]),
      )
    : {};
  const noGpu = probe.fault === null ? {} : { webgpu: faultSentence(probe.fault) };
  const trouble = badFields.value.size > 0 || recipe.dtype.some((dtype) => refused[dtype] !== undefined);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // Opened where something in them keeps Run closed; never closed under a person's hands.
    if (trouble && details.current !== null) details.current.open = true;
  }, [trouble]);
  const randomPrompt = growth && recipe.prompt === '';
  return (
    <details class="settings" ref={details}>
      <summary>
        <span class="summary-title">{tr('settings.title')}</span>
        <span class="summary-values">{useSummary()}</span>
      </summary>
      <fieldset class="fields" disabled={closed}>
        <legend class="visually-hidden">{tr('settings.title')}</legend>
        {growth && <OptionField name="prompt" help={tr('setting.prompt.help')} wide />}
        {(growth || recipe.experiment === 'batch') && (
          <OptionField name="steps" help={tr(growth ? 'setting.steps.help' : 'setting.steps.helpBatch')} />
        )}
        {redundancy && <RedundancySettings />}
        {!redundancy && (!growth || randomPrompt) && (
          <OptionField
            name="tokens"
            help={tr(growth ? 'setting.tokens.helpGrowth' : 'setting.tokens.help')}
            wide={!growth}
          />
        )}
        {!redundancy && <OptionField name="batch" help={tr('setting.batch.helpList')} />}
        <OptionField
          name="dtype"
          help={tr(redundancy ? 'setting.dtype.helpOne' : 'setting.dtype.helpVariants')}
          unavailable={refused}
          single={redundancy}
          wide
        />
        <OptionField name="device" help={tr('setting.device.help')} unavailable={noGpu} />
        <OptionField
          name="allocator"
          help={`${tr('setting.allocator.help')} ${tr(`allocator.${recipe.allocator}`)}`}
          closed={recipe.device === 'wasm' ? tr('allocator.unused') : null}
          wide
        />
        {!redundancy && (
          <OptionField
            name="policy"
            help={`${tr('setting.policy.help')} ${tr('setting.policy.statics')}`}
            wide
          />
        )}
        {recipe.policy === 'static' && (
          <>
            <OptionField name="room" help={tr('setting.room.help')} />
            <OptionField name="overflow" help={tr('setting.overflow.help')} />
          </>
        )}
        <OptionField name="chunk" help={tr('setting.chunk.help')} />
        <OptionField name="seed" help={tr('setting.seed.help')} />
        {!redundancy && <OptionField name="repeats" help={tr('setting.repeats.help')} />}
        <p class="field is-wide">
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              badFields.value = new Map();
              store.setRecipe({
                ...defaultRecipe(recipe.experiment),
                model: recipe.model,
                lang: recipe.lang,
              });
            }}
          >
            {tr('settings.reset')}
          </button>
        </p>
      </fieldset>
    </details>
  );
}

/** What is set, in one line. */
function useSummary(): string {
  const { tr, store, int } = useUi();
  const { experiment, tokens, prompt, steps, batch, dtype, device, allocator, repeats, redundancy, policy } =
    store.recipe.value;
  const lengths = `${tokens.slice(0, 6).map(int).join(', ')}${tokens.length > 6 ? ', …' : ''} ${tr('unit.tokens')}`;
  const start =
    redundancy !== undefined
      ? `${int(redundancy.documents.length)} × ${int(redundancy.keep)} ${tr('unit.tokens')}`
      : experiment !== 'growth'
        ? lengths
        : prompt === ''
          ? `${int(tokens[0] ?? 0)} ${tr('unit.tokens')}`
          : `“${prompt.slice(0, 24)}”`;
  const decoded = experiment === 'growth' || experiment === 'batch' ? ` + ${int(steps)}` : '';
  return [
    start + decoded,
    // Several variants by their short names: the line is short.
    dtype.length === 1 ? choiceText(tr, dtype[0] ?? '') : dtype.join(', '),
    ...(redundancy === undefined ? [`${tr('setting.batch')} ${batch.map(int).join(', ')}`] : []),
    ...(repeats > 1 ? [tr('settings.repeats', { repeats })] : []),
    choiceText(tr, device),
    ...(device === 'webgpu' ? [allocator] : []),
    ...(policy === 'dynamic' ? [] : [choiceText(tr, policy)]),
  ].join(' · ');
}
