/** A field for several lines. */
import { useId } from 'preact/hooks';

type Props = {
  label: string;
  rows: number;
  value: string;
  onText: (text: string) => void;
  isRequired?: boolean;
  maxLength?: number;
};

export const TextArea = ({ label, rows, value, onText, isRequired, maxLength }: Props) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        required={isRequired}
        maxLength={maxLength}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </div>
  );
};
