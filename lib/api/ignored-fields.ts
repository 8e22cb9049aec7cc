/** The fields of a body that its schema does not have (Reading 29). */

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inEntries = (
  entries: Record<string, unknown>,
  value: Record<string, unknown>,
  path: string,
): string[] => [
  ...Object.keys(value)
    .filter((name) => !Object.hasOwn(entries, name))
    .map((name) => path + name),
  ...Object.entries(entries).flatMap(([name, schema]) =>
    Object.hasOwn(value, name) ? namesIn(schema, value[name], `${path}${name}.`) : [],
  ),
];

const namesIn = (schema: unknown, value: unknown, path: string): string[] => {
  if (!isObject(schema)) return [];
  if ('wrapped' in schema) return namesIn(schema.wrapped, value, path);
  if (isObject(schema.entries)) return isObject(value) ? inEntries(schema.entries, value, path) : [];
  // The checks of a list come before the schema of its items, so each part of a pipe is asked.
  const parts = Array.isArray(schema.pipe) ? schema.pipe : [schema];
  const items = parts.filter((part) => isObject(part) && 'item' in part).map(({ item }) => item);
  if (!Array.isArray(value)) return [];
  const inside = path.replace(/\.$/, '[].');
  return items.flatMap((item) => value.flatMap((each) => namesIn(item, each, inside)));
};

/**
 * Returns the names of the fields of a body that `schema` does not have, each once: `loc`, `alerts.size`,
 * `rules[].size`. A schema that is a choice of several, or that is not an object or a list, has none.
 */
export const ignoredFields = (schema: unknown, value: unknown): string[] => [
  ...new Set(namesIn(schema, value, '')),
];
