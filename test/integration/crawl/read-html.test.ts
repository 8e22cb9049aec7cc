/** The stored HTML of a task's page (Reading 13). */
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CrawlRequest } from '../../../lib/model/crawl-request.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';

// The stores read their names from the environment when they are imported.
const stores = await startStores();
const { createV1Tasks } = await import('../../../lib/crawl/create.ts');
const { readTaskHtml } = await import('../../../lib/crawl/read-html.ts');
const { putHtml } = await import('../../../lib/store/html.ts');
const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');

const user = accountOf(1);

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => stores.stop());

/** A task whose second page has this HTML. */
const givenPage = async (html: string): Promise<{ id: number; key: string }> => {
  const request = v.parse(CrawlRequest, {
    keyword: 'tea',
    location_name: 'Canada',
    iso_code: 'CA',
    domain: 'a.com',
  });
  const [{ id } = { id: 0 }] = await createV1Tasks(user, 'bing', [request], 'https://here.example');
  const row = await readRow(user.id, id);
  if (!row) throw new Error('The row is gone');
  const key = await putHtml({ html_folder: row.html_folder, attempt: 1, page: 2 }, html);
  const pages = row.pages.map((page) => ({ ...page, html: page.page === 2 ? key : '' }));
  await moveRow(row, { from: ['awaiting'], attempt: 0 }, { pages });
  return { id, key };
};

test('is returned by the number of the page', async () => {
  const { id } = await givenPage('<p title="Tee">grüner Tee</p>');

  expect(await readTaskHtml(user, id, 2)).toEqual({ html: '<p title="Tee">grüner Tee</p>' });
});

test.each([1, 3, 11, 0, -1])('is 404 for the page %i, which is not stored', async (page) => {
  const { id } = await givenPage('<p>tea</p>');

  await expect(readTaskHtml(user, id, page)).rejects.toMatchObject({ statusCode: 404 });
});

test('is 404 for another user', async () => {
  const { id } = await givenPage('<p>tea</p>');

  await expect(readTaskHtml(accountOf(2), id, 2)).rejects.toMatchObject({ statusCode: 404 });
});

test('is 404 once the page has expired, even if the task has not', async () => {
  const { id, key } = await givenPage('<p>tea</p>');
  await stores.deleteObject(key);

  await expect(readTaskHtml(user, id, 2)).rejects.toMatchObject({
    statusCode: 404,
    message: 'The stored page has expired',
  });
});

test.each([
  ['fits, with few quotes', 'a'.repeat(5_000_000), true],
  ['is too large as Lambda counts it: a quote is four bytes', '"'.repeat(1_510_000), false],
])('a page that %s', async (_, html, fits) => {
  const { id } = await givenPage(html);
  const read = readTaskHtml(user, id, 2);

  await (fits
    ? expect(read).resolves.toEqual({ html })
    : expect(read).rejects.toMatchObject({ statusCode: 413 }));
});
