/**
 * The example of each request and of its response in the OpenAPI document. A request is the body of the
 * operation's event in `events/api`. A response is made from the examples of its fields: a field with a
 * default has the default, any other field its first example, and a field that repeats one of the request has
 * the value of the request. The table below has what such a response would not show.
 */
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Route } from '../api/route.ts';
import { type Operation, routes } from '../api/routes.ts';
import { exampleAddress } from '../model/task-fields.ts';
import { type Components, isSchema, type JsonSchema } from './schemas.ts';

/**
 * The folder of the events: next to the code of a bundle, and that of the project for code that runs from its
 * source.
 */
const folder = ['./events/api/', '../../events/api/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url));

const Event = v.object({ body: v.nullable(v.string()) });

/** The example of the body of a request. */
export const exampleBody = (operation: Operation): unknown => {
  const text = readFileSync(new URL(`${operation}.json`, folder), 'utf8');
  const body = v.parse(Event, JSON.parse(text)).body ?? '';
  const { isForm }: Route = routes[operation];
  return isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
};

/**
 * What the example of a response or of a webhook shows besides the defaults and the examples of its fields.
 */
export type Shown = {
  /** The operation whose request it repeats, if it is not that of the response. */
  of?: Operation;
  /** Fields with a default, and fields that may be absent, that have their example nevertheless. */
  filled?: readonly string[];
  /** Values that differ from the examples of the fields. */
  values?: JsonSchema;
};

/** A task that has ended with a result. */
export const finishedTask: Shown = {
  filled: [
    'status',
    'html_key',
    'user_agent',
    'snapshot_hash',
    'result',
    'top_10',
    'succeed_at',
    'crawled_at',
    'complete',
    'total_results',
    'search_time',
  ],
};

/**
 * A task of version 1 has an empty result from the start (Reading 11). The example requests name no webhook.
 */
const accepted: Shown = {
  filled: ['snapshot_hash'],
  values: { result: {}, succeed_at: 0, postback_url: null },
};

export const finishedV1Task: Shown = {
  ...finishedTask,
  of: 'serp/create-task',
  values: { postback_url: null },
};

/** A task of version 2 has its pages from the start: two for the example request. */
const withPages = (status: string, key: (page: number) => string): Shown => ({
  values: {
    pages: [1, 2].map((page) => ({
      page,
      url: exampleAddress(10 * (page - 1)),
      status,
      retry_count: 0,
      html: key(page),
      results: null,
      unread_blocks: [],
      html_url: '',
    })),
  },
});
const planned = withPages('awaiting', () => '');
const parsed = withPages('parsed', (page) => `html/3Rk0c8Yw2sV5xQbT/1-${page}.html.gz`);

export const finishedBatch: Shown = {
  values: {
    status: 'finished',
    counts: { awaiting: 0, error: 1 },
    results_url: 'https://api.example.com/api/v2/serp/batches/3767392204849151/results',
  },
};

const waitingAgain: Shown = { values: { state: 'pending' } };

/** The webhook of the alert that the other examples name. */
const ofAlert = { delivery_id: 'msg_1_3767392204849170_0' };

const reportsUrl = 'https://api.example.com/api/reporting';

/** The links of a list that has one page. */
const onePage = (address: string) => ({ links: { first: address, last: address } });
const keywordsUrl = `${reportsUrl}/projects/3767392204849160/keywords`;
const historyUrl = `${reportsUrl}/keywords/3767392204849161/history`;

const shownBy: Partial<Record<Operation, Shown>> = {
  'serp/create-task': accepted,
  'serp/create-batch': accepted,
  'serp/create-live-task': finishedV1Task,
  'serp/read-task': finishedV1Task,
  'serp/list-tasks': finishedV1Task,
  'serp/create-google-task': planned,
  'serp/create-google-batch': planned,
  'serp/read-google-task': { ...finishedTask, ...parsed, of: 'serp/create-google-task' },
  'serp/list-google-tasks': { ...finishedTask, ...parsed, of: 'serp/create-google-task' },
  'serp/send-postback': waitingAgain,
  'serp/send-google-postback': waitingAgain,
  'serp/read-batch': finishedBatch,
  'keyword/list-volume-tasks': { ...finishedTask, of: 'keyword/create-volume-tasks' },
  'keyword/read-volume-task': { ...finishedTask, of: 'keyword/create-volume-tasks' },
  'keyword/create-ideas-task': { values: { results: [], aggregate_metric_results: [] } },
  'keyword/read-ideas-task': { ...finishedTask, of: 'keyword/create-ideas-task' },
  'account/rotate-webhook-secret': {
    values: { former_secret: 'whsec_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB', former_until: 1796083200 },
  },
  'reporting/read-alert-deliveries': { values: ofAlert },
  'reporting/send-alert-postback': { values: { ...ofAlert, ...waitingAgain.values } },
  'reporting/read-project-report': { filled: ['included'] },
  // Its fields have the addresses of the list of projects.
  'reporting/list-keywords': {
    values: { meta: { path: keywordsUrl }, ...onePage(`${keywordsUrl}?per_page=25`) },
  },
  'reporting/list-history': { values: onePage(`${historyUrl}?per_page=25&page=1`) },
  // The answer to the method of the example request.
  'mcp/answer-message': { values: { result: { tools: [] } } },
  // The document is too large for an example of itself.
  'site/read-openapi': { values: { openapi: '3.1.0', paths: {} } },
};

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const hasDefault = (field: JsonSchema): boolean => 'default' in field;

/** An example of what a schema describes. `filled`: the names of fields that do not have their default. */
const exampleOf = (schema: JsonSchema, components: Components, filled: readonly string[] = []): unknown => {
  const [named] = Array.isArray(schema.examples) ? schema.examples : [];
  // An empty list or object says nothing of what can be in it.
  if (named !== undefined && !isEmpty(named)) return named;
  const { properties, required, items, anyOf, const: only } = components.followed(schema);
  if (isSchema(properties)) {
    const shown = Object.entries(properties as Record<string, JsonSchema>).filter(
      ([name]) => filled.includes(name) || (Array.isArray(required) && required.includes(name)),
    );
    return Object.fromEntries(
      shown.map(([name, field]) => [
        name,
        hasDefault(field) && !filled.includes(name) ? field.default : exampleOf(field, components, filled),
      ]),
    );
  }
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], components, filled);
  const item = isSchema(items) ? exampleOf(items, components, filled) : undefined;
  return item === undefined ? (only ?? named) : [item];
};

/** The fields of `values` instead of those of an example. */
const replaced = (example: unknown, values: JsonSchema): unknown => {
  if (Array.isArray(example)) return example.map((each) => replaced(each, values));
  if (example === undefined) return isEmpty(values) ? undefined : values;
  if (!isSchema(example)) return example;
  if ('num_items' in example) return { ...example, items: replaced(example.items, values) };
  const changes = Object.entries(values).map(([name, value]) => [
    name,
    isSchema(value) && isSchema(example[name]) && !isEmpty(value) ? replaced(example[name], value) : value,
  ]);
  return { ...example, ...Object.fromEntries(changes) };
};

/** The fields of the request that an example repeats have the values of the request. */
const repeating = (example: unknown, body: unknown): unknown => {
  if (Array.isArray(example)) return example.map((each) => repeating(each, body));
  const [request] = Array.isArray(body) ? body : [body];
  if (!isSchema(example) || !isSchema(request)) return example;
  if ('num_items' in example) return { ...example, items: repeating(example.items, body) };
  return { ...example, ...Object.fromEntries(Object.entries(request).filter(([name]) => name in example)) };
};

/** An example of what a schema describes. `body`: the request whose fields it repeats. */
export const shownExample = (
  schema: JsonSchema,
  components: Components,
  { filled, values = {}, of }: Shown,
  body: unknown = of && exampleBody(of),
): unknown => replaced(repeating(exampleOf(schema, components, filled), body), values);

/** The example of a response whose schema is `reply`. */
export const exampleReply = (operation: Operation, reply: JsonSchema, components: Components): unknown => {
  const { body }: Route = routes[operation];
  return shownExample(reply, components, shownBy[operation] ?? {}, body && exampleBody(operation));
};
