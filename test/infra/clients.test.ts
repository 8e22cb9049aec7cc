/**
 * Each bundle contains only the AWS clients whose commands its code sends, because loading clients is most of
 * a cold start.
 */
import { expect, test } from 'vitest';
import { entries, filesIn, modulesIn } from './readable-bundles.ts';

/** Command → the package of its client. */
const clientOf: Record<string, string> = {
  Get: 'dynamodb',
  Put: 'dynamodb',
  Update: 'dynamodb',
  Delete: 'dynamodb',
  BatchGet: 'dynamodb',
  BatchWrite: 'dynamodb',
  Query: 'dynamodb',
  Scan: 'dynamodb',
  GetObject: 's3',
  HeadObject: 's3',
  PutObject: 's3',
  CopyObject: 's3',
  HeadBucket: 's3',
  DeleteObject: 's3',
  SendMessage: 'sqs',
  SendMessageBatch: 'sqs',
  GetQueueAttributes: 'sqs',
  StartExecution: 'sfn',
  StartSyncExecution: 'sfn',
  GetSecretValue: 'secrets-manager',
  SendEmail: 'sesv2',
  GetParameter: 'ssm',
};

const unique = (names: (string | undefined)[]): string[] =>
  [...new Set(names.filter((name) => name !== undefined))].sort();

/** The clients in the bundle of a function, and the commands that its own code sends. */
const clientsIn = (entry: string) => {
  const own = modulesIn(entry).join('\n');
  return {
    isBundled: own !== '',
    held: unique(filesIn(entry).map((file) => /node_modules\/@aws-sdk\/client-([\w-]+)\//.exec(file)?.[1])),
    sent: [...own.matchAll(/new (\w+?)Command\d*\(/g)].map(([, name = '']) => name),
  };
};

test.each(entries)('%s contains exactly the clients that it uses', (entry) => {
  const { isBundled, held, sent } = clientsIn(entry);

  expect(isBundled).toBe(true);
  expect(sent.filter((name) => !(name in clientOf))).toEqual([]);
  expect(held).toEqual(unique(sent.map((name) => clientOf[name])));
});
