/** Processes that die at a write of a table. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Returns a function that runs work in a process that dies at a write: the write and all that follow fail. It
 * returns once the earlier calls of the process have ended.
 */
export const dyingProcesses = (
  dynamo: DynamoDBDocumentClient,
): ((write: number, work: () => Promise<unknown>) => Promise<void>) => {
  /** Calls of the table that have not ended. */
  let calls = 0;
  /** The writes of a process that dies at one of them. */
  const mortal = new AsyncLocalStorage<{ writes: number; last: number }>();

  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      const process = mortal.getStore();
      if (process && /^(Put|Update|Delete|BatchWrite)/.test(String(context.commandName))) {
        process.writes += 1;
        if (process.writes >= process.last) throw new Error('The process has died');
      }
      calls += 1;
      return next(args).finally(() => {
        calls -= 1;
      });
    },
    { step: 'initialize', name: 'dying', priority: 'high' },
  );

  return async (write, work) => {
    await mortal.run({ writes: 0, last: write }, () => work().catch(() => undefined));
    while (calls > 0) await new Promise((resolve) => setImmediate(resolve));
  };
};
