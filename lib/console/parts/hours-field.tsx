/** The field for the hours between two crawls. */
import { TextField } from './field.tsx';

type Props = { value: string; onText: (text: string) => void; hint?: string };

export const HoursField = ({ value, onText, hint }: Props) => (
  <TextField
    class="narrow"
    label="Hours between crawls"
    type="number"
    min={1}
    max={720}
    value={value}
    onText={onText}
    hint={hint}
  />
);
