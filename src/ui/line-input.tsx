/** One line of text and the button that sends it; stands in a form, below its label. */

interface Props {
  id: string;
  value: string;
  onType: (text: string) => void;
  /** The button's word. */
  button: string;
  /** Whether what was typed was refused; left out where the field's form does not say so. */
  invalid?: boolean;
  placeholder?: string;
  /** Id of the datalist with what can be chosen. */
  list?: string;
  inputMode?: 'url';
  class?: string;
  testId?: string;
}

/** Is described by the element with the id `{id}-help`. */
export function LineInput({ id, value, onType, button, invalid, testId, ...rest }: Props) {
  return (
    <div class="hub-line">
      <input
        id={id}
        data-testid={testId}
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby={`${id}-help`}
        aria-invalid={invalid}
        value={value}
        onInput={(event) => {
          onType(event.currentTarget.value);
        }}
        {...rest}
      />
      <button type="submit" class="button">
        {button}
      </button>
    </div>
  );
}
