/** The OpenAPI document: it is the reviewed one, it is complete, and its examples are valid. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../lib/api/route.ts';
import { routes } from '../../lib/api/routes.ts';
import { AlertPayload } from '../../lib/model/alert.ts';
import { Batch } from '../../lib/model/batch.ts';
import { V2Payload } from '../../lib/model/delivery.ts';
import { IdeasTask, KeywordDataTask } from '../../lib/model/keyword-task.ts';
import { V1Task } from '../../lib/model/v1-task.ts';
import { errorWords } from '../../lib/reference/error-words.ts';
import { examples } from '../../lib/reference/examples.ts';
import { glossary, words } from '../../lib/reference/glossary.ts';
import { openapi } from '../../lib/reference/openapi.ts';
import { schemaMeanings } from '../../lib/reference/schema-meanings.ts';

const document = JSON.parse(JSON.stringify(openapi()));
const rows: [string, Route][] = Object.entries(routes);

type Node = { at: string; value: unknown };
const walk = (value: unknown, at = ''): Node[] => [
  { at, value },
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => walk(inner, `${at}/${name}`))
    : []),
];
const nodes = walk(document);

test('is equal to the reviewed document, which `npm run openapi` writes', () => {
  const reviewed = readFileSync(new URL('openapi.json', import.meta.url), 'utf8');

  expect(document).toEqual(JSON.parse(reviewed));
});

test('resolves every reference within the document', () => {
  const references = nodes.filter(({ at }) => at.endsWith('/$ref')).map(({ value }) => String(value));
  const found = new Set(nodes.map(({ at }) => `#${at}`));

  expect(references.length).toBeGreaterThan(0);
  expect(references.filter((reference) => !found.has(reference))).toEqual([]);
});

test('has no unused schema', () => {
  const used = nodes.filter(({ at }) => at.endsWith('/$ref')).map(({ value }) => String(value));

  expect(
    Object.keys(document.components.schemas).filter((name) => !used.includes(`#/components/schemas/${name}`)),
  ).toEqual([]);
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
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(status).toMatch(/^[1-5]\d\d$/);
      expect(response).toHaveProperty('description', expect.stringMatching(/./));
    }
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(route.auth === 'bearer' ? ['401', '429', '500'] : ['500']),
    );
  });

  test('declares exactly the variables of its path', () => {
    const variables = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable);
    const declared = (operation.parameters ?? []).filter((each: { in: string }) => each.in === 'path');

    expect(declared.map((each: { name: string }) => each.name)).toEqual(variables);
    expect(declared.every((each: { required: boolean }) => each.required)).toBe(true);
  });
});

test('has unique operation ids', () => {
  const ids = nodes.filter(({ at }) => at.endsWith('/operationId')).map(({ value }) => value);

  expect(ids).toHaveLength(rows.length + Object.keys(document.webhooks).length);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(rows.filter(([, { body }]) => body))('the example body of %s is valid', (name, { body }) => {
  const [, example] = Object.entries(examples).find(([operation]) => operation === name) ?? [];

  expect(v.safeParse(body!, example?.body).issues).toBeUndefined();
});

test.each(Object.entries(examples))('the example answer of %s is valid', (name, { reply }) => {
  const route = rows.find(([operation]) => operation === name)?.[1];

  expect(v.safeParse(route!.reply, reply).issues).toBeUndefined();
});

test('every field and every parameter has a description and an example', () => {
  const fields = nodes.filter(
    ({ at, value }) =>
      /\/properties\/[^/]+$/.test(at) &&
      !/\/(example|if\/|then\/|else\/)/.test(at) &&
      typeof value === 'object',
  );
  const parameters = nodes.filter(({ at }) => /\/parameters\/\d+$/.test(at));

  const lacking = [...fields, ...parameters].filter(({ value }) => {
    const { description, examples: several, example } = value as Record<string, unknown>;
    return !description || (several === undefined && example === undefined);
  });

  expect(fields.length).toBeGreaterThan(100);
  expect(lacking.map(({ at, value }) => `${at} ${(value as { name?: string }).name ?? ''}`)).toEqual([]);
});

test('every schema, header, tag, response and way to authenticate has a description', () => {
  const described = nodes.filter(
    ({ at, value }) =>
      /^\/components\/(schemas|headers|securitySchemes)\/[^/]+$/.test(at) ||
      /^\/tags\/\d+$/.test(at) ||
      (/\/responses\/\w+(\/headers\/[^/]+)?$/.test(at) && !(value as { $ref?: string }).$ref),
  );

  expect(described.length).toBeGreaterThan(500);
  expect(
    described
      .filter(({ value }) => !/^[A-Z`1-9-]/.test((value as { description?: string }).description ?? ''))
      .map(({ at }) => at),
  ).toEqual([]);
});

test('every meaning is that of a schema', () => {
  expect(Object.keys(schemaMeanings).filter((name) => !document.components.schemas[name])).toEqual([]);
});

test('the limits of requests are described for every response to a counted request, and for no other', () => {
  const of = (path: string, method: string, status: number) =>
    Object.keys(document.paths[path][method].responses[status].headers ?? {});
  const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

  for (const status of [200, 400, 404, 409, 413, 422])
    expect(of('/api/v1/projects/{project_id}', 'patch', status)).toEqual(limits);
  for (const status of [429, 503])
    expect(of('/api/v1/projects/{project_id}', 'patch', status)).toEqual(['Retry-After', ...limits]);
  for (const status of [401, 500]) expect(of('/api/v1/projects/{project_id}', 'patch', status)).toEqual([]);
  expect(of('/health', 'get', 503)).toEqual(['Retry-After']);
});

/** The schema of a component, or of a field of it or of the items that it lists; of the branch that is not null. */
const schemaAt = (name: string): { enum?: string[] } => {
  const [component = '', field] = name.split('.');
  const schema = document.components.schemas[component];
  const { properties, additionalProperties } = schema;
  const listed = properties?.data?.items?.properties;
  const found =
    field === undefined ? schema : { ...listed, ...properties, ...additionalProperties?.properties }[field];
  return found.anyOf?.[0] ?? found;
};

test.each(Object.entries(words))('every word of %s is explained', (name, meanings) => {
  expect(Object.keys(meanings).sort()).toEqual(schemaAt(name).enum?.toSorted());
});

test('every status of an operation has an example or is a success', () => {
  const failures = nodes.filter(({ at }) => /\/responses\/[45]\d\d\/content\/application\/json$/.test(at));

  expect(failures.length).toBeGreaterThan(20);
  expect(failures.filter(({ value }) => !(value as { example?: unknown }).example)).toEqual([]);
});

test('every entry of the glossary is the meaning of a field', () => {
  const names = new Set(
    nodes.flatMap(({ at, value }) => [
      ...(/\/properties\/[^/]+$/.test(at) ? [at.split('/').at(-1) ?? ''] : []),
      ...(/\/parameters\/\d+$/.test(at) ? [(value as { name: string }).name] : []),
    ]),
  );

  expect(Object.keys(glossary).filter((key) => !names.has(key.split('.').at(-1) ?? ''))).toEqual([]);
});

test('the webhooks describe the payload of every kind of task, with a valid example and the headers of the signature', () => {
  type Webhook = {
    post: {
      parameters: { name: string; required: boolean }[];
      requestBody: { content: { 'application/json': { schema: { $ref: string }; example: unknown } } };
    };
  };
  const described = Object.values<Webhook>(document.webhooks).map(({ post }) => {
    const { schema, example } = post.requestBody.content['application/json'];
    expect(post.parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    return { name: schema.$ref.replace('#/components/schemas/', ''), example };
  });

  const payloads: Record<string, v.GenericSchema> = {
    SerpPayload: V2Payload,
    SerpTask: V1Task,
    Batch,
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
