/** The example events of the interface reach their operations. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { context } from '../api-call.ts';
import { type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test.each([
  ['serp/create-google-task', 200],
  ['serp/create-google-batch', 200],
  // Of tasks and pages that are not there.
  ['serp/read-google-task', 404],
  ['serp/open-page', 404],
  ['site/read-root', 200],
  ['site/read-openapi', 200],
  ['site/read-docs', 200],
  ['site/read-docs-asset', 200],
] as const)('%s answers its event by %i', async (operation, status) => {
  const text = readFileSync(new URL(`../../events/api/${operation}.json`, import.meta.url), 'utf8');
  const area = operation.startsWith('serp/') ? service.serp : service.site;

  const answer = await area(JSON.parse(text.replace('API_KEY', service.apiKey)), context);

  expect(answer.statusCode).toBe(status);
  if (status === 404) expect(JSON.parse(answer.body).detail).not.toBe('Not Found');
});
