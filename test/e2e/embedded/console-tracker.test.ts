/** What a person finds in a tracked project in the console, in a real browser. The answers are invented. */
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../browser.ts';
import { fillField, settled, textOf, waitForText } from '../console-page.ts';
import { projectOf } from '../console-project.ts';
import { sharedService } from '../injected-service.ts';

const service = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const openProject = projectOf(() => ({ browser, service }));

test('keywords are filtered by a tag, and each tag in the list leads to its keywords', async () => {
  const { page, asked, errors } = await openProject('#/projects/7?tab=keywords&columns=tags', 1440);
  const last = () =>
    asked.findLast(({ pathname }) => pathname.endsWith('/keywords'))?.searchParams.get('tag');
  const tags = await page.$$eval('tbody tr:nth-child(3) td:nth-child(2) .kind', (all) =>
    all.map((tag) => tag.textContent),
  );
  expect(tags).toEqual(['brand', '+4']);
  await page.click('tbody tr:nth-child(3) td:nth-child(2) a');
  await page.waitForFunction(() => location.hash.includes('tag=brand'));
  await settled(page);
  await expect.poll(last).toBe('brand');
  const field = 'select:has(option[value="best & sellers"])';
  expect(await page.$eval(field, (select) => select.value)).toBe('brand');
  await page.select(field, 'best & sellers');
  await page.waitForFunction(() => location.hash.includes('tag=best'));
  await settled(page);
  await page.reload();
  await settled(page);
  expect([last(), await page.$eval(field, (select) => select.value)]).toEqual([
    'best & sellers',
    'best & sellers',
  ]);
  expect(errors).toEqual([]);
});

test('more filters are asked of the service, and are in the address', async () => {
  const { page, asked, errors } = await openProject('#/projects/7?tab=keywords&cursor=50&page=2', 1440);
  const last = () =>
    Object.fromEntries(asked.findLast(({ pathname }) => pathname.endsWith('/keywords'))?.searchParams ?? []);
  await page.locator('::-p-aria(More filters[role="button"])').click();
  await settled(page);
  await page.select('select:has(option[value="4-10"])', '4-10');
  await page.select('select:has(option[value="down"])', 'down');
  await page.select('select:has(option[value="people_also_ask"])', 'people_also_ask');
  await fillField(page, '::-p-aria(Address of the page has[role="textbox"])', '/shop/');
  await page.waitForFunction(() => location.hash.includes('url='));
  await settled(page);
  const filter = {
    position_from: '4',
    position_to: '10',
    moved: 'down',
    feature: 'people_also_ask',
    url: '/shop/',
  };
  await expect.poll(last).toEqual({ per_page: '50', ...filter });
  await page.reload();
  await settled(page);
  await expect.poll(last).toEqual({ per_page: '50', ...filter });
  await page.locator('::-p-aria(Clear these[role="button"])').click();
  await page.waitForFunction(() => !location.hash.includes('moved'));
  await settled(page);
  await expect.poll(last).toEqual({ per_page: '50' });
  expect(errors).toEqual([]);
});

test('a view of the keywords is saved by a name, and opened again by it', async () => {
  const { page, asked, errors } = await openProject('#/projects/7?tab=keywords&cursor=50&page=2', 1440);
  const last = () =>
    Object.fromEntries(asked.findLast(({ pathname }) => pathname.endsWith('/keywords'))?.searchParams ?? []);
  await page.select('select:has(option[value="features desc"])', 'features desc');
  await page.waitForFunction(() => location.hash.includes('sort=features'));
  await page.select('select:has(option[value="mobile"])', 'mobile');
  await page.waitForFunction(() => location.hash.includes('device=mobile'));
  await page.click('.saved-views summary');
  await page.type('.saved-views input', 'By <b>features</b>');
  await page.keyboard.press('Enter');
  await waitForText(page, '.saved-views summary', 'View: By <b>features</b>');
  await page.goto(`${service.url}/console#/projects/7?tab=keywords`);
  await page.reload();
  await settled(page);
  await expect.poll(last).toEqual({ per_page: '50' });
  await page.click('.saved-views summary');
  await page.click('.views a');
  await page.waitForFunction(() => location.hash.includes('sort=features'));
  await settled(page);
  await expect.poll(last).toEqual({ per_page: '50', device: 'mobile', sort: 'features', order: 'desc' });
  await page.click('.views button');
  await waitForText(page, '.saved-views summary', 'Saved views');
  expect(await page.$('.views')).toBeNull();
  expect(errors).toEqual([]);
});

test('all pages of an export are one file with one row of names', async () => {
  const { page, asked, errors } = await openProject('#/projects/7?tab=export');
  const save = async (): Promise<{ name: string; text: string }> => {
    await page.evaluate(() => {
      document.title = '';
      const texts: Promise<string>[] = [];
      const read = async (file: Blob) =>
        new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
      URL.createObjectURL = (file) => `blob:${texts.push(read(file as Blob))}`;
      URL.revokeObjectURL = () => undefined;
      HTMLAnchorElement.prototype.click = async function () {
        document.title = JSON.stringify({ name: this.download, text: await texts[0] });
      };
    });
    await page.locator('::-p-aria(Save[role="button"])').click();
    await page.waitForFunction(() => document.title !== '');
    return JSON.parse(await page.title());
  };
  const row = (n: number) => `2026-11-01,"<b>${n}</b>"\n`;
  const text = `date,keyword\n${[0, 1, 2, 3].map(row).join('')}`;
  expect(await save()).toEqual({ name: 'positions-7.csv', text });
  const [first, second] = asked.slice(-2).map(({ searchParams }) => Object.fromEntries(searchParams));
  expect(first).toMatchObject({ rows: 'positions', format: 'csv', per_page: '387' });
  expect(second).toEqual({ ...first, cursor: '2' });
  await page.select('.fields select', 'own_urls');
  await page.select('.field:nth-of-type(2) select', 'excel');
  // Spreadsheets know by the byte order mark that the file is UTF-8.
  expect(await save()).toEqual({ name: 'own-urls-7.csv', text: `\uFEFF${text}` });
  await expect.poll(() => asked.at(-1)?.searchParams.get('for')).toBe('excel');
  await page.select('.fields select', 'share');
  await page.select('.field:nth-of-type(2) select', 'jsonl');
  expect((await save()).name).toBe('share-7.jsonl');
  await expect.poll(() => asked.at(-1)?.pathname).toMatch(/\/visibility$/);
  expect(errors).toEqual([]);
});

test('the pages of the domain lead to their keywords, and those that compete are listed', async () => {
  const { page, asked, errors } = await openProject('#/projects/7?tab=pages', 1440);
  const cells = (label: string) =>
    page.$$eval(`section[aria-label^="${label}"] tbody tr`, (all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent)),
    );
  expect((await cells('Pages, those'))[0]).toEqual([
    'acme.example/page',
    '12',
    '2',
    'moka pot (2), moka pot (14)',
  ]);
  expect((await cells('Keywords with several pages')).map(([, pages]) => pages)).toEqual([
    '2 acme.example/<b>/03 acme.example/<b>/14 acme.example/<b>/25 acme.example/<b>/3and 6 more',
    '2 acme.example/<b>/03 acme.example/<b>/1',
  ]);
  await page.locator('::-p-aria(Next[role="link"])').click();
  await page.waitForFunction(() => location.hash.includes('page=2'));
  await page.locator('::-p-aria(acme.example/page[role="link"])').click();
  await page.waitForSelector('section[aria-label^="Keywords in whose"] tbody tr');
  await expect.poll(() => asked.at(-1)?.searchParams.get('url')).toBe('https://www.acme.example/page');
  expect((await cells('Keywords in whose')).map(([, ...others]) => others)).toEqual([
    ['2', 'yes'],
    ['14', 'no, another is above it'],
  ]);
  expect(errors).toEqual([]);
});

test('two days are compared, whichever they are', async () => {
  const { page, asked, errors } = await openProject('#/projects/7?tab=compare', 1440);
  const last = () => asked.findLast(({ pathname }) => pathname.endsWith('/compare'))?.searchParams;
  await page.locator('input[type=date]').fill('2026-10-02');
  await page.waitForFunction(() => location.hash.includes('from=2026-10-02'));
  await page.locator('.field:nth-of-type(2) input[type=date]').fill('2026-11-20');
  await page.waitForFunction(() => location.hash.includes('to=2026-11-20'));
  await settled(page);
  await expect.poll(() => [last()?.get('from'), last()?.get('to')]).toEqual(['2026-10-02', '2026-11-20']);
  expect(await page.$$eval('thead th', (all) => all.map((head) => head.textContent))).toEqual([
    'Keyword',
    '2026-10-02',
    '2026-11-20',
    'Change',
    'Page',
  ]);
  expect(
    await page.$$eval('tbody tr', (all) => all.map(({ cells }) => [1, 3].map((n) => cells[n]?.textContent))),
  ).toEqual([
    ['5', '▲up 2'],
    ['not ranked', '▲up 98'],
    ['–', '–'],
  ]);
  await page.locator('::-p-aria(Next page[role="link"])').click();
  await page.locator('::-p-aria(First page[role="link"])').click();
  expect([await page.evaluate(() => 'owned' in window), errors]).toEqual([false, []]);
});

test('a day is asked for when it is typed whole, and is one step of the way back', async () => {
  const { page, asked } = await openProject('#/projects/7?tab=compare', 1440);
  const steps = await page.evaluate(() => history.length);
  // What the browser reports while the year 2025 is typed.
  for (const text of ['0002-11-20', '0020-11-20', '0202-11-20', '2025-11-20']) {
    await page.$eval(
      'input[type=date]',
      (field, typed) => {
        field.value = typed;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      },
      text,
    );
  }
  await page.waitForFunction(() => location.hash.includes('from=2025-11-20'));
  await settled(page);
  expect(await page.evaluate(() => history.length)).toBe(steps + 1);
  expect(asked.filter(({ searchParams }) => searchParams.get('from')?.startsWith('0'))).toEqual([]);
});

test('the positions of 7 and 30 days ago are columns', async () => {
  const { page } = await openProject('#/projects/7?tab=keywords&columns=position,ago_7,ago_30', 1440);

  expect(await page.$$eval('thead th', (all) => all.map((head) => head.textContent))).toEqual([
    'Keyword',
    'Position',
    '7 days ago',
    '30 days ago',
  ]);
  // Crawled 8 days ago, at position 9, and not since then until yesterday; the fourth every two days.
  const rows = await page.$$eval('tbody tr', (all) =>
    all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim())),
  );
  expect([rows[0], rows[3]]).toEqual([
    ['2', '–', '–'],
    ['5', '9', '–'],
  ]);
  expect(await page.$$eval('td .dim', (all) => all.map((each) => each.textContent))).toEqual(['9']);
});

test('the notes of the days of a chart are marked in it and listed below it', async () => {
  const { page, errors } = await openProject('#/projects/7/keywords/2');
  await page.waitForSelector('.chart canvas');
  expect(await textOf(page, '.notes li')).toMatch(/^1\d{4}-\d\d-\d\d <img src=x .*> is online$/);
  await page.goto(`${service.url}/console#/projects/7`);
  await page.waitForSelector('.note-line');
  expect(await page.$$eval('.note-line', (all) => all.length)).toBe(2);
  expect(await page.$$eval('.notes li', (all) => all.length)).toBe(2);
  expect([await page.evaluate(() => 'owned' in window), errors]).toEqual([false, []]);
});
