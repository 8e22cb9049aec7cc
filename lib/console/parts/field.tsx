/** Form fields with their labels. */
import type { ComponentChildren, InputHTMLAttributes, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';

type Common = { label: string; hint?: string | undefined; class?: string };

type TextProps = Common & {
  value: string;
  onText: (text: string) => void;
  type?: 'text' | 'password' | 'number' | 'search' | 'date';
  name?: string;
  /** The id of a datalist. */
  list?: string;
  autocomplete?: string;
  isRequired?: boolean;
  maxLength?: number;
  /** Whether the text has no white space. Pasted words have some around them, and phones add it. */
  isWord?: boolean;
  min?: number;
  max?: number | string;
};

export const TextField = (props: TextProps) => {
  const { label, hint, onText, class: name = '', isRequired, isWord = false, maxLength, ...input } = props;
  const id = useId();
  const change = (field: HTMLInputElement) => {
    if (!isWord) return onText(field.value);
    const typed = field.value.trim();
    const word = typed.slice(0, maxLength);
    // White space stays in the field: whoever types is not disturbed.
    if (word !== typed) field.value = word;
    onText(word);
  };
  const attributes = {
    type: 'text',
    autocomplete: 'off',
    spellcheck: false,
    ...input,
    id,
    required: isRequired,
    // The browser would cut off a word that is pasted with white space before it.
    maxLength: isWord ? undefined : maxLength,
    'aria-describedby': hint ? `${id}-hint` : undefined,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => change(event.currentTarget),
  } as InputHTMLAttributes;
  return (
    <div class={`field ${name}`}>
      <label for={id}>{label}</label>
      <input {...attributes} />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

type SelectProps = Common & {
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoice: (value: string) => void;
};

export const SelectField = ({ label, hint, value, options, onChoice, class: name = '' }: SelectProps) => {
  const id = useId();
  return (
    <div class={`field ${name}`}>
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
      </select>
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
};

type CheckProps = { label: ComponentChildren; isChecked: boolean; onCheck: (isChecked: boolean) => void };

export const CheckField = ({ label, isChecked, onCheck }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={isChecked} onChange={(event) => onCheck(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);
