/** The OpenAPI document: it is the reviewed one, it is complete, and its examples are valid. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../lib/api/route.ts';
import { documentedRoutes, type Operation } from '../../lib/api/routes.ts';
import { AlertPayload } from '../../lib/model/alert.ts';
import { BatchPayload } from '../../lib/model/batch.ts';
import { V2Payload } from '../../lib/model/delivery.ts';
import { errorWords } from '../../lib/model/error-words.ts';
import { IdeasTask, KeywordDataTask } from '../../lib/model/keyword-task.ts';
import { V1Task } from '../../lib/model/v1-task.ts';
import { webhookTypes } from '../../lib/model/webhook-type.ts';
import { exampleReply } from '../../lib/reference/examples.ts';
import { openapi } from '../../lib/reference/openapi.ts';
import { Components } from '../../lib/reference/schemas.ts';
import { webhookSamples } from '../../lib/reference/webhooks.ts';

const document = JSON.parse(JSON.stringify(openapi()));
const rows: [Operation, Route][] = documentedRoutes;

type Node = { at: string; value: unknown };
const walk = (value: unknown, at = ''): Node[] => [
  { at, value },
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => walk(inner, `${at}/${name}`))
    : []),
];
const nodes = walk(document);

type Response = { $ref?: string; description?: string; headers?: object };
const responseOf = ({ $ref, ...own }: Response): Response =>
  $ref ? document.components.responses[$ref.replace('#/components/responses/', '')] : own;

test('is equal to the reviewed document, which `npm run openapi` writes', () => {
  const reviewed = readFileSync(new URL('openapi.json', import.meta.url), 'utf8');

  expect(document).toEqual(JSON.parse(reviewed));
});

test('the sample webhooks are the examples of the document, which `npm run openapi` writes', () => {
  const samples = JSON.parse(readFileSync(new URL('../../events/webhooks.json', import.meta.url), 'utf8'));

  expect(Object.keys(samples).sort()).toEqual([...webhookTypes].sort());
  expect(JSON.parse(JSON.stringify(webhookSamples(new Components())))).toEqual(samples);
});

test('resolves every reference within the document', () => {
  const references = nodes.filter(({ at }) => at.endsWith('/$ref')).map(({ value }) => String(value));
  const found = new Set(nodes.map(({ at }) => `#${at}`));

  expect(references.length).toBeGreaterThan(0);
  expect(references.filter((reference) => !found.has(reference))).toEqual([]);
});

test('is at most 400 KB', () => {
  expect(Buffer.byteLength(JSON.stringify(openapi('https://api.example.com/prod')))).toBeLessThanOrEqual(
    400_000,
  );
});

test('has no unused schema and no unused response', () => {
  const used = nodes.filter(({ at }) => at.endsWith('/$ref')).map(({ value }) => String(value));

  for (const kind of ['schemas', 'responses']) {
    const names = Object.keys(document.components[kind]);
    expect(names.filter((name) => !used.includes(`#/components/${kind}/${name}`))).toEqual([]);
  }
});

test('has no two named enumerations with a constant of the same name, which clients in Go could not have', () => {
  type Enumeration = { enum?: string[]; 'x-enum-varnames'?: string[] };
  const schemas = Object.values<Enumeration>(document.components.schemas).filter((schema) => schema.enum);
  const constants = schemas.flatMap((schema) => schema['x-enum-varnames'] ?? schema.enum);

  expect(constants.length).toBeGreaterThan(20);
  expect(new Set(constants).size).toBe(constants.length);
  // Each is the name of a constant in every language.
  expect(constants.filter((name) => !/^\w+$/.test(name ?? ''))).toEqual([]);
  for (const { enum: words, 'x-enum-varnames': names } of schemas)
    expect(names ?? words).toHaveLength(words?.length ?? 0);
});

test('has no two schemas, parameters or responses of which a client in Go would have one type', () => {
  const { schemas, parameters, responses } = document.components;
  const names = [schemas, parameters, responses].flatMap(Object.keys);
  const typeNames = names.map((name) => name.replace(/[-_.]/g, '').toLowerCase());

  expect(names.filter((_, at) => typeNames.indexOf(typeNames[at] ?? '') !== at)).toEqual([]);
});

test('has null only beside a type, and says of every integer without a maximum that it may be long', () => {
  const schemas = nodes.filter(
    ({ at, value }) =>
      typeof value === 'object' &&
      value !== null &&
      !/\/(examples?|default)\/|^\/components\/headers/.test(at),
  ) as { at: string; value: Record<string, unknown> }[];
  const isInteger = (type: unknown) => [type].flat().includes('integer');

  const nulls = schemas.filter(({ at, value }) => value.type === 'null' && !/\/(any|one)Of\/\d$/.test(at));
  const short = schemas.filter(
    ({ value }) =>
      isInteger(value.type) && !value.enum && value.maximum === undefined && value.format !== 'int64',
  );

  expect(nulls.map(({ at }) => at)).toEqual([]);
  expect(short.map(({ at }) => at)).toEqual([]);
});

test('gives a type for every field', () => {
  const isField = (at: string) => /\/properties\/[^/]+$/.test(at) || /\/items$/.test(at);
  const empty = nodes.filter(
    ({ at, value }) =>
      value !== false &&
      isField(at) &&
      Object.keys(value ?? {}).every((word) => ['default', 'description', 'examples'].includes(word)),
  );

  expect(empty.map(({ at }) => at)).toEqual([]);
});

describe.each(rows)('%s', (name, route) => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];

  test('is described with its error responses', () => {
    expect(operation).toMatchObject({ summary: route.summary, tags: [name.split('/')[0]] });
    for (const [status, response] of Object.entries<Response>(operation.responses)) {
      expect(status).toMatch(/^[1-5]\d\d$/);
      expect(responseOf(response)).toHaveProperty('description', expect.stringMatching(/./));
    }
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(route.auth === 'bearer' ? ['401', '429', '500'] : ['500']),
    );
  });

  test('declares exactly the variables of its path', () => {
    const variables = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable);
    const declared = (operation.parameters ?? [])
      .map((each: { $ref?: string }) =>
        each.$ref ? document.components.parameters[each.$ref.split('/').at(-1) ?? ''] : each,
      )
      .filter((each: { in: string }) => each.in === 'path');

    expect(declared.map((each: { name: string }) => each.name)).toEqual(variables);
    expect(declared.every((each: { required: boolean }) => each.required)).toBe(true);
  });
});

test('has unique operation ids', () => {
  const ids = nodes.filter(({ at }) => at.endsWith('/operationId')).map(({ value }) => value);

  expect(ids).toHaveLength(rows.length + Object.keys(document.webhooks).length);
  expect(new Set(ids).size).toBe(ids.length);
});

const operationOf = ({ path, method }: Route) => document.paths[path][method.toLowerCase()];

/** The example of a body: of JSON, or of a form. */
const exampleIn = ({ content }: { content: Record<string, { example?: unknown }> }) =>
  (content['application/json'] ?? content['application/x-www-form-urlencoded'])?.example;

test.each(rows.filter(([, { body }]) => body))('the example body of %s is valid', (_, route) => {
  const example = exampleIn(operationOf(route).requestBody);

  expect(example).toBeDefined();
  expect(v.safeParse(route.body!, example).issues).toBeUndefined();
});

const answers = rows.flatMap(([name, route]) =>
  route.response && !route.response.schema
    ? []
    : ([[name, route, route.response?.schema ?? route.reply]] as const),
);

test.each(answers)(
  'the example of the response of %s is valid, and has no field that the schema does not have',
  (operation, route, schema) => {
    const components = new Components();
    const example = exampleReply(operation, components.schemaOf(schema, 'response'), components);
    const shown = exampleIn(operationOf(route).responses[route.status ?? 200]);

    expect(example).toBeDefined();
    expect(v.parse(schema, example)).toEqual(example);
    if (shown !== undefined) expect(shown).toEqual(example);
  },
);

test('every component that a response has, alone or in a list, is shown in one example', () => {
  const shown = new Map<string, number>();
  for (const [, route] of answers) {
    const { schema, example } =
      operationOf(route).responses[route.status ?? 200].content['application/json'] ?? {};
    const { $ref = '' } = schema?.anyOf?.[0] ?? schema ?? {};
    if ($ref) shown.set($ref, (shown.get($ref) ?? 0) + (example === undefined ? 0 : 1));
  }
  const listed = [...shown].filter(([$ref]) => $ref.includes('List'));

  expect([...shown].filter(([$ref, count]) => count !== 1 && !$ref.includes('List'))).toEqual([]);
  expect(listed.length).toBeGreaterThan(5);
  expect(listed.filter(([, count]) => count > 1)).toEqual([]);
});

type FieldSchema = {
  $ref?: string;
  properties?: object;
  items?: FieldSchema;
  anyOf?: FieldSchema[];
  oneOf?: FieldSchema[];
  description?: string;
  examples?: unknown[];
};

const followed = ({ $ref, ...schema }: FieldSchema): FieldSchema =>
  $ref ? document.components.schemas[$ref.split('/').at(-1) ?? ''] : schema;

/** Whether a value is an object or a list of objects, whose fields have examples. */
const hasFields = (schema: FieldSchema): boolean => {
  const { properties, items, oneOf = [], anyOf = oneOf } = followed(schema);
  return properties !== undefined || (items !== undefined && hasFields(items)) || anyOf.some(hasFields);
};

const fields = nodes.filter(
  (node): node is { at: string; value: FieldSchema } =>
    /\/properties\/[^/]+$/.test(node.at) &&
    !/\/(example|if\/|then\/|else\/)|^\/components\/schemas\/\w+Fields\//.test(node.at) &&
    typeof node.value === 'object',
);

test('every field and every parameter has a description and an example', () => {
  const parameters = nodes.filter(
    ({ at, value }) =>
      /\/parameters\/\d+$|^\/components\/parameters\/[^/]+$/.test(at) && !('$ref' in Object(value)),
  );

  const lacking = [
    ...fields.filter(({ value }) => !value.description || (!value.examples && !hasFields(value))),
    ...parameters.filter(({ value }) => {
      const { description, example } = value as Record<string, unknown>;
      return !description || example === undefined;
    }),
  ];

  expect(fields.length).toBeGreaterThan(100);
  expect(lacking.map(({ at, value }) => `${at} ${(value as { name?: string }).name ?? ''}`)).toEqual([]);
});

test('every example of a field fits the field', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const numbered = Object.fromEntries(fields.map(({ value }, n) => [n, value]));
  ajv.addSchema({ components: document.components, fields: numbered }, 'document');

  const wrong = fields.flatMap(({ at, value: { examples = [] } }, n) =>
    examples
      .filter((example) => !ajv.validate({ $ref: `document#/fields/${n}` }, example))
      .map((example) => `${at}: ${JSON.stringify(example)} ${ajv.errorsText()}`),
  );

  expect(wrong).toEqual([]);
});

test('every operation, schema, header, tag, response and way to authenticate has a description', () => {
  const described = nodes.filter(
    ({ at, value }) =>
      /^\/components\/(schemas|headers|securitySchemes)\/[^/]+$/.test(at) ||
      /^\/tags\/\d+$/.test(at) ||
      /^\/paths\/[^/]+\/(get|post|put|patch|delete)$/.test(at) ||
      (/\/responses\/\w+(\/headers\/[^/]+)?$/.test(at) && !(value as { $ref?: string }).$ref),
  );

  expect(described.length).toBeGreaterThan(200);
  expect(
    described
      .filter(({ value }) => !/^[A-Z`1-9-]/.test((value as { description?: string }).description ?? ''))
      .map(({ at }) => at),
  ).toEqual([]);
});

test('the limits of requests are described once for successes, and at every failure of a counted request', () => {
  const of = (path: string, method: string, status: number) =>
    Object.keys(responseOf(document.paths[path][method].responses[status]).headers ?? {});
  const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

  expect(of('/api/v1/projects/{project_id}', 'patch', 200)).toEqual(['x-warnings']);
  for (const name of limits) expect(document.info.description).toContain(`\`${name}\``);
  for (const status of [400, 404, 409, 413, 422])
    expect(of('/api/v1/projects/{project_id}', 'patch', status)).toEqual(limits);
  for (const status of [429, 503])
    expect(of('/api/v1/projects/{project_id}', 'patch', status)).toEqual(['Retry-After', ...limits]);
  for (const status of [401, 500]) expect(of('/api/v1/projects/{project_id}', 'patch', status)).toEqual([]);
  expect(of('/health', 'get', 503)).toEqual(['Retry-After']);
});

test('every status of an operation has an example or is a success', () => {
  const failures = nodes.filter(({ at }) =>
    /\/responses\/(?:[45]\d\d|[A-Z]\w+)\/content\/application\/json$/.test(at),
  );

  expect(failures.length).toBeGreaterThan(20);
  expect(failures.filter(({ value }) => !(value as { example?: unknown }).example)).toEqual([]);
});

test('the webhooks describe the payload of every kind of task, with a valid example and the headers of the signature', () => {
  type Webhook = {
    post: {
      parameters: { $ref: string }[];
      requestBody: { content: { 'application/json': { schema: { $ref: string }; example: unknown } } };
    };
  };
  const parametersByName: Record<string, { name: string; required: boolean }> =
    document.components.parameters;
  const described = Object.values<Webhook>(document.webhooks).map(({ post }) => {
    const { schema, example } = post.requestBody.content['application/json'];
    const headers = post.parameters.map(({ $ref }) => parametersByName[$ref.split('/').at(-1) ?? '']);
    expect(headers.filter((each) => each?.required).map((each) => each?.name)).toEqual([
      'webhook-id',
      'webhook-type',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    return { name: schema.$ref.replace('#/components/schemas/', ''), example };
  });

  const payloads: Record<string, v.GenericSchema> = {
    SerpPayload: V2Payload,
    SerpTask: V1Task,
    BatchPayload,
    KeywordDataTask,
    IdeasTask,
    AlertPayload,
  };
  expect(described.map(({ name }) => name).sort()).toEqual(Object.keys(payloads).sort());
  for (const { name, example } of described) expect(v.parse(payloads[name]!, example)).toEqual(example);
});

test('every word of an error has a meaning and an example', () => {
  const { error_message } = document.components.schemas.GoogleSerpTask.properties;

  for (const [word, { cause, example }] of Object.entries(errorWords)) {
    expect(error_message.description).toContain(`- \`${word}\`: ${cause}`);
    expect(error_message.examples).toContain(`${word}: ${example}`);
  }
});
