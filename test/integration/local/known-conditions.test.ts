/** Tables that parse a condition once answer as dynalite does, whatever the values of the condition. */
import dynalite from 'dynalite';
import parser from 'dynalite/db/conditionParser.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openServer } from '../../../infra/local/stores/dynalite-patches.ts';
import { parseOnce } from '../../../infra/local/stores/known-conditions.ts';
import { askTables } from '../../../infra/local/stores/table-calls.ts';
import { TableName, table } from './fixtures/things-table.ts';

type Server = ReturnType<typeof dynalite>;

const ask = (server: Server, operation: string, input: object) =>
  new Promise<{ status: number; text: string }>((resolve) =>
    askTables(server, operation, JSON.stringify(input), (status, text) => resolve({ status, text })),
  );

const { parse } = parser;
const counted = vi.fn(parse);

/** The tables of dynalite, and those that parse a condition once. */
let plain: Server;
let patched: Server;

/** A table with three items, in memory. */
const withItems = async (server: Server): Promise<Server> => {
  await ask(server, 'CreateTable', table);
  await vi.waitUntil(async () => (await ask(server, 'Scan', { TableName })).status === 200);
  for (const id of [1, 2, 3]) {
    const Item = {
      shelf: { S: 'a' },
      id: { N: String(id) },
      name: { S: `n${id}` },
      tags: { SS: ['x', 'y'] },
    };
    await ask(server, 'PutItem', { TableName, Item });
  }
  return server;
};
beforeAll(async () => {
  plain = await withItems(dynalite({ createTableMs: 0 }));
  patched = await withItems((await openServer()).server);
  parser.parse = counted;
  await parseOnce(patched);
});
afterAll(() => {
  parser.parse = parse;
});

/** The answer of the patched tables, which must be that of dynalite. */
const answerTo = async (operation: string, input: object) => {
  const { parse: parseKnown } = parser;
  const answer = await ask(patched, operation, { TableName, ...input });
  parser.parse = parse;
  const expected = await ask(plain, operation, { TableName, ...input });
  parser.parse = parseKnown;
  expect(answer).toEqual(expected);
  return answer;
};

const range = (from: string, to: string, more = {}) => ({
  KeyConditionExpression: 'shelf = :shelf AND id BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':shelf': { S: 'a' }, ':from': { N: from }, ':to': { N: to } },
  ...more,
});

test('a condition is parsed once, and each request has the answer of its own values', async () => {
  counted.mockClear();

  const counts: number[] = [];
  for (const input of [range('1', '2'), range('2', '3'), range('4', '5'), range('3', '3')]) {
    counts.push(JSON.parse((await answerTo('Query', input)).text).Count);
  }

  expect(counts).toEqual([2, 2, 0, 1]);
  expect(counted).toHaveBeenCalledTimes(1);
});

const values = (given: object) => ({ ExpressionAttributeValues: given });
const filtered = (FilterExpression: string, given: object, more = {}) => ({
  KeyConditionExpression: 'shelf = :shelf',
  FilterExpression,
  ...values({ ':shelf': { S: 'a' }, ...given }),
  ...more,
});
const putIf = (ConditionExpression: string, given: object, more = {}) => ({
  Item: { shelf: { S: 'b' }, id: { N: '1' } },
  ConditionExpression,
  ...(Object.keys(given).length > 0 && values(given)),
  ...more,
});

test.each<[what: string, operation: string, ...inputs: object[]]>([
  ['bounds in the wrong order', 'Query', range('1', '2'), range('2', '1'), range('1', '2')],
  [
    'other types of values',
    'Query',
    range('1', '2'),
    { ...range('1', '2'), ...values({ ':shelf': { N: '1' } }) },
  ],
  ['a value that is not a number', 'Query', range('1', '2'), range('1', 'two')],
  [
    'a value that is not used',
    'Query',
    range('1', '2'),
    {
      ...range('1', '2'),
      ...values({ ...range('1', '2').ExpressionAttributeValues, ':more': { N: '1' } }),
    },
  ],
  [
    'a name that is not used',
    'Query',
    range('1', '2'),
    range('1', '2', { ExpressionAttributeNames: { '#a': 'b' } }),
  ],
  [
    'a name of another attribute',
    'Query',
    filtered('#n = :n', { ':n': { S: 'n1' } }, { ExpressionAttributeNames: { '#n': 'name' } }),
    filtered('#n = :n', { ':n': { S: 'n2' } }, { ExpressionAttributeNames: { '#n': 'other' } }),
    filtered('#n = :n', { ':n': { S: 'n2' } }, { ExpressionAttributeNames: { '#n': 'name' } }),
  ],
  [
    'a value that two conditions use',
    'Query',
    filtered('#n <> :shelf', {}, { ExpressionAttributeNames: { '#n': 'name' } }),
    filtered('#n = :shelf', {}, { ExpressionAttributeNames: { '#n': 'name' } }),
    filtered('#n <> :shelf', {}, { ExpressionAttributeNames: { '#n': 'name' } }),
  ],
  [
    'the name of a type',
    'Query',
    filtered('attribute_type(tags, :type)', { ':type': { S: 'SS' } }),
    filtered('attribute_type(tags, :type)', { ':type': { S: 'S' } }),
    filtered('attribute_type(tags, :type)', { ':type': { S: 'no type' } }),
  ],
  [
    'a value of a type that a function does not take',
    'Query',
    filtered('begins_with(tags, :start)', { ':start': { S: 'x' } }),
    filtered('begins_with(tags, :start)', { ':start': { N: '1' } }),
  ],
  [
    'functions, IN and parentheses',
    'Query',
    filtered('(contains(tags, :tag) OR size(tags) > :size) AND NOT id IN (:a, :b)', {
      ':tag': { S: 'x' },
      ':size': { N: '9' },
      ':a': { N: '1' },
      ':b': { N: '2' },
    }),
    filtered('(contains(tags, :tag) OR size(tags) > :size) AND NOT id IN (:a, :b)', {
      ':tag': { S: 'z' },
      ':size': { N: '1' },
      ':a': { N: '3' },
      ':b': { N: '2' },
    }),
    filtered('(contains(tags, :tag) OR size(tags) > :size) AND NOT id IN (:a, :b)', {
      ':tag': { S: 'z' },
      ':size': { N: '2' },
      ':a': { N: '3' },
      ':b': { N: '2' },
    }),
  ],
  [
    'operands in the other order',
    'Query',
    {
      KeyConditionExpression: ':shelf = shelf AND :id < id',
      ...values({ ':shelf': { S: 'a' }, ':id': { N: '1' } }),
    },
    {
      KeyConditionExpression: ':shelf = shelf AND :id < id',
      ...values({ ':shelf': { S: 'a' }, ':id': { N: '2' } }),
    },
  ],
  [
    'a condition of a write',
    'PutItem',
    putIf('attribute_not_exists(shelf)', {}),
    putIf('attribute_not_exists(shelf)', {}),
    putIf('id = :id', { ':id': { N: '1' } }),
    putIf('id = :id', { ':id': { N: '2' } }),
  ],
  [
    'a syntax error',
    'PutItem',
    putIf('id = = :id', { ':id': { N: '1' } }),
    putIf('id = = :id', { ':id': { N: '1' } }),
  ],
  [
    'a reserved word',
    'PutItem',
    putIf('name = :id', { ':id': { N: '1' } }),
    putIf('name = :id', { ':id': { N: '1' } }),
  ],
])('with %s, the answers are those of dynalite', async (_, operation, ...inputs) => {
  for (const input of inputs) await answerTo(operation, input);
});
