/**
 * The JSON schemas of the OpenAPI document, from the schemas that validate requests and responses. A schema
 * with a title (`component` in `lib/model/described.ts`) becomes a component of that name, and everything
 * that uses it refers to it.
 */
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

export type JsonSchema = { [word: string]: unknown };

/**
 * Requests may leave out the fields that have a default. Responses always have them, so their schemas require
 * them.
 */
type Side = 'request' | 'response';

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const referenceTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The name of the schema that a reference names; empty if it is none. */
export const nameIn = ({ $ref = '' }: JsonSchema): string => String($ref).replace(/.*\//, '');

const mapped = (properties: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, isSchema(each) ? change(each) : each]),
  );

const isNamedIn = (names: unknown, name: string): boolean => Array.isArray(names) && names.includes(name);

/** A copy of the schema of an object in which every field that has a default is required. */
const requireDefaults = (schema: JsonSchema): JsonSchema => {
  if (!isSchema(schema.properties)) return schema;
  const required = Object.entries(schema.properties)
    .filter(([name, field]) => (isSchema(field) && 'default' in field) || isNamedIn(schema.required, name))
    .map(([name]) => name);
  return required.length > 0 ? { ...schema, required } : schema;
};

/** A copy of the schema of an object in which no field is required. */
const requireNothing = ({ required: _, ...schema }: JsonSchema): JsonSchema => schema;

const shown = (value: unknown): string =>
  value === '' ? 'empty' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const withoutDefault = (schema: JsonSchema): JsonSchema => {
  const { default: value, description, ...inner } = withoutDefaults(schema);
  if (value === undefined) return schema;
  const meaning = description === undefined ? '' : `${String(description).replace(/\.$/, '')}. `;
  return { ...inner, description: `${meaning}Default: ${shown(value)}`, 'x-default': value };
};

const withoutDefaultsIn = (value: unknown): unknown => (isSchema(value) ? withoutDefaults(value) : value);

/**
 * A copy of a schema in which the description of a field and `x-default` have its default, instead of the
 * word `default`. openapi-typescript makes a field with this word one that is always there, so its clients
 * would have to send all fields.
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
      if (word === 'items') return [word, withoutDefaultsIn(value)];
      if (Array.isArray(value) && ['anyOf', 'allOf', 'oneOf'].includes(word))
        return [word, value.map(withoutDefaultsIn)];
      return [word, value];
    }),
  );

const withExamples = ({ examples: _, ...schema }: JsonSchema, examples: unknown): JsonSchema =>
  Array.isArray(examples) && examples.length > 0 ? { ...schema, examples } : schema;

/**
 * A copy of a field that says in a second way that it may be null. typescript-fetch makes one type of a whole
 * response and of one with named fields, and forgets the null of lists otherwise.
 */
const saysNull = (field: JsonSchema): JsonSchema =>
  Array.isArray(field.anyOf) && field.anyOf.some((each) => isSchema(each) && each.type === 'null')
    ? { ...field, 'x-nullable': true }
    : field;

/** A copy of a schema without descriptions, examples and defaults, which the whole schema has. */
const withoutWords = ({ description: _, examples: __, default: ___, ...schema }: JsonSchema): JsonSchema => {
  const { properties, items } = schema;
  return saysNull({
    ...schema,
    ...(isSchema(properties) && { properties: mapped(properties, withoutWords) }),
    ...(isSchema(items) && { items: withoutWords(items) }),
  });
};

/** Converts schemas, and collects their components. */
export class Components {
  readonly #byName = new Map<string, JsonSchema>();
  readonly #responses = new Map<string, object>();

  #add(name: string, schema: JsonSchema): void {
    const known = this.#byName.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the name ${name}`);
    }
    this.#byName.set(name, schema);
  }

  #configFor(side: Side): ConversionConfig {
    return {
      target: 'draft-2020-12',
      // JSON Schema cannot express coercion and custom checks. The 422 response reports their errors.
      errorMode: 'ignore',
      overrideAction: ({ valibotAction, jsonSchema }) => {
        if (valibotAction.type === 'title') {
          const { title, ...schema } = jsonSchema as JsonSchema;
          this.#add(String(title), side === 'request' ? withoutDefaults(schema) : requireDefaults(schema));
          return referenceTo(String(title));
        }
        // Like a description, the examples of a field replace those of the schema that it uses.
        if (valibotAction.type === 'examples' && 'examples' in valibotAction)
          return withExamples(jsonSchema as JsonSchema, valibotAction.examples);
        return valibotAction.type === 'max_code_points' && 'requirement' in valibotAction
          ? { ...jsonSchema, maxLength: Number(valibotAction.requirement) }
          : undefined;
      },
    };
  }

  /** The JSON schema of a schema: a reference if it has a name. */
  schemaOf(schema: v.GenericSchema, side: Side): JsonSchema {
    const { $schema: _dialect, ...rest } = toJsonSchema(schema, this.#configFor(side));
    return rest;
  }

  /** The schema itself, or the component that it refers to, with what the reference adds. */
  followed({ $ref, ...own }: JsonSchema): JsonSchema {
    return $ref ? { ...this.#byName.get(nameIn({ $ref })), ...own } : own;
  }

  /**
   * A reference to a copy of a component in which no field is required: a response that has only the fields
   * that the request names, without descriptions. Of an envelope, no field of its content is required.
   */
  partOf(reference: JsonSchema, envelope?: string): JsonSchema {
    const name = nameIn(reference);
    const part = (schema: JsonSchema): JsonSchema => withoutWords(requireNothing(this.followed(schema)));
    const whole = this.followed(reference);
    const properties = isSchema(whole.properties) ? whole.properties : {};
    const content = envelope === undefined ? undefined : properties[envelope];
    const partOfContent = (schema: JsonSchema): JsonSchema =>
      isSchema(schema.items) ? { ...schema, items: this.partOf(schema.items) } : part(schema);
    this.#add(`${name}Fields`, {
      ...(envelope !== undefined && isSchema(content)
        ? { ...whole, properties: { ...properties, [envelope]: partOfContent(content) } }
        : part(reference)),
      description: `The fields that the parameter \`fields\` names. \`${name}\` describes them`,
    });
    return referenceTo(`${name}Fields`);
  }

  /** A reference to a response that many operations share. The same name always means the same response. */
  responseOf(name: string, make: () => object): JsonSchema {
    if (!this.#responses.has(name)) this.#responses.set(name, make());
    return { $ref: `#/components/responses/${name}` };
  }

  /** The shared responses, by name. */
  responses(): Record<string, object> {
    return Object.fromEntries([...this.#responses].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** All components, by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#byName].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
