/** Pages in another language, and pages for another country than asked, through a whole run. */
import * as v from 'valibot';
import { afterAll, expect, test, vi } from 'vitest';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';
import { fetchAlone } from './fetch-alone.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { parseAgain } = await import('../../../lib/crawl/parse-again.ts');
const { parseTask } = await import('../../../lib/crawl/parse-task.ts');
const { planPages } = await import('../../../lib/crawl/plan-pages.ts');
const { readV2Task } = await import('../../../lib/crawl/read-task.ts');
const { putHtml } = await import('../../../lib/store/html.ts');
const { readPage } = await import('../../../lib/store/read-html.ts');
const { readRow } = await import('../../../lib/store/tasks.ts');
afterAll(() => stores.stop());
vi.spyOn(process.stdout, 'write').mockReturnValue(true);

/** Runs a task whose stored page has another language than the fetched one. */
const givenPageIn = async (lang: string, keyword: string) => {
  const request = v.parse(GoogleCrawlRequest, {
    keyword,
    location_name: 'Canada',
    iso_code: 'CA',
    language_code: 'en',
  });
  const [task] = await createV2Tasks(accountOf(1), [request], 'https://here.example');
  const key = { user_id: 1, id: task?.id ?? 0 };
  const { attempt, batch } = await planPages(key);
  const [page] = await Promise.all(batch.map(fetchAlone));
  const row = await readRow(key.user_id, key.id, 0);
  if (!page || !row) throw new Error('The page is not stored');
  const store = async (language: string) => {
    const { html } = await readPage(page.html);
    const place = { html_folder: row.html_folder, attempt, page: 1 };
    await putHtml(place, html.replace(/ lang="[^"]*"/, ` lang="${language}"`), undefined);
  };
  await store(lang);
  await parseTask({ ...key, attempt }, [page]);
  return { key, store, read: () => readV2Task(accountOf(1), key.id) };
};

const sentence = 'The language of the page is "de", "en" was asked.';

test('a page in another language is an incomplete success with a warning', async () => {
  const { read } = await givenPageIn('de', 'rivers');

  expect(await read()).toMatchObject({ status: 'success', complete: false, warnings: [sentence] });
});

test('a page in the asked language is a complete success', async () => {
  const { read } = await givenPageIn('en-CA', 'lakes');

  expect(await read()).toMatchObject({ status: 'success', complete: true, warnings: [] });
});

test('a later reading replaces the warning', async () => {
  const { key, store, read } = await givenPageIn('de', 'hills');
  await store('en');

  expect(await parseAgain(key)).toBe('parsed again');
  expect(await read()).toMatchObject({ complete: true, warnings: [] });

  await store('de');

  expect(await parseAgain(key)).toBe('parsed again');
  expect(await read()).toMatchObject({ complete: false, warnings: [sentence] });
});
