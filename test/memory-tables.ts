/**
 * DynamoDB's tables in this process: the document client calls them without a request, and dynalite's own
 * code evaluates conditions, updates and queries (`test/simulation/services/tables.ts`). Tests then take a
 * third to a half of the processor time that they take with requests to the emulated service.
 */
import * as sdk from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from 'dynalite/db/index.js';
import { AwsFault } from './simulation/code/sdk.ts';
import { newTables } from './simulation/services/tables.ts';
import { tableInputs } from './table-inputs.ts';

type ErrorClass = new (options: object) => Error;
type Send = DynamoDBDocumentClient['send'];

/** Before a test replaces the timers. */
const later = setImmediate;

/** The error as the SDK throws it. */
const thrown = ({ name, message, status }: AwsFault): Error => {
  const OfSdk: unknown = Reflect.get(sdk, name);
  const $metadata = { httpStatusCode: status };
  return typeof OfSdk === 'function'
    ? new (OfSdk as ErrorClass)({ message, $metadata })
    : new sdk.DynamoDBServiceException({ name, message, $metadata, $fault: 'client' });
};

/** `UpdateItemCommand` is `Update` there. */
const operationOf = (commandName: string): string => commandName.replace(/(Item)?Command$/, '');

/** Lets the document clients of this process use new, empty tables, until the returned function is called. */
export const useMemoryTables = (): (() => void) => {
  const definitions = tableInputs().map((input) => ({ ...input, TableStatus: 'ACTIVE' }));
  const tables = newTables(definitions as unknown as Table[], {
    indexDelay: () => 0,
    later: () => undefined,
  });
  const call = async (commandName: string, input: object): Promise<object> => {
    // Calls that are made together are all under way before the first one is answered.
    await new Promise<void>((resolve) => later(resolve));
    try {
      return tables.call(operationOf(commandName), { ...input });
    } catch (error) {
      throw error instanceof AwsFault ? thrown(error) : error;
    }
  };
  const connected = new WeakSet<object>();
  const connect = (client: DynamoDBDocumentClient): void => {
    if (connected.has(client)) return;
    connected.add(client);
    // The last one of the first step: those of the service and of tests are before it. After it, the SDK
    // would write the values as texts and sign the request.
    client.middlewareStack.add(
      (_next, { commandName = '' }) =>
        async ({ input }) => ({
          output: { $metadata: { httpStatusCode: 200 }, ...(await call(commandName, input)) },
          response: {},
        }),
      { step: 'initialize', priority: 'low', name: 'memoryTables', override: true },
    );
  };
  const { send } = DynamoDBDocumentClient.prototype;
  const sendHere = function (this: DynamoDBDocumentClient, ...args: Parameters<Send>) {
    connect(this);
    return Reflect.apply(send, this, args);
  };
  Object.assign(DynamoDBDocumentClient.prototype, { send: sendHere });
  return () => Object.assign(DynamoDBDocumentClient.prototype, { send });
};
