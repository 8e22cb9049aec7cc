/** Every case of `bad-inputs.json` gets exactly its expected answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AreaHandler, callArea } from '../api-call.ts';
import { casesFor, expectAnswer, requestOf } from '../bad-inputs.ts';
import { startTables } from '../tables.ts';

let stop: () => Promise<void>;
let apiKey: string;
let areas: { serp: AreaHandler; site: AreaHandler };

beforeAll(async () => {
  ({ stop } = await startTables());
  const [serp, site, { ensureFirstAccount }] = await Promise.all([
    import('../../functions/api/serp.ts'),
    import('../../functions/api/site.ts'),
    import('../../lib/access/first-account.ts'),
  ]);
  areas = { serp: serp.handler, site: site.handler };
  ({ apiKey } = await ensureFirstAccount({ rateLimit: 0 }));
});
afterAll(() => stop());

const areaOf = (path: string): AreaHandler =>
  /^\/(api\/v\d\/serp|pages)(\/|$)/.test(path) ? areas.serp : areas.site;

test('there are more than 100 cases for the existing paths', () => {
  expect(casesFor().length).toBeGreaterThan(100);
});

test.each(casesFor())('$id $method $name', async (each) => {
  expectAnswer(each, await callArea(areaOf(each.path), requestOf(each, apiKey)));
});
