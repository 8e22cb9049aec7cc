/** The fields of a request body that its schema does not have (Reading 29). */
import type * as v from 'valibot';
import { fields } from './scalar.ts';

/** As `fields`. The output also has the names of the fields that the schema does not have, if any. */
export const withUnknownFields = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const schema = fields(entries);
  type Output = v.InferOutput<typeof schema> & { unknown_fields?: string[] };
  const named = {
    ...schema,
    '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) => {
      const { value } = dataset;
      const result = schema['~run'](dataset, config);
      const names =
        typeof value === 'object' && value !== null
          ? Object.keys(value).filter((name) => !Object.hasOwn(entries, name))
          : [];
      if (result.typed && names.length > 0) Object.assign(result.value, { unknown_fields: names });
      return result;
    },
  };
  return named as v.GenericSchema<v.InferInput<typeof schema>, Output>;
};
