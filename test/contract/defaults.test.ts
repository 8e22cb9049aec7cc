/**
 * The OpenAPI document has every default of the specification. In responses, and of parameters, it is the
 * word `default`. In bodies it is `x-default` with a sentence, because openapi-typescript makes a field of a
 * body that has `default` one that must be sent.
 */
import { describe, expect, test } from 'vitest';
import { openapi } from '../../lib/reference/openapi.ts';

const { paths, components } = JSON.parse(JSON.stringify(openapi()));

const crawl = {
  domain: null,
  business_name: null,
  competitors: null,
  frequency: 24,
  device: 'desktop',
  se_id: 0,
  engine_domain: '',
  language_code: '',
  postback_url: null,
  post_id: '',
  keyword_id: null,
  priority: 1,
};

const bodies = {
  CrawlRequest: crawl,
  GoogleCrawlRequest: { ...crawl, engine_domain: 'google.com', depth: 10 },
  CreateApiKey: { name: '', email: '' },
  KeywordDataTaskRequest: { loc_id: null, postback_url: null },
  SuggestRequest: { language_code: 'en', engine_name: 'google', location_code: 2840 },
  TokenRequest: { scope: '', client_id: null, client_secret: null },
};

const unnamedBodies = {
  '/api/v1/keyword-sv/live': { location_code: null, language_code: null },
  '/api/v1/keyword-research/ideas': {
    location_code: 2840,
    language_code: 'en',
    page_url: null,
    include_seed_keyword: true,
  },
  '/api/v1/keyword-research/trends/live': { language_code: 'en', engine_name: 'google', location_code: 2840 },
};

const counters = { sharding: 0, postback_retries_count: 0 };

const responses = {
  SerpTask: {
    ...counters,
    priority: 1,
    retries_count: 0,
    device: 'desktop',
    snapshot_hash: '',
    frequency: 24,
    status: 'awaiting',
  },
  GoogleSerpTask: {
    ...counters,
    status: 'awaiting',
    engine_domain: 'google.com',
    device: 'desktop',
    priority: 1,
    frequency: 24,
    se_id: 0,
    depth: 10,
    retries_count: 0,
  },
  GoogleSerpTaskPage: { status: 'awaiting', retry_count: 0, html: '' },
  User: { email: '', name: '', ttl: 0, enabled: true },
  KeywordDataTask: { ...counters, status: 'awaiting', key: '', result: [], succeed_at: 0 },
};

const parameters = {
  '/api/v1/serp/crawl': { status: 'success', cursor: '' },
  '/api/v1/keyword-sv': { status: 'success', cursor: '' },
  '/api/v1/keyword-sv/{task_id}': { created_on: '' },
  '/api/reporting/projects': { per_page: 25 },
  '/api/reporting/projects/{id}/keywords': { order: 'asc', per_page: 25 },
  '/api/reporting/keywords/{id}/history': { page: 1 },
};

type Field = { default?: unknown; 'x-default'?: unknown; description?: string };
type Fields = { properties: Record<string, Field>; anyOf?: Fields[] };
type Parameter = { $ref?: string; name: string; schema: Field };

/** The fields of a body; those of all forms, if there are several. */
const fieldsOf = ({ properties, anyOf = [] }: Fields): Record<string, Field> =>
  Object.assign({}, properties, ...anyOf.map(fieldsOf));

const bodyOf = (path: string): Fields => paths[path].post.requestBody.content['application/json'].schema;

const namedBodies = Object.entries(bodies).map(([name, defaults]) => ({
  name,
  schema: components.schemas[name] as Fields,
  defaults: defaults as object,
}));
const allBodies = [
  ...namedBodies,
  ...Object.entries(unnamedBodies).map(([name, defaults]) => ({ name, schema: bodyOf(name), defaults })),
];

describe('has the defaults of the specification', () => {
  test.each(allBodies)('of the body $name, with a sentence', ({ schema, defaults }) => {
    const properties = fieldsOf(schema);
    for (const [field, value] of Object.entries(defaults)) {
      expect(properties[field], field).not.toHaveProperty('default');
      expect(properties[field]?.['x-default'], field).toEqual(value);
      const said = value === '' ? 'empty' : `\`${value}\``;
      expect(properties[field]?.description, field).toContain(`Default: ${said}`);
    }
  });

  test.each(Object.entries(responses))('of the response %s', (name, defaults) => {
    for (const [field, value] of Object.entries(defaults))
      expect(components.schemas[name].properties[field].default, field).toEqual(value);
  });

  test.each(Object.entries(parameters))('of the parameters of %s', (path, defaults) => {
    const all: Parameter[] = paths[path].get.parameters.map((each: Parameter) =>
      each.$ref ? components.parameters[each.$ref.replace('#/components/parameters/', '')] : each,
    );
    for (const [field, value] of Object.entries(defaults))
      expect(all.find(({ name }) => name === field)?.schema.default, field).toEqual(value);
  });
});
