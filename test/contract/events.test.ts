/** The example event of each operation reaches the operation. */
import { readFileSync } from 'node:fs';
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withApiKey } from '../../infra/event-key.ts';
import type { Route } from '../../lib/api/route.ts';
import { routes } from '../../lib/api/routes.ts';
import { type AreaHandler, context } from '../api-call.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let apiKey: string;
beforeAll(async () => {
  service = await startService();
  mockClient(S3Client).on(HeadBucketCommand).resolves({});
  // The events are those of the first user, who has every permission.
  const { ensureFirstAccount } = await import('../../lib/access/first-account.ts');
  ({ apiKey } = await ensureFirstAccount({ rateLimit: 0 }));
});
afterAll(() => service.stop());

const answersEvent = async (operation: string, { path, response }: Route) => {
  const [area] = operation.split('/');
  const { handler }: { handler: AreaHandler } = await import(`../../functions/api/${area}.ts`);
  const text = readFileSync(new URL(`../../events/api/${operation}.json`, import.meta.url), 'utf8');

  const answer = await handler(JSON.parse(withApiKey(text, apiKey)), context);

  const namesThing = path.includes('{');
  if (namesThing && answer.statusCode === 404) {
    // The operation answers this because the tables are empty. The router's own 404 says "Not Found".
    expect(JSON.parse(answer.body).detail).not.toBe('Not Found');
  } else if (path.includes('{key}/')) {
    // A search key is signed with the key of its user, so the event has one that does not work.
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([
      401,
      { error: 'Could not validate credentials' },
    ]);
  } else {
    expect(answer.statusCode).toBe(response?.status ?? 200);
  }
};

/** They wait for their whole time, because no source of keyword data runs. */
const waiting: readonly string[] = ['compat/search-dataforseo', 'keyword/find-dataforseo-ideas'];

const operations = Object.entries<Route>(routes);

test.concurrent.each(operations.filter(([name]) => waiting.includes(name)))(
  '%s answers its event',
  answersEvent,
);

test.each(operations.filter(([name]) => !waiting.includes(name)))('%s answers its event', answersEvent);
