/**
 * The schemas of the OpenAPI document in words that generators of clients read. What they accept stays the
 * same. `npm run test:reference` makes clients with these generators.
 */
import { isSchema, type JsonSchema, nameIn } from './schemas.ts';

/** The words of a schema whose values are data, not schemas. */
const dataWords = ['const', 'default', 'enum', 'example', 'examples', 'x-default'];

const isNull = (schema: unknown): boolean => isSchema(schema) && schema.type === 'null';

/**
 * A value or null, as a list of two types: generators read it as one type. Two kinds of schemas stay a
 * choice: those without a type of their own, and numbers of a list, because oapi-codegen has no name for the
 * null among these.
 */
const nullableInOneType = (schema: JsonSchema): JsonSchema => {
  const { anyOf, ...outer } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1]) || !isSchema(anyOf[0])) return schema;
  const { type, enum: words, ...inner } = anyOf[0];
  if (typeof type !== 'string' || (words && type !== 'string')) return schema;
  return {
    type: [type, 'null'],
    ...(Array.isArray(words) && { enum: [...words, null] }),
    ...inner,
    ...outer,
  };
};

/**
 * An integer that may need more than 32 bits says so. An enumeration has no bounds beside its values, and the
 * names of an object need no type, because they are always strings.
 */
const withExactNumbers = (schema: JsonSchema): JsonSchema => {
  const { minimum, maximum, propertyNames, ...rest } = schema;
  const bounds = schema.enum
    ? {}
    : { ...('minimum' in schema && { minimum }), ...('maximum' in schema && { maximum }) };
  const isInteger =
    schema.type === 'integer' || (Array.isArray(schema.type) && schema.type.includes('integer'));
  const isLong = isInteger && !schema.enum && maximum === undefined;
  const isText =
    isSchema(propertyNames) && propertyNames.type === 'string' && Object.keys(propertyNames).length === 1;
  return {
    ...rest,
    ...(isLong && { format: 'int64' }),
    ...bounds,
    ...('propertyNames' in schema && !isText && { propertyNames }),
  };
};

/**
 * A choice between two named objects, such as the results of a search with and without a domain: a value is
 * one or the other. typescript-fetch would make one object of both. The fields that a request names are no
 * other object, because all of them are the whole one.
 */
const eitherObject = (schema: JsonSchema): JsonSchema => {
  const { anyOf, ...outer } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const [first, second] = anyOf.filter((each) => !isNull(each));
  // A choice between a choice and null is one of all three.
  if (isSchema(first) && Array.isArray(first.oneOf))
    return { oneOf: [...first.oneOf, ...anyOf.slice(1)], ...outer };
  const names = [first, second].map((each) => (isSchema(each) ? nameIn(each) : ''));
  const areObjects = anyOf.length === 2 && names.every(Boolean) && names[1] !== `${names[0]}Fields`;
  return areObjects ? { oneOf: anyOf, ...outer } : schema;
};

const simplified = (schema: JsonSchema): JsonSchema =>
  withExactNumbers(eitherObject(nullableInOneType(schema)));

/**
 * A part of the document, with each of its schemas in these words. `areNames`: its keys are names of fields.
 */
export const forGenerators = <Part>(part: Part, areNames = false): Part => {
  if (Array.isArray(part)) return part.map((each) => forGenerators(each)) as Part;
  if (!isSchema(part)) return part;
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    !areNames && dataWords.includes(key) ? value : forGenerators(value, !areNames && key === 'properties'),
  ]);
  const copy: JsonSchema = Object.fromEntries(entries);
  return (areNames ? copy : simplified(copy)) as Part;
};
