/**
 * Wrong values for every field, path value and query value of the OpenAPI document: status, `loc` and `type`
 * of the error, as pydantic 2 gives them. A new operation is tested as soon as it exists.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openapi } from '../../lib/reference/openapi.ts';
import { type Document, type Operation, operationsOf, schemaOf } from '../fuzz/document.ts';
import { branchesOf, type Schema } from '../fuzz/json-text.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let authorization: string;
beforeAll(async () => {
  service = await startService();
  const { apiKey } = await service.createAccount({ rate_limit: 0, permissions: ['admin', 'engines'] });
  authorization = `Bearer ${apiKey}`;
});
afterAll(() => service.stop());

const document: Document = JSON.parse(JSON.stringify(openapi()));

/** A text of JSON, and the type of the error that it gets. */
type Wrong = [token: string, type: string];

const json = (value: unknown): string => JSON.stringify(value);

const resolved = (schema: Schema): Schema =>
  schema.$ref ? { ...resolved(schemaOf(document, schema.$ref)) } : schema;

const wrongTexts = ({ minLength = 0, maxLength, pattern }: Schema): Wrong[] => [
  ['1', 'string_type'],
  ['true', 'string_type'],
  ['[]', 'string_type'],
  ['{}', 'string_type'],
  ['1.5', 'string_type'],
  ['"\\ud800"', 'string_unicode'],
  ...(minLength > 0 ? [['""', 'string_too_short'] satisfies Wrong] : []),
  ...(maxLength === undefined ? [] : [[json('é'.repeat(maxLength + 1)), 'string_too_long'] satisfies Wrong]),
  ...(pattern?.startsWith('^') ? [['"\\u0007\\u0007"', 'string_pattern_mismatch'] satisfies Wrong] : []),
];

/** The type of the error if the rule that the document shows is one that pydantic does not have. */
const ownTypes: Record<string, string> = {
  engine_domain: 'value_error',
  language_code: 'value_error',
  loc_id: 'value_error',
  location_code: 'value_error',
  postback_url: 'url_parsing',
};
const shownRules = ['string_pattern_mismatch', 'greater_than_equal', 'less_than_equal'];

const isSafe = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

const wrongIntegers = ({ minimum, maximum }: Schema): Wrong[] => [
  ['"x"', 'int_parsing'],
  ['""', 'int_parsing'],
  ['"1.5"', 'int_parsing'],
  ['1.5', 'int_from_float'],
  ['1e400', 'finite_number'],
  ['[]', 'int_type'],
  ['{}', 'int_type'],
  ...(isSafe(minimum) ? [[json(minimum - 1), 'greater_than_equal'] satisfies Wrong] : []),
  ...(isSafe(maximum) ? [[json(maximum + 1), 'less_than_equal'] satisfies Wrong] : []),
  ...(isSafe(minimum) || isSafe(maximum) ? [] : [['9007199254740993', 'int_parsing_size'] satisfies Wrong]),
];

const wrongBooleans: Wrong[] = [
  ['"maybe"', 'bool_parsing'],
  ['2', 'bool_parsing'],
  ['1.5', 'bool_type'],
  ['[]', 'bool_type'],
  ['{}', 'bool_type'],
];

const wrongWords: Wrong[] = [
  ['"no word"', 'enum'],
  ['""', 'enum'],
  ['1', 'enum'],
  ['[]', 'enum'],
];

const wrongLists = ({ maxItems }: Schema): Wrong[] => [
  ['"x"', 'list_type'],
  ['1', 'list_type'],
  ['{}', 'list_type'],
  ...(maxItems === undefined ? [] : [[json(Array(maxItems + 1).fill(1)), 'too_long'] satisfies Wrong]),
];

/** Values that a field refuses. None for a field with several types. */
const wrongFor = (given: Schema): Wrong[] => {
  const schema = resolved(given);
  const branches = branchesOf(schema);
  const some = (branches.length > 0 ? branches : [schema]).map(resolved);
  const isNullable = some.some(({ type }) => type === 'null');
  const [one, ...others] = some.filter(({ type }) => type !== 'null');
  if (!one || others.length > 0) return [];
  const isNumeric = one.type === 'integer';
  const nothing: Wrong = [
    'null',
    one.enum && !isNumeric
      ? 'enum'
      : ({ string: 'string_type', integer: 'int_type', boolean: 'bool_type' }[String(one.type)] ??
        'list_type'),
  ];
  const wrong = isNumeric
    ? wrongIntegers(one)
    : one.enum
      ? wrongWords
      : one.type === 'string'
        ? wrongTexts(one)
        : one.type === 'boolean'
          ? wrongBooleans
          : one.type === 'array'
            ? wrongLists(one)
            : null;
  return wrong ? [...wrong, ...(isNullable ? [] : [nothing])] : [];
};

const pathOf = ({ path, parameters = [] }: Operation, changes: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((each) => each.name === name)?.schema;
    return changes[name] ?? encodeURIComponent(String(schema?.enum?.[0] ?? 1));
  });

const call = async (
  operation: Operation,
  path: string,
  body: string | null,
  headers: Record<string, string> = {},
) => {
  const answer = await service.call({
    method: operation.method,
    path,
    body,
    headers: { Authorization: authorization, ...headers },
  });
  const { detail } = answer.body ? JSON.parse(answer.body) : { detail: undefined };
  return { status: answer.status, detail };
};

type Fault = { loc: (string | number)[]; type: string };

/** The types of the errors at a place. */
const typesAt = (detail: unknown, loc: (string | number)[]): string[] =>
  Array.isArray(detail)
    ? (detail as Fault[]).filter((fault) => fault.loc.join('/') === loc.join('/')).map(({ type }) => type)
    : [];

type Body = { name: string; operation: Operation; isList: boolean; schema: Schema };

const bodies: Body[] = operationsOf(document).flatMap((operation) => {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return [];
  const whole = resolved(schema);
  const isList = whole.type === 'array';
  const one = isList && whole.items ? resolved(whole.items) : whole;
  return one.properties
    ? [{ name: `${operation.method} ${operation.path}`, operation, isList, schema: one }]
    : [];
});

const exampleOf = (schema: Schema): string =>
  json(resolved(schema).examples?.[0] ?? schema.examples?.[0] ?? 'x');

/** The body of an operation: its required fields, one of them replaced or left out. */
const bodyWith = ({ schema, isList }: Body, field: string, token: string | null): string => {
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties)
    .filter(([name]) => required.includes(name) && name !== field)
    .map(([name, each]) => `${json(name)}:${exampleOf(each)}`);
  const text = `{${[...members, ...(token === null ? [] : [`${json(field)}:${token}`])].join(',')}}`;
  return isList ? `[${text}]` : text;
};

describe.each(bodies)('the body of $name', (body) => {
  const { operation, isList, schema } = body;
  const at = isList ? ['body', 0] : ['body'];
  const path = pathOf(operation);
  const fields = Object.entries(schema.properties ?? {});
  const cases = fields.flatMap(([field, each]) =>
    wrongFor(each).map(([token, type]) => ({
      field,
      token,
      type: (shownRules.includes(type) && ownTypes[field]) || type,
      shown: token.slice(0, 30),
    })),
  );

  test.each(cases)('$field: $shown is $type', async ({ field, token, type }) => {
    const { status, detail } = await call(operation, path, bodyWith(body, field, token));

    expect({ status, types: typesAt(detail, [...at, field]) }).toEqual({ status: 422, types: [type] });
  });

  const { required = [] } = schema;
  if (required.length > 0)
    test.each(required)('without %s', async (field) => {
      const { status, detail } = await call(operation, path, bodyWith(body, field, null));

      expect({ status, types: typesAt(detail, [...at, field]) }).toEqual({ status: 422, types: ['missing'] });
    });

  const whole = isList ? 'list_type' : 'model_attributes_type';
  test.each([
    ['null', 'missing'],
    ['"x"', whole],
    ['1', whole],
    ['true', whole],
    [isList ? '{}' : '[]', whole],
  ])('%s is %s', async (text, type) => {
    const { status, detail } = await call(operation, path, text);

    expect({ status, types: typesAt(detail, ['body']) }).toEqual({ status: 422, types: [type] });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=a',
  ])('of type %s is no JSON', async (type) => {
    const { status, detail } = await call(operation, path, isList ? '[{}]' : '{}', { 'Content-Type': type });

    expect({ status, types: typesAt(detail, ['body']) }).toEqual({ status: 422, types: [whole] });
  });

  test('that is missing', async () => {
    const { status, detail } = await call(operation, path, null);

    expect({ status, types: typesAt(detail, ['body']) }).toEqual({ status: 422, types: ['missing'] });
  });

  test.each(['{', '{"a":1,}', '[1', "{'a':1}", 'NaN', '', ' '].filter((text) => text !== ''))(
    '%s is 400',
    async (text) => {
      expect((await call(operation, path, text)).status).toBe(400);
    },
  );

  if (isList) {
    test('[] is 400', async () => {
      expect((await call(operation, path, '[]')).status).toBe(400);
    });

    test.each([
      ['null', 'model_attributes_type'],
      ['1', 'model_attributes_type'],
      ['[]', 'model_attributes_type'],
      ['"x"', 'model_attributes_type'],
    ])('[%s] is %s', async (text, type) => {
      const { status, detail } = await call(operation, path, `[${text}]`);

      expect({ status, types: typesAt(detail, ['body', 0]) }).toEqual({ status: 422, types: [type] });
    });
  }
});

const values = operationsOf(document).flatMap((operation) =>
  operation.parameters.map((parameter) => ({
    name: `${operation.method} ${operation.path}`,
    operation,
    parameter,
  })),
);

const isOfType = (type: string, place: string) => (each: (typeof values)[number]) =>
  each.parameter.in === place &&
  resolved(each.parameter.schema).type === type &&
  !resolved(each.parameter.schema).enum;

describe.each(values.filter(isOfType('integer', 'path')))(
  'the path of $name',
  ({ operation, parameter: { name } }) => {
    test.each(['x', '01', '1.0', '%2B1', '%201', '-0', '1e3', '1_0', '%D9%A3', '-', 'null', '1%00'])(
      '%s is int_parsing',
      async (text) => {
        const { status, detail } = await call(operation, pathOf(operation, { [name]: text }), null);

        expect({ status, types: typesAt(detail, ['path', name]) }).toEqual({
          status: 422,
          types: ['int_parsing'],
        });
      },
    );

    // A body is checked before the thing is looked up.
    if (operation.requestBody) return;
    test.each(['0', '-1', '9007199254740993', '9'.repeat(400)])('%s is 404', async (text) => {
      expect((await call(operation, pathOf(operation, { [name]: text }), null)).status).toBe(404);
    });
  },
);

describe.each(values.filter(({ parameter }) => parameter.in === 'path' && resolved(parameter.schema).enum))(
  'the path of $name',
  ({ operation, parameter: { name } }) => {
    test.each(['Google', 'x', '1', '%20google'])('%s is enum', async (text) => {
      const { status, detail } = await call(operation, pathOf(operation, { [name]: text }), null);

      expect({ status, types: typesAt(detail, ['path', name]) }).toEqual({ status: 422, types: ['enum'] });
    });
  },
);

const withQuery = (operation: Operation, name: string, text: string): string => {
  const others = operation.parameters.filter(
    (each) => each.in === 'query' && each.required && each.name !== name,
  );
  const query = others.map((each) => `${each.name}=${encodeURIComponent(String(each.example ?? 'x'))}`);
  return `${pathOf(operation)}?${[...query, `${name}=${text}`].join('&')}`;
};

describe.each(values.filter(isOfType('integer', 'query')))(
  '$parameter.name of $name',
  ({ operation, parameter: { name, schema } }) => {
    const { minimum, maximum } = resolved(schema);
    test.each([
      ['x', 'int_parsing'],
      ['', 'int_parsing'],
      ['1.5', 'int_parsing'],
      ['true', 'int_parsing'],
      ['%2D', 'int_parsing'],
      ...(isSafe(minimum) ? [[String(minimum - 1), 'greater_than_equal']] : []),
      ...(isSafe(maximum)
        ? [[String(maximum + 1), 'less_than_equal']]
        : [['9007199254740993', isSafe(minimum) ? 'less_than_equal' : 'int_parsing_size']]),
    ])('%s is %s', async (text, type) => {
      const { status, detail } = await call(operation, withQuery(operation, name, text), null);

      expect({ status, types: typesAt(detail, ['query', name]) }).toEqual({ status: 422, types: [type] });
    });
  },
);

describe.each(values.filter(({ parameter }) => parameter.in === 'query' && resolved(parameter.schema).enum))(
  '$parameter.name of $name',
  ({ operation, parameter: { name } }) => {
    test.each(['no', '', '1', 'SUCCESS'])('%s is enum', async (text) => {
      const { status, detail } = await call(operation, withQuery(operation, name, text), null);

      expect({ status, types: typesAt(detail, ['query', name]) }).toEqual({ status: 422, types: ['enum'] });
    });
  },
);

// A cursor of a list of a thing is read after the thing is found.
const cursors = values.filter(
  ({ operation, parameter: { name } }) => name === 'cursor' && !operation.path.includes('{'),
);

describe.each(cursors)('cursor of $name', ({ operation }) => {
  test.each(['x', '%00', 'eyJhIjoxfQ', 'null', '1'.repeat(3000), '%F0%9F%98%80'])(
    '%s is value_error',
    async (text) => {
      const { status, detail } = await call(operation, withQuery(operation, 'cursor', text), null);

      expect({ status, types: typesAt(detail, ['query', 'cursor']) }).toEqual({
        status: 422,
        types: ['value_error'],
      });
    },
  );
});

describe.each(values.filter(({ parameter: { name } }) => name === 'iso_code'))(
  'iso_code of $name',
  ({ operation }) => {
    test.each([
      ['USA', 'string_pattern_mismatch'],
      ['U', 'string_pattern_mismatch'],
      ['', 'string_pattern_mismatch'],
      ['ZZ', 'value_error'],
    ])('%s is %s', async (text, type) => {
      const { status, detail } = await call(operation, withQuery(operation, 'iso_code', text), null);

      expect({ status, types: typesAt(detail, ['query', 'iso_code']) }).toEqual({
        status: 422,
        types: [type],
      });
    });
  },
);
