/** The example event of each operation reaches the operation. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../lib/api/route.ts';
import { routes } from '../../lib/api/routes.ts';
import { type AreaHandler, context } from '../api-call.ts';
import { type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test.each(Object.entries<Route>(routes))('%s response its event', async (operation, { path, response }) => {
  const [area] = operation.split('/');
  const { handler }: { handler: AreaHandler } = await import(`../../functions/api/${area}.ts`);
  const text = readFileSync(new URL(`../../events/api/${operation}.json`, import.meta.url), 'utf8');

  const answer = await handler(JSON.parse(text.replace('API_KEY', service.apiKey)), context);

  const namesThing = path.includes('{');
  if (namesThing && answer.statusCode === 404) {
    // The operation response this because the tables are empty. The router's own 404 says "Not Found".
    expect(JSON.parse(answer.body).detail).not.toBe('Not Found');
  } else {
    expect(answer.statusCode).toBe(response?.status ?? 200);
  }
});
