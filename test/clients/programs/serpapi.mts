/** The client `serpapi` of npm, in the ways that its users use it. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  config,
  getAccount,
  getHtml,
  getHtmlBySearchId,
  getJson,
  getJsonBySearchId,
  getLocations,
} from 'serpapi';

const { BASE_URL, API_KEY } = process.env;
const { _internals } = await import(import.meta.resolve('serpapi').replace('mod.js', 'src/utils.js'));
_internals.execute = async (path: string, parameters: Record<string, string>) => {
  const answer = await fetch(`${BASE_URL}/compat/serpapi${path}?${new URLSearchParams(parameters)}`);
  const text = await answer.text();
  if (!answer.ok) throw text;
  return text;
};
config.api_key = API_KEY;

const found = await getJson({ engine: 'google', q: 'coffee grinder', start: 10 });
assert.deepEqual(
  found.organic_results.map(({ position }: { position: number }) => position),
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
);
const archived = await getJsonBySearchId(found.search_metadata.id);
assert.deepEqual(archived, found);
assert.match(await getHtmlBySearchId(found.search_metadata.id), /<html/);
assert.match(await getHtml({ engine: 'google', q: 'coffee grinder' }), /<html/);

let search = await getJson({ engine: 'bing', q: 'coffee spoon', async: true });
for (let tries = 0; search.search_metadata.status === 'Processing' && tries < 100; tries += 1) {
  await sleep(500);
  search = await getJsonBySearchId(search.search_metadata.id);
}
assert.ok(search.organic_results.length > 0);

assert.ok((await getAccount()).account_id);
assert.ok((await getLocations({ q: 'Austin', limit: 3, api_key: API_KEY })).length > 0);
await assert.rejects(
  () => getJson({ engine: 'google', q: 'captcha: coffee' }),
  (error) => /captcha/.test(String(error)),
);
await assert.rejects(
  () => getJson({ engine: 'google', q: 'coffee', api_key: 'nonsense' }),
  (error) => /Invalid API key/.test(String(error)),
);
