/** The settings: closed at first, with what is set in the summary line. */
import { useEffect, useRef } from 'preact/hooks';
import { knownOptions } from '../protocol/options';
import { defaultRecipe, FLOAT16_DTYPES, OF_ONE_MODEL, type Recipe } from '../protocol/recipe';
import type { TextKey } from '../i18n';
import { useUi } from './context';
import { lazyPart } from './lazy-part';
import { isBusy } from './model-picker';
import { choiceText, OptionField } from './option-field';

const RedundancySettings = lazyPart(
  async () => (await import('./redundancy/settings')).RedundancySettings,
  'redundancy',
);

const PoliciesSettings = lazyPart(
  async () => (await import('./policies/settings')).PoliciesSettings,
  'policies',
);
const ServingSettings = lazyPart(async () => (await import('./serving/settings')).ServingSettings, 'serving');
/** What the chosen cache policy is set by. */
const PolicyFields = lazyPart(
  async () => (await import('./policies/policy-fields')).PolicyFields,
  'policies',
);

export function Settings() {
  const { tr, store, badFields, faultSentence } = useUi();
  const recipe = store.recipe.value;
  const probe = store.probe.value;
  const closed = isBusy(store.run.value.status);
  const growth = recipe.experiment === 'growth';
  const known = knownOptions(recipe.experiment);
  const has = (option: keyof Recipe) => known.includes(option);
  const single = OF_ONE_MODEL.includes(recipe.experiment);
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
        {recipe.experiment === 'redundancy' && <RedundancySettings />}
        {recipe.experiment === 'policies' && <PoliciesSettings />}
        {recipe.experiment === 'serving' && <ServingSettings />}
        {has('tokens') && (!growth || randomPrompt) && (
          <OptionField
            name="tokens"
            help={tr(growth ? 'setting.tokens.helpGrowth' : 'setting.tokens.help')}
            wide={!growth}
          />
        )}
        {STEPS_HELP[recipe.experiment] !== undefined && (
          <OptionField name="steps" help={tr(STEPS_HELP[recipe.experiment] ?? 'setting.steps.help')} />
        )}
        {has('batch') && <OptionField name="batch" help={tr('setting.batch.helpList')} />}
        <OptionField
          name="dtype"
          help={tr(single ? 'setting.dtype.helpOne' : 'setting.dtype.helpVariants')}
          unavailable={refused}
          single={single}
          wide
        />
        <OptionField name="device" help={tr('setting.device.help')} unavailable={noGpu} />
        {has('allocator') && (
          <OptionField
            name="allocator"
            help={`${tr('setting.allocator.help')} ${tr(`allocator.${recipe.allocator}`)}`}
            closed={recipe.device === 'wasm' ? tr('allocator.unused') : null}
            wide
          />
        )}
        {has('policy') && (
          <OptionField
            name="policy"
            help={`${tr('setting.policy.help')} ${tr(`policy.${recipe.policy}`)}`}
            wide
          />
        )}
        {recipe.policy !== 'dynamic' && <PolicyFields policy={recipe.policy} />}
        {has('chunk') && <OptionField name="chunk" help={tr('setting.chunk.help')} />}
        <OptionField name="seed" help={tr('setting.seed.help')} />
        {has('repeats') && <OptionField name="repeats" help={tr('setting.repeats.help')} />}
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

/** Experiments that decode, and how their steps are explained. */
const STEPS_HELP: Partial<Record<Recipe['experiment'], TextKey>> = {
  growth: 'setting.steps.help',
  batch: 'setting.steps.helpBatch',
  policies: 'setting.steps.helpEach',
};

/** What is set, in one line. */
function useSummary(): string {
  const { tr, store, int } = useUi();
  const recipe = store.recipe.value;
  const { experiment, tokens, prompt, steps, batch, dtype, device, allocator, repeats, policy } = recipe;
  const { redundancy, policies, serving } = recipe;
  const lengths = `${tokens.slice(0, 6).map(int).join(', ')}${tokens.length > 6 ? ', …' : ''} ${tr('unit.tokens')}`;
  const start =
    redundancy !== undefined
      ? `${int(redundancy.documents.length)} × ${int(redundancy.keep)} ${tr('unit.tokens')}`
      : serving !== undefined
        ? `${int(serving.requests)} · ${int(serving.pool)} ${tr('unit.tokens')}`
        : experiment !== 'growth'
          ? lengths
          : prompt === ''
            ? `${int(tokens[0] ?? 0)} ${tr('unit.tokens')}`
            : `“${prompt.slice(0, 24)}”`;
  const decoded = STEPS_HELP[experiment] === undefined ? '' : ` + ${int(steps)}`;
  const several = redundancy === undefined && serving === undefined;
  return [
    start + decoded,
    // Several variants by their short names: the line is short.
    dtype.length === 1 ? choiceText(tr, dtype[0] ?? '') : dtype.join(', '),
    ...(several ? [`${tr('setting.batch')} ${batch.map(int).join(', ')}`] : []),
    ...(repeats > 1 ? [tr('settings.repeats', { repeats })] : []),
    choiceText(tr, device),
    ...(policies === undefined ? [] : [policies.policies.join(', ')]),
    ...(device !== 'webgpu' || serving !== undefined
      ? []
      : [policies === undefined ? allocator : policies.allocators.join(', ')]),
    ...(policy === 'dynamic' ? [] : [choiceText(tr, policy)]),
  ].join(' · ');
}
