/** The fields of a request body that its schema does not have (Reading 29). */
import type * as v from 'valibot';
import { fields } from './scalar.ts';

const unknownIn = (value: unknown, entries: object): string[] =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).filter((name) => !Object.hasOwn(entries, name))
    : [];

/** As `unknownIn`, for the objects of a list. */
const unknownInList = (name: string, value: unknown, entries: object): string[] => {
  const items = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : [];
  return (Array.isArray(items) ? items : []).flatMap((each) =>
    unknownIn(each, entries).map((field) => `${name}[].${field}`),
  );
};

/**
 * As `fields`. The output also has the names of the fields that the schema does not have, if any. `lists`:
 * fields that are lists of objects, with the fields of these.
 */
export const withUnknownFields = <const Entries extends v.ObjectEntries>(
  entries: Entries,
  lists: Record<string, object> = {},
) => {
  const schema = fields(entries);
  type Output = v.InferOutput<typeof schema> & { unknown_fields?: string[] };
  const named = {
    ...schema,
    '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) => {
      const { value } = dataset;
      const result = schema['~run'](dataset, config);
      const names = new Set([
        ...unknownIn(value, entries),
        ...Object.entries(lists).flatMap(([name, inner]) => unknownInList(name, value, inner)),
      ]);
      if (result.typed && names.size > 0) Object.assign(result.value, { unknown_fields: [...names] });
      return result;
    },
  };
  return named as v.GenericSchema<v.InferInput<typeof schema>, Output>;
};
