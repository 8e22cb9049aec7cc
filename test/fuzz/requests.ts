/**
 * Random requests to the operations of an OpenAPI document: valid ones, almost valid ones, and strange ones.
 */
import fc from 'fast-check';
import type { ApiRequest } from '../api-call.ts';
import { type Document, type Operation, operationsOf, type Parameter, schemaOf } from './document.ts';
import { anyToken, brokenText, jsonTexts, type Schema } from './json-text.ts';

/** What the requests can name. The fuzzer makes it before it sends requests. */
export type World = {
  /** `Authorization` headers of users that may do everything. */
  authorizations: readonly string[];
  /** The same for operations that may end the key of their user, by `METHOD path`. */
  lastAuthorizations: Readonly<Record<string, readonly string[]>>;
  /** Those of other users, and wrong ones. */
  otherAuthorizations: readonly (string | undefined)[];
  /**
   * Good values of a parameter: by `path name` or, if the request deletes it, `DELETE path name`; otherwise
   * by name.
   */
  values: Record<string, readonly string[]>;
  /** Good bodies of an operation, by `METHOD path`, if its schema is not enough. */
  bodies: Record<string, readonly object[]>;
};

export type FuzzRequest = ApiRequest & { operation: string; headers: Record<string, string> };

type Pair = [name: string, value: string];

const seldom = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>, times: number) =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: other });

/** The text of a JSON value in a path, a query or a header. */
const plain = (token: string): string => {
  const value: unknown = JSON.parse(token);
  return typeof value === 'string' ? value : token;
};

const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '01',
    '1.0',
    '+1',
    '1e3',
    '9007199254740993',
    '9'.repeat(30),
    '9'.repeat(4400),
    'null',
    'true',
    'undefined',
    '..%2f..',
    'é',
    '\u0000',
    '\n',
    '😀',
    "' or 1=1 --",
    '<b>',
    '{{7*7}}',
    'a'.repeat(3000),
    '__proto__',
    'constructor',
    '[object Object]',
    '2026-11-22',
    '2026-13-40',
    'eyJhbGciOiJub25lIn0.e30.',
  ),
  anyToken.map(plain).map((text) => text.toWellFormed()),
);

/** Encodings in an address that stand for no text, or for another one than it seems. */
const oddEncoding = fc.constantFrom(
  '%',
  '%zz',
  '%ff',
  '%ed%a0%80',
  '%00',
  '%2F',
  '%252f',
  '+',
  ';',
  '%e2%80%ae',
  'a%0d%0ab',
);

const inAddress = (text: fc.Arbitrary<string>) =>
  seldom(
    text.map((each) => encodeURIComponent(each.toWellFormed())),
    oddEncoding,
    40,
  );

/** Visible text: the only one that can be sent in a header. */
const inHeader = (text: string): string => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').trim();

const contentTypes = [
  '',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/problem+json',
  'application/jsonx',
  'text/json',
  'text/plain',
  'text/html; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=a',
  'application/xml',
  '*/*',
  ';',
  'a/b/c',
];

const accepted = [
  'application/json',
  '*/*',
  'text/csv',
  'application/jsonl',
  'application/x-ndjson;q=0.5, text/markdown',
  'text/html',
  'application/xml',
  'a',
  '',
  ',',
  'text/csv;q=0',
  ';q=1',
  'text/*',
  'application/json;q=abc',
];

/** Headers that operations do not declare. */
const otherHeaders: fc.Arbitrary<Pair> = fc.oneof(
  fc.constantFrom(...accepted).map((value): Pair => ['Accept', value]),
  fc
    .constantFrom('gzip', 'br, gzip;q=0', 'identity', '*', 'gzip;q=0.5, *;q=0', '')
    .map((value): Pair => ['Accept-Encoding', value]),
  fc.constantFrom('*', '"x"', 'W/"x"', '', ',,').map((value): Pair => ['If-None-Match', value]),
  fc.constantFrom<Pair>(
    ['Host', 'evil.example'],
    ['X-Forwarded-For', '1.2.3.4, 5'],
    ['X-Forwarded-Proto', 'http'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['Origin', 'https://evil.example'],
    ['Content-Encoding', 'gzip'],
    ['Content-Length', '1'],
    ['Expect', '100-continue'],
    ['Range', 'bytes=0-1'],
    ['Cookie', 'a=b'],
    ['Idempotency-Key', 'other'],
    ['Transfer-Encoding', 'chunked'],
    ['Upgrade', 'websocket'],
    ['X-Unknown', 'é'],
  ),
);

const addresses = fc.oneof(
  { weight: 60, arbitrary: fc.ipV4() },
  { weight: 1, arbitrary: fc.constantFrom('127.0.0.1', '::1', 'unknown') },
);

const replaced = (template: string, values: readonly Pair[]): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => values.find(([each]) => each === name)?.[1] ?? '');

/** The fields of a JSON object as a form. */
const asForm = (token: string): string => {
  const value: unknown = JSON.parse(token);
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(
    ([name, each]): Pair => [name, typeof each === 'string' ? each : JSON.stringify(each)],
  );
  return new URLSearchParams(
    pairs.map(([name, each]) => [name.toWellFormed(), each.toWellFormed()] as Pair),
  ).toString();
};

/** Random requests, each operation about equally often. */
export const requestsTo = (document: Document, world: World): fc.Arbitrary<FuzzRequest> => {
  const texts = jsonTexts((reference) => schemaOf(document, reference));

  const known = (path: string, name: string) => world.values[`${path} ${name}`] ?? world.values[name];

  const good = (path: string, { name, schema, example }: Parameter): fc.Arbitrary<string> => {
    const values = known(path, name) ?? (example === undefined ? undefined : [String(example)]);
    const valid = texts.valid(schema).map(plain);
    return values ? seldom(fc.constantFrom(...values), valid, 4) : valid;
  };

  const textFor = (path: string, parameter: Parameter): fc.Arbitrary<string> => {
    // A deletion by chance would end what other requests name.
    const nameable = path.startsWith('DELETE ') ? [world.values.foreign ?? []] : Object.values(world.values);
    const others = [...new Set(nameable.flat())];
    return seldom(good(path, parameter), fc.oneof(oddText, fc.constantFrom(...others)), 5);
  };

  const pathOf = ({ method, path, parameters }: Operation): fc.Arbitrary<string> => {
    const values = parameters
      .filter((each) => each.in === 'path')
      .map((each) =>
        inAddress(textFor(method === 'DELETE' ? `DELETE ${path}` : path, each)).map(
          (value): Pair => [each.name, value],
        ),
      );
    return fc
      .tuple(fc.tuple(...values), fc.constantFrom('', '', '', '', '', '', '/'))
      .map(([pairs, slash]) => {
        const whole = replaced(path, pairs);
        return whole.endsWith('/') ? whole : whole + slash;
      });
  };

  const queryOf = ({ path, parameters }: Operation): fc.Arbitrary<string> => {
    const declared = parameters
      .filter((each) => each.in === 'query')
      .map((each) => {
        const present = inAddress(textFor(path, each)).map((value) => `${each.name}=${value}`);
        const absent = { weight: each.required ? 1 : 20, arbitrary: fc.constant('') };
        return fc.oneof(
          absent,
          { weight: 10, arbitrary: present },
          {
            weight: 1,
            arbitrary: fc.tuple(present, present).map((both) => both.join('&')),
          },
        );
      });
    const surplus = fc.constantFrom(
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
      'other=1',
      '=',
      '&&',
      '__proto__=1',
      'x',
      'format',
      '%ff=%',
    );
    return fc.tuple(...declared, surplus).map((parts) => {
      const query = parts.filter((part) => part !== '').join('&');
      return query && `?${query}`;
    });
  };

  const headersOf = ({
    method,
    path,
    parameters,
    security,
  }: Operation): fc.Arbitrary<Record<string, string>> => {
    const declared = parameters
      .filter((each) => each.in === 'header')
      .map((each) =>
        fc.option(
          textFor(path, each).map((value): Pair => [each.name, inHeader(value)]),
          { freq: 1 },
        ),
      );
    const authorization = seldom<string | undefined>(
      fc.constantFrom(...(world.lastAuthorizations[`${method} ${path}`] ?? world.authorizations)),
      fc.constantFrom(...world.otherAuthorizations),
      security === undefined ? 12 : 1,
    ).map((value): Pair | null => (value === undefined ? null : ['Authorization', value]));
    return fc
      .tuple(authorization, fc.array(otherHeaders, { maxLength: 2 }), ...declared)
      .map(([first, others, ...rest]) =>
        Object.fromEntries([...others, ...rest, first].filter((pair) => pair !== null)),
      );
  };

  const bodyFor = (operation: string, type: string, schema: Schema): fc.Arbitrary<string | null> => {
    const own = world.bodies[operation];
    const good = own ? fc.constantFrom(...own.map((body) => JSON.stringify(body))) : texts.valid(schema);
    const asBody = (tokens: fc.Arbitrary<string>) =>
      type === 'application/json' ? tokens : tokens.map(asForm);
    return fc.oneof<[fc.WeightedArbitrary<string>, ...fc.WeightedArbitrary<string | null>[]]>(
      { weight: 6, arbitrary: asBody(good) },
      { weight: 10, arbitrary: asBody(texts.odd(schema)) },
      { weight: 2, arbitrary: anyToken },
      { weight: 1, arbitrary: brokenText },
      { weight: 1, arbitrary: fc.constant(null) },
    );
  };

  const payloadOf = ({
    method,
    path,
    requestBody,
  }: Operation): fc.Arbitrary<{ body: string | null; type: string | null }> => {
    const [type = '', media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const body = media?.schema
      ? bodyFor(`${method} ${path}`, type, media.schema)
      : seldom<string | null>(fc.constant(null), anyToken, 12);
    return fc.record({
      body,
      type: seldom<string | null>(fc.constant(type || null), fc.constantFrom(null, ...contentTypes), 16),
    });
  };

  const operations = operationsOf(document);
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'get', 'X'];

  /** Methods that no operation at the path has: a deletion by chance would end what other requests name. */
  const otherMethods = (path: string) =>
    fc.constantFrom(
      ...methods.filter((method) => !operations.some((each) => each.path === path && each.method === method)),
    );

  const requestTo = (operation: Operation): fc.Arbitrary<FuzzRequest> => {
    const usual =
      operation.method === 'GET'
        ? fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD')
        : fc.constant(operation.method);
    return fc
      .record({
        method: seldom(usual, otherMethods(operation.path), 25),
        path: pathOf(operation),
        query: queryOf(operation),
        headers: headersOf(operation),
        payload: payloadOf(operation),
        sourceIp: addresses,
      })
      .map(({ method, path, query, headers, payload: { body, type }, sourceIp }) => ({
        operation: `${operation.method} ${operation.path}`,
        method,
        path: path + query,
        headers: { ...(type !== null && { 'Content-Type': type }), ...headers },
        body,
        sourceIp,
      }));
  };

  const segments = fc.constantFrom(
    'api',
    'v1',
    'v2',
    'v3',
    'serp',
    'crawl',
    'google',
    'batch',
    'users',
    'me',
    'docs',
    '1',
    '',
    '..',
    '%',
    'é',
  );
  const strayPath = fc.oneof(
    fc
      .array(segments, { maxLength: 6 })
      .map((parts) => `/${parts.map((part) => (part === 'é' ? '%C3%A9' : part)).join('/')}`),
    fc.constantFrom(...operations.map(({ path }) => path)),
    fc.constantFrom(...operations.map(({ path }) => `${path}/x`)),
  );
  const stray = fc.record({ method: fc.constantFrom(...methods), path: strayPath, sourceIp: addresses }).map(
    (request): FuzzRequest => ({
      ...request,
      operation: 'none',
      headers: { Authorization: world.authorizations[0] ?? '' },
      body: null,
    }),
  );

  return fc.oneof(...operations.map(requestTo), stray);
};
