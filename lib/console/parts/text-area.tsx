/** A field for several lines. */
import { useId } from 'preact/hooks';

type Props = { label: string; rows: number; value: string; onText: (text: string) => void };

export const TextArea = ({ label, rows, value, onText }: Props) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea id={id} rows={rows} value={value} onInput={(event) => onText(event.currentTarget.value)} />
    </div>
  );
};
