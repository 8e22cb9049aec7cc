/** Every case of `bad-inputs.json` gets exactly its expected answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callArea } from '../api-call.ts';
import { casesFor, expectAnswer, requestOf } from '../bad-inputs.ts';
import { startTables } from '../tables.ts';
import { areaOf, importAreas } from './service.ts';

let stop: () => Promise<void>;
let apiKey: string;
let areas: Awaited<ReturnType<typeof importAreas>>;

beforeAll(async () => {
  ({ stop } = await startTables());
  areas = await importAreas();
  const { ensureFirstAccount } = await import('../../lib/access/first-account.ts');
  ({ apiKey } = await ensureFirstAccount({ rateLimit: 0 }));
});
afterAll(() => stop());

test('there are more than 100 cases for the existing paths', () => {
  expect(casesFor().length).toBeGreaterThan(100);
});

test.each(casesFor())('$id $method $name', async (each) => {
  expectAnswer(each, await callArea(areas[areaOf(each.path)], requestOf(each, apiKey)));
});
