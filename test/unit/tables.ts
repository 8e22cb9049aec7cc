/**
 * Tables in memory, in the place of DynamoDB's client: for unit tests of code whose conditions and counters
 * matter. Evaluates the expressions that `lib/store` writes, and refuses those that it does not know.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type ServiceOutputTypes,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { schemas, type TableSchema } from '../../lib/store/schema.ts';

type Item = Record<string, unknown>;

type Expressions = {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
};

const tokensOf = (text: string): string[] => text.match(/[#:]?[\w.]+|<>|<=|>=|[<>=(),+-]/g) ?? [];

/**
 * Reads one expression from the left to the right. `item`: the item before the write; absent attributes are
 * undefined.
 */
const reader = (
  text: string,
  item: Item,
  { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }: Expressions,
) => {
  const tokens = tokensOf(text);
  const peek = () => tokens[0];
  const next = () => tokens.shift() ?? '';
  const expect = (token: string) => {
    const found = next();
    if (found !== token) throw new Error(`${token} expected, not ${found}: ${text}`);
  };
  const nameOf = (token: string) => (token.startsWith('#') ? (names[token] ?? token) : token);

  const operand = (): unknown => {
    const token = next();
    if (token === 'if_not_exists') {
      expect('(');
      const found = item[nameOf(next())];
      expect(',');
      const other = operand();
      expect(')');
      return found ?? other;
    }
    if (!token.startsWith(':')) return item[nameOf(token)];
    if (!(token in values)) throw new Error(`${token} has no value: ${text}`);
    return values[token];
  };

  const sum = (): unknown => {
    let result = operand();
    while (peek() === '+') {
      next();
      result = Number(result) + Number(operand());
    }
    return result;
  };

  const compare = (left: unknown, operator: string, right: unknown): boolean => {
    // A comparison with an absent attribute fails.
    if (left === undefined || right === undefined) return false;
    if (operator === '=') return left === right;
    if (operator === '<>') return left !== right;
    const [a, b] = [left, right] as [number, number];
    const results: Record<string, boolean> = { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b };
    const result = results[operator];
    if (result === undefined) throw new Error(`${operator} is not known: ${text}`);
    return result;
  };

  const list = (): unknown[] => {
    expect('(');
    const all = [operand()];
    while (peek() === ',') {
      next();
      all.push(operand());
    }
    expect(')');
    return all;
  };

  const term = (): boolean => {
    if (peek() === '(') {
      next();
      const result = any();
      expect(')');
      return result;
    }
    if (peek() === 'attribute_not_exists') {
      next();
      expect('(');
      const result = item[nameOf(next())] === undefined;
      expect(')');
      return result;
    }
    if (peek() === 'begins_with') {
      next();
      const [whole, start] = list();
      return String(whole).startsWith(String(start));
    }
    const left = operand();
    const operator = next();
    if (operator === 'IN') return list().includes(left);
    if (operator !== 'BETWEEN') return compare(left, operator, operand());
    const from = operand();
    expect('AND');
    return compare(left, '>=', from) && compare(left, '<=', operand());
  };

  const all = (): boolean => {
    let result = term();
    while (peek() === 'AND') {
      next();
      result = term() && result;
    }
    return result;
  };

  const any = (): boolean => {
    let result = all();
    while (peek() === 'OR') {
      next();
      result = all() || result;
    }
    return result;
  };

  /** The item after an update, and the attributes that it sets. */
  const update = (): { after: Item; changed: string[] } => {
    const after = { ...item };
    const changed: string[] = [];
    let clause = '';
    while (tokens.length > 0) {
      if (['SET', 'ADD', 'REMOVE'].includes(peek() ?? '')) clause = next();
      else expect(',');
      const name = nameOf(next());
      changed.push(name);
      if (clause === 'REMOVE') delete after[name];
      else if (clause === 'ADD') after[name] = Number(item[name] ?? 0) + Number(operand());
      else {
        expect('=');
        after[name] = sum();
      }
    }
    return { after, changed };
  };

  return { condition: any, update };
};

const schemaOf = (table: string): TableSchema => {
  const found = Object.values<TableSchema>(schemas).find(({ variable }) => process.env[variable] === table);
  if (!found) throw new Error(`There is no table ${table}`);
  return found;
};

/** So many calls without a write that succeeds: the code repeats one that never can. */
const mostIdleCalls = 3000;

/** Starts empty tables. `put` writes an item, `items` gives those of a table, `clear` empties all. */
export const memoryTables = () => {
  const tables = new Map<string, Map<string, Item>>();
  let idleCalls = 0;
  const countCall = () => {
    idleCalls += 1;
    if (idleCalls > mostIdleCalls) throw new Error('The code repeats calls that change nothing');
  };
  const itemsOf = (table = '') => {
    const items = tables.get(table) ?? new Map<string, Item>();
    tables.set(table, items);
    return items;
  };
  const keyOf = (table: string, item: Item): string => {
    const { partitionKey, sortKey } = schemaOf(table);
    return JSON.stringify([item[partitionKey.name], sortKey && item[sortKey.name]]);
  };
  const find = (table: string, key: Item): Item => itemsOf(table).get(keyOf(table, key)) ?? {};
  const check = (condition: string | undefined, item: Item, expressions: Expressions) => {
    countCall();
    if (condition !== undefined && !reader(condition, item, expressions).condition()) {
      throw new ConditionalCheckFailedException({ message: 'The condition failed', $metadata: {} });
    }
    idleCalls = 0;
  };
  const pick = (item: Item, names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (name in item ? [[name, item[name]]] : [])));

  /** The answer to each class of command. The mock would compare a call with all of its answers in turn. */
  const answers = new Map<unknown, (input: never) => object>();
  const on = <Input extends object>(
    command: new (input: Input) => object,
    answer: (input: Input) => object,
  ): void => void answers.set(command, answer);
  on(GetCommand, ({ TableName: table = '', Key = {} }) => {
    countCall();
    const Item = itemsOf(table).get(keyOf(table, Key));
    return Item ? { Item: structuredClone(Item) } : {};
  });
  on(PutCommand, ({ TableName: table = '', Item = {}, ...input }) => {
    check(input.ConditionExpression, find(table, Item), input);
    itemsOf(table).set(keyOf(table, Item), structuredClone(Item));
    return {};
  });
  on(DeleteCommand, ({ TableName: table = '', Key = {}, ...input }) => {
    check(input.ConditionExpression, find(table, Key), input);
    itemsOf(table).delete(keyOf(table, Key));
    return {};
  });
  on(UpdateCommand, ({ TableName: table = '', Key = {}, ...input }) => {
    const before = find(table, Key);
    check(input.ConditionExpression, before, input);
    const { after, changed } = reader(input.UpdateExpression ?? '', before, input).update();
    itemsOf(table).set(keyOf(table, Key), { ...after, ...Key });
    const returned = { UPDATED_OLD: before, UPDATED_NEW: after }[String(input.ReturnValues)];
    return returned ? { Attributes: pick(returned, changed) } : {};
  });
  on(BatchGetCommand, ({ RequestItems = {} }) => ({
    Responses: Object.fromEntries(
      Object.entries<{ Keys?: Item[] }>(RequestItems).map(([table, { Keys = [] }]) => [
        table,
        Keys.flatMap((key) => itemsOf(table).get(keyOf(table, key)) ?? []).map((each) =>
          structuredClone(each),
        ),
      ]),
    ),
  }));
  on(BatchWriteCommand, ({ RequestItems = {} }) => {
    for (const [table, requests] of Object.entries<{ PutRequest?: { Item: Item | undefined } }[]>(
      RequestItems,
    )) {
      for (const { PutRequest } of requests) {
        if (!PutRequest?.Item) throw new Error('Only puts are known');
        itemsOf(table).set(keyOf(table, PutRequest.Item), structuredClone(PutRequest.Item));
      }
    }
    return {};
  });
  on(QueryCommand, ({ TableName: table = '', IndexName, ...input }) => {
    const { indexes = [], ...key } = schemaOf(table);
    const { sortKey } = indexes.find(({ name }) => name === IndexName) ?? key;
    const order = (item: Item) => Number(item[sortKey?.name ?? '']);
    const matching = [...itemsOf(table).values()]
      .filter((item) => reader(input.KeyConditionExpression ?? '', item, input).condition())
      .toSorted((a, b) => (input.ScanIndexForward === false ? order(b) - order(a) : order(a) - order(b)));
    const read = matching.slice(0, input.Limit);
    const filter = input.FilterExpression;
    return {
      Items: read.filter((item) => !filter || reader(filter, item, input).condition()),
      ScannedCount: read.length,
      ...(read.length < matching.length && { LastEvaluatedKey: read.at(-1) }),
    };
  });

  const client = mockClient(DynamoDBDocumentClient);
  const start = (): void => {
    idleCalls = 0;
    client.reset();
    client.send.callsFake(
      async ({ constructor: command, input }) => answers.get(command)?.(input as never) as ServiceOutputTypes,
    );
  };
  start();
  return {
    client,
    start,
    clear: () => {
      tables.clear();
      idleCalls = 0;
    },
    put: (variable: TableSchema['variable'], item: Item): void => {
      const table = process.env[variable] ?? '';
      itemsOf(table).set(keyOf(table, item), item);
    },
    items: (variable: TableSchema['variable']): Item[] => [...itemsOf(process.env[variable]).values()],
  };
};
