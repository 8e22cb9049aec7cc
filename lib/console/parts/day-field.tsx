/** A field for a day that is in the address. */
import { isWholeDay } from '../day-in-address.ts';
import { useAddressText } from '../hooks.ts';
import { TextField } from './field.tsx';

type Props = {
  label: string;
  class?: string;
  value: string;
  max?: string;
  /** Empty: the field was cleared. */
  onDay: (day: string) => void;
};

/** The day goes into the address when the person stops typing: each digit would be a step of the way back. */
export const DayField = ({ onDay, value, ...field }: Props) => {
  const [text, setText] = useAddressText(value, (typed) => {
    if (typed === '' || isWholeDay(typed)) onDay(typed);
  });
  return <TextField type="date" value={text} onText={setText} {...field} />;
};
