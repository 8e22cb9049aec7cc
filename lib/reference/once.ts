/**
 * Ends repetitions in the OpenAPI document, which is sent as a whole: a long text is at one field, and an
 * example of a resource at one operation. The other operations are shown by the examples of the fields.
 */
import { isSchema, type JsonSchema, nameIn } from './schemas.ts';

/** Characters of a description from which on a second field with the same one refers to the first. */
const longText = 500;

/**
 * A copy of the components in which each long description of a field is in the first component that has the
 * field. The others have its first sentence and its first example.
 */
export const describedOnce = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> => {
  const describedBy = new Map<string, string>();
  const once = (component: string, field: unknown): unknown => {
    if (!isSchema(field) || String(field.description ?? '').length < longText) return field;
    const { description, examples } = field;
    const text = String(description);
    const first = describedBy.get(text);
    if (first === undefined) {
      describedBy.set(text, component);
      return field;
    }
    const [sentence] = text.split(/:?\n\n|\. /, 1);
    return {
      ...field,
      description: `${sentence}, as \`${first}\` lists`,
      ...(Array.isArray(examples) && { examples: examples.slice(0, 1) }),
    };
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { properties, ...schema }]) => [
      name,
      isSchema(properties)
        ? {
            ...schema,
            properties: Object.fromEntries(
              Object.entries(properties).map(([field, value]) => [field, once(name, value)]),
            ),
          }
        : { properties, ...schema },
    ]),
  );
};

const isEmptyList = (examples: unknown): boolean =>
  Array.isArray(examples) && examples.length === 1 && Array.isArray(examples[0]) && examples[0].length === 0;

/**
 * A copy of the components in which no list of objects has an empty list as its example. Where an operation
 * has no example, Swagger UI then shows one of the objects.
 */
export const withFilledLists = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> => {
  const isObject = (schema: unknown): boolean =>
    isSchema(schema) && isSchema(schema.properties ?? schemas[nameIn(schema)]?.properties);
  const filled = (schema: unknown): unknown => {
    if (!isSchema(schema)) return schema;
    const { examples, properties, items, ...rest } = schema;
    return {
      ...rest,
      ...(isSchema(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, value]) => [name, filled(value)]),
        ),
      }),
      ...(items !== undefined && { items: filled(items) }),
      ...(examples !== undefined && !(isObject(items) && isEmptyList(examples)) && { examples }),
    };
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, filled(schema) as JsonSchema]),
  );
};

type Media = { schema: JsonSchema; example?: unknown };
type Described = { responses: Record<string, { content?: Record<string, Media> }> };

type Shown = { media: Media; name: string; isList: boolean };

/** The component that a response has: alone or in a list, whole or with the fields that a request names. */
const shownIn = (schema: JsonSchema, components: Record<string, JsonSchema>): Omit<Shown, 'media'> => {
  const [first] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  if (isSchema(first)) return shownIn(first, components);
  if (isSchema(schema.items)) return { name: nameIn(schema.items), isList: true };
  const name = nameIn(schema);
  const { properties } = components[name] ?? {};
  const lists = isSchema(properties) ? Object.values(properties).filter(isSchema) : [];
  const [item = '', ...others] = lists.flatMap(({ items }) => (isSchema(items) ? nameIn(items) : []));
  const isList = name.includes('List') && item !== '' && others.length === 0;
  return { name: isList ? item : name, isList };
};

const isLonger = (a: Shown, b: Shown): boolean =>
  a.isList === b.isList ? lengthOf(a) > lengthOf(b) : b.isList;
const lengthOf = ({ media }: Shown): number => JSON.stringify(media.example).length;

/**
 * Removes the examples of successful responses whose component is shown at another operation: alone rather
 * than in a list, and by the longest example. Of equally long ones, the first stays.
 */
export const shownOnce = (
  paths: Record<string, Record<string, unknown>>,
  components: Record<string, JsonSchema>,
): void => {
  const shown = Object.values(paths)
    .flatMap((methods) => Object.values(methods) as Described[])
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.values(content))
    .filter(({ example }) => example !== undefined)
    .map((media) => ({ media, ...shownIn(media.schema, components) }))
    .filter(({ name }) => name !== '');
  const best = new Map<string, Shown>();
  for (const each of shown) {
    const former = best.get(each.name);
    if (!former || isLonger(each, former)) best.set(each.name, each);
  }
  for (const each of shown) if (best.get(each.name) !== each) delete each.media.example;
};
