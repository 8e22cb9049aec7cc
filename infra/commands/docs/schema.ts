/**
 * The OpenAPI document as the tables of the reference read it: operations, schemas, and what a reference
 * names.
 */
import * as v from 'valibot';
import { openapi } from '../../../lib/reference/openapi.ts';

/** The part of a JSON schema that a table shows. */
const Schema = v.looseObject({
  $ref: v.optional(v.string()),
  type: v.optional(v.string()),
  enum: v.optional(v.array(v.union([v.string(), v.number()]))),
  const: v.optional(v.unknown()),
  description: v.optional(v.string()),
  default: v.optional(v.unknown()),
  minimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
  maxLength: v.optional(v.number()),
  maxItems: v.optional(v.number()),
  properties: v.optional(v.record(v.string(), v.unknown())),
  required: v.optional(v.array(v.string())),
  items: v.optional(v.unknown()),
  additionalProperties: v.optional(v.unknown()),
  anyOf: v.optional(v.array(v.unknown())),
  oneOf: v.optional(v.array(v.unknown())),
});
export type Schema = v.InferOutput<typeof Schema>;

const Parameter = v.object({
  name: v.string(),
  in: v.string(),
  required: v.optional(v.boolean(), false),
  description: v.optional(v.string(), ''),
  schema: v.unknown(),
});

export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

const document = openapi();
const shared: Readonly<Record<string, unknown>> = document.components.parameters;

/** A parameter, or the shared one that a reference names. */
const AnyParameter = v.pipe(
  v.unknown(),
  v.transform((each) => {
    const isReference = typeof each === 'object' && each !== null && '$ref' in each;
    return isReference ? shared[nameOf(String(each.$ref))] : each;
  }),
  Parameter,
);

const Operation = v.looseObject({
  operationId: v.string(),
  parameters: v.optional(v.array(AnyParameter), []),
  requestBody: v.optional(v.object({ content: v.record(v.string(), v.object({ schema: v.unknown() })) })),
});

const OpenApi = v.object({
  paths: v.record(v.string(), v.record(v.string(), Operation)),
  components: v.looseObject({ schemas: v.record(v.string(), v.unknown()) }),
});

export const { paths, components } = v.parse(OpenApi, document);

/** A schema with a list of types is a choice between schemas of one type. */
const NullableSchema = v.looseObject({
  type: v.tuple([v.string(), v.literal('null')]),
  enum: v.optional(v.array(v.unknown())),
});

export const schemaOf = (value: unknown): Schema => {
  const nullable = v.safeParse(NullableSchema, value);
  if (!nullable.success) return v.parse(Schema, value);
  const { type, enum: words, ...rest } = nullable.output;
  const inner = { ...rest, type: type[0], ...(words && { enum: words.filter((word) => word !== null) }) };
  return v.parse(Schema, { ...rest, anyOf: [inner, { type: 'null' }] });
};

/** The schema that a reference names, and the schema itself otherwise. */
export const followed = (schema: Schema): Schema =>
  schema.$ref ? schemaOf(components.schemas[nameOf(schema.$ref)]) : schema;

const isNull = ({ type }: Schema): boolean => type === 'null';

export const branches = ({ oneOf = [], anyOf = oneOf }: Schema): Schema[] => anyOf.map(schemaOf);

/**
 * The object that a schema describes: that of a reference, of the branch that is not null, or of the items of
 * a list.
 */
export const objectOf = (schema: Schema): Schema => {
  const target = followed(schema);
  // First, because a table of domains has names that are never there.
  if (target.additionalProperties) return objectOf(schemaOf(target.additionalProperties));
  if (target.properties) return target;
  if (target.items) return objectOf(schemaOf(target.items));
  const branch = branches(target).find((each) => !isNull(each));
  if (branch) return objectOf(branch);
  throw new Error('A table of fields needs an object');
};

/**
 * A schema by the name of a component or of an operation, and the fields that lead to it, with points in
 * between.
 */
export const found = (path: string): Schema => {
  const [name = '', ...fields] = path.split('.');
  const body = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === name)?.requestBody;
  const root = components.schemas[name] ?? Object.values(body?.content ?? {})[0]?.schema;
  if (!root) throw new Error(`There is no schema ${name}`);
  return fields.reduce((schema, field) => schemaOf(objectOf(schema).properties?.[field]), schemaOf(root));
};
