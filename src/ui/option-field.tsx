/** One form control, built from the options table: the same limits as in a link, the same words when a value is refused. */
import { useSignal } from '@preact/signals';
import { OPTIONS, parseOption } from '../protocol/options';
import type { Recipe } from '../protocol/recipe';
import type { TextKey } from '../i18n';
import { useUi } from './context';

export type FieldKey = Exclude<
  keyof Recipe,
  'experiment' | 'model' | 'lang' | 'shard' | 'capacity' | 'redundancy' | 'policies' | 'serving'
>;

interface Props {
  name: FieldKey;
  help: string;
  /** Choices that cannot be taken here, each with its reason. */
  unavailable?: Partial<Record<string, string>>;
  /** Why the whole control is closed; null when it is open. */
  closed?: string | null;
  wide?: boolean;
  /** One of the choices instead of several. */
  single?: boolean;
}

export function OptionField({
  name,
  help,
  unavailable = {},
  closed = null,
  wide = false,
  single = false,
}: Props) {
  const { tr, store, badFields, faultSentence } = useUi();
  const committed = OPTIONS[name].serialise(store.recipe.value[name] as never).join('');
  // What is being typed, kept as it is as long as it belongs to the committed value.
  const draft = useSignal<{ text: string; of: string } | null>(null);
  const text = draft.value?.of === committed ? draft.value.text : committed;
  const fault = badFields.value.get(name) ?? null;

  const enter = (typed: string) => {
    const { value, fault: refused } = parseOption(name, [typed]);
    const others = new Map(badFields.value);
    others.delete(name);
    if (refused !== null) others.set(name, refused);
    badFields.value = others;
    draft.value = {
      text: typed,
      of: refused === null ? OPTIONS[name].serialise(value as never).join('') : committed,
    };
    if (refused === null) store.setRecipe({ [name]: value });
  };

  const id = `setting-${name}`;
  const reasons = [...new Set([closed, ...Object.values(unavailable)])].filter((reason) => reason != null);
  const shared = {
    id,
    name,
    disabled: closed !== null,
    'aria-describedby': `${id}-help`,
    'aria-invalid': fault !== null,
    onInput: (event: { currentTarget: { value: string } }) => {
      enter(event.currentTarget.value);
    },
    onBlur: () => {
      if (fault === null) draft.value = null;
    },
  };
  const below = (
    <>
      <p class="hint" id={`${id}-help`}>
        {help}
        {reasons.map((reason) => (
          <span key={reason} class="reason">
            {' '}
            {reason}
          </span>
        ))}
      </p>
      {fault !== null && (
        <p class="field-error" role="alert">
          {text === '' ? tr('setting.chooseOne') : faultSentence(fault)}
        </p>
      )}
    </>
  );
  const { form } = OPTIONS[name];
  const layout = wide ? 'field is-wide' : 'field';
  if (form.control === 'choices') {
    const chosen = text.split(',').filter((value) => value !== '');
    return (
      <fieldset class={layout} aria-describedby={`${id}-help`} disabled={closed !== null}>
        <legend>{tr(`setting.${name}`)}</legend>
        <div class="checks">
          {offered(form.values, chosen).map((value) => {
            const on = chosen.includes(value);
            return (
              <label key={value} class="check">
                <input
                  type={single ? 'radio' : 'checkbox'}
                  name={name}
                  value={value}
                  checked={on}
                  // What was chosen can always be taken back.
                  disabled={unavailable[value] !== undefined && !on}
                  aria-invalid={fault !== null}
                  onChange={(event) => {
                    const now = event.currentTarget.checked;
                    if (single) enter(value);
                    else
                      enter(
                        form.values.filter((one) => (one === value ? now : chosen.includes(one))).join(','),
                      );
                  }}
                />
                {choiceText(tr, value)}
                {unavailable[value] !== undefined && <span class="muted"> · {tr('choice.unavailable')}</span>}
              </label>
            );
          })}
        </div>
        {below}
      </fieldset>
    );
  }
  return (
    <div class={layout}>
      <label for={id}>{tr(`setting.${name}`)}</label>
      <Control name={name} text={text} shared={shared} unavailable={unavailable} />
      {below}
    </div>
  );
}

/** Variants that are rarely met are offered only where they are chosen already, for instance by a link. */
const RARE: readonly string[] = ['int8', 'uint8', 'bnb4', 'q2', 'q2f16', 'q1', 'q1f16'];

function offered(values: readonly string[], chosen: readonly string[]): string[] {
  return values.filter((value) => !RARE.includes(value) || chosen.includes(value));
}

interface ControlProps {
  name: FieldKey;
  text: string;
  shared: Record<string, unknown>;
  unavailable: Partial<Record<string, string>>;
}

function Control({ name, text, shared, unavailable }: ControlProps) {
  const { tr } = useUi();
  const { form } = OPTIONS[name];
  switch (form.control) {
    case 'select':
      return (
        <select {...shared} value={text}>
          {form.values.map((value) => (
            <option key={value} value={value} disabled={unavailable[value] !== undefined}>
              {choiceText(tr, value)}
              {unavailable[value] === undefined ? '' : ` · ${tr('choice.unavailable')}`}
            </option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          inputMode="numeric"
          min={form.min}
          max={form.max}
          step={1}
          value={text}
        />
      );
    case 'text':
      return <input {...shared} type="text" value={text} />;
    case 'list':
    case 'choices':
    case 'models':
      // No numeric keyboard: on phones it has no comma.
      return <input {...shared} type="text" autocomplete="off" spellcheck={false} value={text} />;
  }
}

const CHOICES = [
  'fp32',
  'fp16',
  'bf16',
  'q8',
  'q4',
  'q4f16',
  'dynamic',
  'static',
  'quantised',
  'paged',
  '8',
  '4',
  'refuse',
  'move',
  'webgpu',
  'wasm',
  'bucket',
  'simple',
  'lazyRelease',
  'disabled',
] as const satisfies readonly string[];

/** The name of a choice where the catalog has one; a choice that is newer than the catalog shows as it is written. */
export function choiceText(tr: (key: TextKey) => string, value: string): string {
  const known = CHOICES.find((choice) => choice === value);
  return known === undefined ? value : tr(`choice.${known}`);
}
