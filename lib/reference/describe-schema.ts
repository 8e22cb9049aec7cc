/** Adds descriptions and examples to the JSON schemas of the OpenAPI document. */
import { listOf } from './error-words.ts';
import { glossary, words } from './glossary.ts';
import { schemaMeanings } from './schema-meanings.ts';

export type JsonSchema = { [word: string]: unknown };

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entry of a field in a table: that of the field around it or of its schema, if there is one, otherwise that of its name. */
const entryOf = <Entry>(
  table: Record<string, Entry>,
  path: readonly string[],
  field: string,
): Entry | undefined => {
  const around = [...path].reverse().find((name) => table[`${name}.${field}`]);
  return table[around ? `${around}.${field}` : field];
};

/** The words of an enumeration, also of one that may be null. */
const isEnumeration = (schema: JsonSchema): boolean =>
  'enum' in schema ||
  (Array.isArray(schema.anyOf) && schema.anyOf.some((each) => isSchema(each) && 'enum' in each));

const describeField = (path: readonly string[], field: string, schema: JsonSchema): JsonSchema => {
  const described = describeSchema([...path, field], schema);
  const [meaning, ...examples] = entryOf(glossary, path, field) ?? [];
  const description = described.description ?? meaning;
  const meanings = isEnumeration(schema) ? entryOf(words, path, field) : undefined;
  return {
    ...described,
    ...(description && { description: meanings ? `${description}:\n\n${listOf(meanings)}` : description }),
    ...(examples.length > 0 && !('examples' in described) && { examples }),
  };
};

/** A copy of a schema, in which all fields have a description and an example. `path`: the schema's name, and the fields that lead to it. */
export const describeSchema = (path: readonly string[], schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([word, value]) => {
      if (word === 'properties' && isSchema(value)) {
        const fields = Object.entries(value).map(([field, inner]) => [
          field,
          isSchema(inner) ? describeField(path, field, inner) : inner,
        ]);
        return [word, Object.fromEntries(fields)];
      }
      if (Array.isArray(value) && ['anyOf', 'allOf', 'oneOf'].includes(word))
        return [word, value.map((each) => (isSchema(each) ? describeSchema(path, each) : each))];
      if (['items', 'additionalProperties'].includes(word) && isSchema(value))
        return [word, describeSchema(path, value)];
      return [word, value];
    }),
  );

/** A copy of the schema of an object in which every field that has a default is required. */
export const requireDefaults = (schema: JsonSchema): JsonSchema => {
  if (!isSchema(schema.properties)) return schema;
  const required = Object.entries(schema.properties)
    .filter(([name, field]) => (isSchema(field) && 'default' in field) || isNamedIn(schema.required, name))
    .map(([name]) => name);
  return required.length > 0 ? { ...schema, required } : schema;
};

/** A copy of the schema of an object in which no field is required. */
export const requireNothing = ({ required: _, ...schema }: JsonSchema): JsonSchema => withoutDefaults(schema);

const withoutDefault = ({ default: value, ...schema }: JsonSchema): JsonSchema => {
  const inner = withoutDefaults(schema);
  const isSaid = value === undefined || value === null || value === '' || !schema.description;
  return isSaid
    ? inner
    : { ...inner, description: `${String(schema.description).replace(/\.$/, '')}. Default: \`${value}\`` };
};

/**
 * A copy of a schema in which the description of a field has its default, instead of the word `default`. Generators make a field with this
 * word one that is always there, so clients would have to send all fields.
 */
export const withoutDefaults = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([word, value]) => {
      if (word === 'properties' && isSchema(value)) {
        const fields = Object.entries(value).map(([name, field]) => [
          name,
          isSchema(field) ? withoutDefault(field) : field,
        ]);
        return [word, Object.fromEntries(fields)];
      }
      if (word === 'items' && isSchema(value)) return [word, withoutDefaults(value)];
      if (Array.isArray(value) && ['anyOf', 'allOf', 'oneOf'].includes(word))
        return [word, value.map((each) => (isSchema(each) ? withoutDefaults(each) : each))];
      return [word, value];
    }),
  );

const isNamedIn = (names: unknown, name: string): boolean => Array.isArray(names) && names.includes(name);

/** What a schema is, and the meanings of its words if it is an enumeration. */
const meaningOf = (name: string, schema: JsonSchema): string => {
  const meaning = String(schema.description ?? schemaMeanings[name]);
  const meanings = words[name];
  return meanings ? `${meaning}:\n\n${listOf(meanings)}` : meaning;
};

/** The components of the document, with descriptions and examples. */
export const describeSchemas = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { ...describeSchema([name], schema), description: meaningOf(name, schema) },
    ]),
  );

/** A parameter of an operation. */
export const describeParameter = (place: 'path' | 'query' | 'header', name: string, schema: JsonSchema) => {
  const [meaning, usual] = glossary[`${place}.${name}`] ?? glossary[name] ?? [];
  const { description = meaning ?? undefined, examples, ...rest } = schema;
  // A schema has its own example, or that of the fields with its name.
  const own = Array.isArray(examples) && !glossary[`${place}.${name}`] ? examples[0] : undefined;
  const example = own ?? usual;
  return {
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    schema: rest,
  };
};
