/** A field for a place, which finds places while a person types. */
import { useId } from 'preact/hooks';
import type { LocationList } from '../../model/place.ts';
import { useLoaded, useSettled } from '../hooks.ts';
import { call } from '../session.ts';
import { TextField } from './field.tsx';

type Props = {
  value: string;
  /** `iso_code`: the country of a place that was chosen from the list; undefined: none was. */
  onPlace: (name: string, iso_code: string | undefined) => void;
  isRequired?: boolean;
  hint?: string;
};

export const PlaceField = ({ value, onPlace, isRequired = false, hint }: Props) => {
  const list = useId();
  const query = useSettled(value);
  const { data } = useLoaded(query.trim().length > 1 ? `places/${query}` : null, (signal) =>
    call<LocationList>(`api/v1/common/locations?q=${encodeURIComponent(query.trim())}`, { signal }),
  );
  const places = data?.items ?? [];
  return (
    <>
      <TextField
        label="Place"
        value={value}
        onText={(name) => onPlace(name, places.find((each) => each.name === name)?.iso_code)}
        list={list}
        isRequired={isRequired}
        hint={hint}
      />
      <datalist id={list}>
        {places.map(({ name, kind }) => (
          <option key={name} value={name}>
            {kind}
          </option>
        ))}
      </datalist>
    </>
  );
};
