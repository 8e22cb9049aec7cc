/** What happens between a read and the write that rests on it: races, without waiting for one. */
import { onTestFinished } from 'vitest';

const { dynamo } = await import('../../lib/runtime/aws.ts');

/**
 * Lets `change` happen once, between an answer of the table that holds a row, or keys of an index, and what
 * its reader does next.
 */
export const afterRead = (what: 'row' | 'index', change: () => Promise<unknown>): void => {
  let isDone = false;
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { output } = answer;
      const isRead =
        what === 'row'
          ? ('Item' in output && output.Item !== undefined) || 'Responses' in output
          : 'Items' in output && output.Items?.length;
      if (isRead && !isDone) {
        isDone = true;
        await change();
      }
      return answer;
    },
    { step: 'initialize', name: 'after-read' },
  );
  onTestFinished(() => {
    dynamo.middlewareStack.remove('after-read');
  });
};
