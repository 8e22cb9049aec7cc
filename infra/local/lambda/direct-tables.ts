/** Lets the document client of this thread call the tables of the embedded stack without HTTP. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { connectToTables, type TableAnswer, type TableConnection } from '../stores/table-calls.ts';
import { itemFromWire, itemToWire, type WireItem } from '../stores/wire-values.ts';
import { countRequest } from './work.ts';

/** Fields that have an item, a key or a map of values. */
const ofItem: readonly string[] = [
  'Attributes',
  'ExclusiveStartKey',
  'ExpressionAttributeValues',
  'Item',
  'Key',
  'LastEvaluatedKey',
];

/** Fields that have a list of them. */
const ofItems: readonly string[] = ['Items', 'Keys'];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A copy of an input or output in which each item, key and map of values is converted. */
const withItems = (value: object, convert: (item: never) => object): Record<string, unknown> => {
  const all = (items: unknown) => (items as never[]).map(convert);
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (!isObject(field)) copy[name] = field;
    else if (ofItem.includes(name)) copy[name] = convert(field as never);
    else if (ofItems.includes(name)) copy[name] = all(field);
    else if (name === 'Responses')
      copy[name] = Object.fromEntries(Object.entries(field).map(([table, items]) => [table, all(items)]));
    else if (Array.isArray(field))
      copy[name] = field.map((each) => (isObject(each) ? withItems(each, convert) : each));
    else copy[name] = withItems(field, convert);
  }
  return copy;
};

const isRefused = ({ status, body }: TableAnswer): boolean =>
  status === 400 && String(body.__type).endsWith('#ConditionalCheckFailedException');

/**
 * Lets this client call the tables at this address without HTTP from now on, if they accept it: a proxy and
 * other emulators do not. A call that fails is made again over HTTP, with the errors and the retries of the
 * SDK. A condition that is not met is no failure. Resolves when the tables have answered.
 */
export const callTablesDirectly = async (client: DynamoDBDocumentClient, endpoint: string): Promise<void> => {
  let connection: TableConnection | null = null;
  const call = async (commandName: string, input: object): Promise<TableAnswer | null> => {
    if (!connection) return null;
    const wire = withItems(input, itemToWire);
    return connection.call(commandName.replace(/Command$/, ''), wire).catch(() => null);
  };
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const answer = await call(commandName, args.input);
        if (answer) countRequest('DynamoDB');
        if (answer && isRefused(answer)) {
          throw new ConditionalCheckFailedException({
            message: String(answer.body.message),
            $metadata: { httpStatusCode: answer.status },
          });
        }
        if (answer?.status !== 200) return next(args);
        const output = withItems(answer.body, (item: WireItem) => itemFromWire(item));
        return { output: { $metadata: { httpStatusCode: answer.status }, ...output }, response: {} };
      },
    // The last one of its step, so those of the service are before it. After it, the SDK writes and signs a
    // request.
    { step: 'initialize', priority: 'low', name: 'callTablesDirectly' },
  );
  connection = await connectToTables(endpoint);
};
