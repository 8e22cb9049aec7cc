/** The console with a large project, in a real browser. The project's answers are invented. */
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, startBrowser } from '../browser.ts';
import {
  consoleOf,
  keepPicture,
  layoutFaults,
  type Scheme,
  schemes,
  settled,
  tabTo,
  textOf,
  waitForText,
  widths,
} from '../console-page.ts';
import { sharedService } from '../injected-service.ts';
import { answerOf, nextCursorOf } from '../invented-project.ts';

const service = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { openConsole } = consoleOf(() => ({ browser, service }));

/** As `openConsole`, with a project that the service does not have. Records what the console asks. */
const openProject = async (view: string, width = 1280, scheme: Scheme = 'light', isReadOnly = false) => {
  const watched = await openConsole('#/health', width, scheme);
  const asked: URL[] = [];
  await watched.page.setRequestInterception(true);
  watched.page.on('request', (request) => {
    const url = new URL(request.url());
    if (isReadOnly && url.pathname.endsWith('/session')) {
      const user = { id: 7, name: 'Reader', email: '', permissions: [], read_only: true };
      return request.respond({ contentType: 'application/json', body: JSON.stringify({ user }) });
    }
    if (!/^\/api\/(v1\/projects|reporting)/.test(url.pathname)) return request.continue();
    asked.push(url);
    const answer = answerOf(url);
    const headers = nextCursorOf(url);
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return request.respond({ contentType: 'application/json', headers, body });
  });
  // A view of the same page would keep the user that it has read.
  await watched.page.goto('about:blank');
  await watched.page.goto(`${service.url}/console${view}`);
  await settled(watched.page);
  return { ...watched, asked };
};

describe('a project of 10,000 keywords', () => {
  test('is searched, filtered, ordered and paged by the service', async () => {
    const { page, asked, errors } = await openProject('#/projects/7?tab=keywords');
    const last = () => Object.fromEntries(asked.at(-1)?.searchParams ?? []);
    await waitForText(page, 'main', '10,000 keywords, page 1 of 200');
    expect(await textOf(page, 'tbody th a')).toBe('<img src=x onerror="top.owned=1">');
    await page.locator('::-p-aria(Next)').click();
    await waitForText(page, 'main', 'page 2 of 200');
    await waitForText(page, 'tbody th', 'keyword 51');
    await page.locator('::-p-aria(Next)').click();
    await waitForText(page, 'tbody th', 'keyword 101');
    // The state of the view is in its address: the way back and a new start of the page keep it.
    await page.goBack();
    await waitForText(page, 'main', 'page 2 of 200');
    await waitForText(page, 'tbody th', 'keyword 51');
    await page.reload();
    await waitForText(page, 'main', 'page 2 of 200');
    await waitForText(page, 'tbody th', 'keyword 51');
    await page.locator('::-p-aria(Previous)').click();
    await waitForText(page, 'tbody th', 'keyword 2');
    await waitForText(page, 'main', 'page 1 of 200');
    await page.locator('thead th:nth-child(2) button').click();
    await page.waitForSelector('th[aria-sort=ascending]');
    await page.locator('thead th:nth-child(2) button').click();
    await page.waitForSelector('th[aria-sort=descending]');
    await settled(page);
    expect(last()).toEqual({ per_page: '50', sort: 'current_position', order: 'desc' });
    await page.locator('input[type=search]').fill('moka');
    await page.waitForFunction(() => location.hash.includes('search=moka'));
    await settled(page);
    expect(last()).toEqual({ per_page: '50', search: 'moka', sort: 'current_position', order: 'desc' });
    await page.goBack();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[type=search]')?.value === '',
    );
    await settled(page);
    expect(last()).toEqual({ per_page: '50', sort: 'current_position', order: 'desc' });
    expect([await page.evaluate(() => 'owned' in window), errors]).toEqual([false, []]);
  });

  test('a keyword shows its history with the gap, as a chart and as a table', async () => {
    const { page, errors } = await openProject('#/projects/7?tab=keywords');
    await tabTo(page, 'keyword 2');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chart canvas');
    await page.waitForSelector('.marks');

    expect(await page.$$eval('tbody tr', (rows) => rows.map((row) => row.cells[1]?.textContent))).toEqual([
      '8',
      '9',
      'Gap: captcha: the engine asks for proof of a person',
      'not ranked',
      '12',
    ]);
    expect(await page.$$eval('.legend button', (all) => all.length)).toBe(2);
    // The pages of ours by day, then the kinds of items.
    expect(await page.$$eval('.marks li', (all) => all.map((mark) => mark.textContent))).toEqual([
      'acme.example/page 3 of 4',
      'acme.example/other 1 of 4',
      'people also ask 4 of 4',
    ]);
    expect(
      await page.$$eval('tbody tr:nth-child(2) td.page .under', (all) => all.map((each) => each.textContent)),
    ).toEqual(['another page acme.example/other', 'also 14: acme.example/page']);
    expect(await page.$eval('.actions a', (link) => link.getAttribute('href'))).toBe('/charts/a.svg?days=30');
    expect(errors).toEqual([]);
  });

  test.each([
    [
      '#/projects/7?tab=keywords&search=moka',
      'Export as CSV',
      'keywords-7.csv',
      /\/keywords\?search=moka&format=csv$/,
    ],
    ['#/projects/7/keywords/2', 'Export as CSV', 'history-2.csv', /\/history\?start_date=.*&format=csv$/],
    ['#/projects/7?tab=week', 'Save as Markdown', 'week-7.md', /\/summary$/],
  ])('%s is saved as a file', async (view, button, name, address) => {
    const { page, asked } = await openProject(view);
    await page.evaluate(() => {
      HTMLAnchorElement.prototype.click = function () {
        document.title = `${this.download} ${this.href}`;
      };
    });
    const before = asked.length;
    await page.locator(`::-p-aria(${button})`).click();
    await page.waitForFunction(() => document.title.includes(' blob:'));

    expect(await page.title()).toMatch(new RegExp(`^${name} blob:`));
    expect(asked.slice(before).map(({ href }) => href)).toEqual([expect.stringMatching(address)]);
  });

  test('the summary of the week is shown as text and tables, and runs nothing', async () => {
    const { page, errors } = await openProject('#/projects/7?tab=week');
    await page.waitForSelector('.prose table');
    const text = await textOf(page, '.prose');

    expect(text).toContain('6 keywords of drifter.example.');
    expect(text).toContain('<img src=x onerror="top.owned=1">: 5 → 3');
    expect(await textOf(page, '.prose tbody tr')).toBe('drifter.example7.8 %');
    expect(await page.$$('.prose img')).toEqual([]);
    expect([await page.evaluate(() => 'owned' in window), errors]).toEqual([false, []]);
  });

  test('columns that a room has no place for are named, and can be shown all the same', async () => {
    const { page } = await openProject('#/projects/7?tab=keywords', 768);
    const heads = () => page.$$eval('thead th', (all) => all.map((head) => head.textContent));
    expect(await heads()).toEqual(['Keyword', 'Position', 'Movement', '31 days']);
    expect(await textOf(page, '.table-hint')).toContain(
      'Not shown at this width: Search, Best, Volume, Page.',
    );
    await page.locator('::-p-aria(Show all columns)').click();
    await page.waitForFunction(() => location.hash.includes('columns='));
    await page.waitForFunction(() => document.querySelectorAll('thead th').length === 8);
    expect(await textOf(page, '.table-hint')).toContain('scroll it sideways');
    await page.goBack();
    await page.waitForFunction(() => document.querySelectorAll('thead th').length === 4);
  });

  test('a user who may only read sees no button that changes something', async () => {
    const { page, asked } = await openProject('#/projects/7?tab=keywords', 1280, 'light', true);
    const controls = async (view: string) => {
      await page.goto(`${service.url}/console${view}`);
      await settled(page);
      const texts = await page.$$eval('main :is(button, form h2, nav.places a)', (all) =>
        all.map((each) => each.textContent?.trim() ?? ''),
      );
      return texts.filter((text) =>
        /crawl|pause|continue|remove|^change|^add|^create|^new|again|^delete|^edit|^save$|^search$/i.test(text),
      );
    };

    for (const view of [
      '#/projects',
      '#/projects/7',
      '#/projects/7/keywords/2',
      '#/projects/7?tab=notes',
      '#/projects/7?tab=alerts',
      '#/projects/7?tab=pages',
      '#/projects/7?tab=keywords',
      '#/playground',
      '#/deliveries',
    ])
      expect([view, await controls(view)]).toEqual([view, []]);
    expect(await textOf(page, '.side-end')).toContain('Read-only');
    expect(asked.length).toBeGreaterThan(3);
  });

  test('spend has the searches a day and the dollars a month of the tracked keywords', async () => {
    const { page } = await openProject('#/spend');

    expect(await page.$$eval('tr:last-child td', (cells) => cells.map((cell) => cell.textContent))).toEqual(
      expect.arrayContaining(['10,000', '12', '9,988.5', '$70.90']),
    );
  });

  test('the overview of a project, and of all projects, has its figures, winners and losers', async () => {
    const { page, errors, asked } = await openProject('#/projects');
    await page.waitForFunction(() => document.querySelector('tbody')?.textContent?.includes('25%'));
    expect(await page.$$eval('tbody td', (cells) => cells.map((cell) => cell.textContent))).toEqual([
      '25% ▼down 1.2 points',
      '18.4',
      '3,600 of 9,000',
      '10,000',
      '$70.90',
      'in 5 hours',
    ]);
    await page.locator('::-p-aria(Coffee[role="link"])').click();
    await page.waitForSelector('.bars');
    const rows = (label: string) =>
      page.$$eval(`section[aria-label="${label}"] tbody tr`, (all) =>
        all.map(({ cells }) => [...cells].slice(1).map((cell) => cell.textContent)),
      );
    expect(await rows('Largest falls of the week')).toEqual([['1', 'not ranked', '▼down 100']]);
    expect(await rows('Largest rises of the week')).toEqual([
      ['not ranked', '3', '▲up 98'],
      ['20', '4', '▲up 16'],
    ]);
    // A day without measured keywords has no bar, and no row.
    expect(
      await page.$$eval(
        '.bars rect',
        (all) => all.filter((bar) => bar.getBoundingClientRect().height > 0).length,
      ),
    ).toBe(180);
    await page.click('.bars ~ details > summary');
    expect(await page.$$eval('details tbody tr', (all) => all.length)).toBe(30);
    expect(await textOf(page, '.meters')).toContain('people also ask8,123');
    expect(asked.filter(({ pathname }) => pathname.endsWith('/overview')).length).toBeGreaterThan(1);
    expect([await page.evaluate(() => 'owned' in window), errors]).toEqual([false, []]);
  });

  test('a screen of 1440 x 900 pixels shows 16 keywords', async () => {
    const { page } = await openProject('#/projects/7?tab=keywords', 1440);
    const inSight = await page.$$eval(
      'tbody tr',
      (rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
    );

    expect(inSight).toBeGreaterThanOrEqual(16);
  });

  test('columns are chosen, and rows are reached with the keys / j k', async () => {
    const { page } = await openProject('#/projects/7?tab=keywords', 1440);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('keyword 2');
    await page.keyboard.press('/');
    await page.keyboard.type('jk');
    await page.waitForFunction(() => location.hash.includes('search=jk'));
    await page.click('.column-choice summary');
    await page.locator('::-p-aria(Volume[role="checkbox"])').click();
    await page.waitForFunction(() => document.querySelectorAll('thead th').length === 7);
    expect(await page.$$eval('thead th', (all) => all.map((head) => head.textContent))).not.toContain(
      'Volume',
    );
    await page.reload();
    await settled(page);
    expect(await page.$$eval('thead th', (all) => all.length)).toBe(7);
    await page.select('.pager select', '500');
    await page.waitForFunction(() => location.hash.includes('per_page=500'));
  });

  test('alerts are listed with their attempts, and sent again', async () => {
    const { page, asked, errors } = await openProject('#/projects/7?tab=alerts');
    await page.waitForSelector('tbody tr');
    const rows = await page.$$eval('tbody tr', (all) =>
      all.map(({ cells }) => [...cells].slice(1, 3).map((cell) => cell.textContent)),
    );
    expect(rows).toEqual([
      ['1,000', 'delivered'],
      ['3', 'parked'],
      ['1', 'not known any more'],
    ]);
    expect(await page.$$eval('tbody button', (all) => all.length)).toBe(2);
    await page.click('tbody tr:nth-child(2) th a');
    await page.waitForSelector('[aria-label="Attempts at the webhook"]');
    expect(await textOf(page, '[aria-label="Attempts at the webhook"]')).toContain(
      'the receiver answered 500',
    );
    await page.click('tbody tr:nth-child(2) button');
    await waitForText(page, '[role=status]', 'The alert is sent again.');
    expect(asked.filter(({ pathname }) => pathname.endsWith('/alerts/5/postback'))).toHaveLength(1);
    await page.goBack();
    await page.waitForFunction(() => !document.querySelector('[aria-label="Attempts at the webhook"]'));
    expect(errors).toEqual([]);
  });

  test('keywords are filtered by a tag, and each tag in the list leads to its keywords', async () => {
    const { page, asked, errors } = await openProject('#/projects/7?tab=keywords&columns=tags', 1440);
    const last = () =>
      asked.findLast(({ pathname }) => pathname.endsWith('/keywords'))?.searchParams.get('tag');
    const tags = await page.$$eval('tbody tr:nth-child(3) td:nth-child(2) .kind', (all) =>
      all.map((tag) => tag.textContent),
    );
    expect(tags).toEqual(['brand', 'and 4 more']);
    await page.click('tbody tr:nth-child(3) td:nth-child(2) a');
    await page.waitForFunction(() => location.hash.includes('tag=brand'));
    await settled(page);
    expect(last()).toBe('brand');
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

  test('all pages of an export are one file with one row of names', async () => {
    const { page, asked, errors } = await openProject('#/projects/7?tab=export');
    const save = async (): Promise<{ name: string; text: string }> => {
      await page.evaluate(() => {
        document.title = '';
        const texts: Promise<string>[] = [];
        URL.createObjectURL = (file) => `blob:${texts.push((file as Blob).text())}`;
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
    // The browser reads a byte order mark away.
    expect(await save()).toEqual({ name: 'own-urls-7.csv', text });
    expect(asked.at(-1)?.searchParams.get('for')).toBe('excel');
    await page.select('.fields select', 'share');
    await page.select('.field:nth-of-type(2) select', 'jsonl');
    expect((await save()).name).toBe('share-7.jsonl');
    expect(asked.at(-1)?.pathname).toMatch(/\/visibility$/);
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
    expect(asked.at(-1)?.searchParams.get('url')).toBe('https://www.acme.example/page');
    expect((await cells('Keywords in whose')).map(([, ...others]) => others)).toEqual([
      ['2', 'yes'],
      ['14', 'no, another is above it'],
    ]);
    expect(errors).toEqual([]);
  });

  test('more filters are asked of the service, and are in the address', async () => {
    const { page, asked, errors } = await openProject('#/projects/7?tab=keywords&cursor=50&page=2', 1440);
    const last = () =>
      Object.fromEntries(
        asked.findLast(({ pathname }) => pathname.endsWith('/keywords'))?.searchParams ?? [],
      );
    await page.locator('::-p-aria(More filters[role="button"])').click();
    await settled(page);
    await page.select('select:has(option[value="4-10"])', '4-10');
    await page.select('select:has(option[value="down"])', 'down');
    await page.select('select:has(option[value="people_also_ask"])', 'people_also_ask');
    await page.locator('::-p-aria(Address of the page has[role="textbox"])').fill('/shop/');
    await page.waitForFunction(() => location.hash.includes('url='));
    await settled(page);
    const filter = {
      position_from: '4',
      position_to: '10',
      moved: 'down',
      feature: 'people_also_ask',
      url: '/shop/',
    };
    expect(last()).toEqual({ per_page: '50', ...filter });
    await page.reload();
    await settled(page);
    expect(last()).toEqual({ per_page: '50', ...filter });
    await page.locator('::-p-aria(Clear these[role="button"])').click();
    await page.waitForFunction(() => !location.hash.includes('moved'));
    await settled(page);
    expect(last()).toEqual({ per_page: '50' });
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
    expect([last()?.get('from'), last()?.get('to')]).toEqual(['2026-10-02', '2026-11-20']);
    expect(await page.$$eval('thead th', (all) => all.map((head) => head.textContent))).toEqual([
      'Keyword',
      '2026-10-02',
      '2026-11-20',
      'Change',
      'Page',
    ]);
    expect(
      await page.$$eval('tbody tr', (all) =>
        all.map(({ cells }) => [1, 3].map((n) => cells[n]?.textContent)),
      ),
    ).toEqual([
      ['5', '▲up 2'],
      ['not ranked', '▲up 98'],
      ['–', '–'],
    ]);
    await page.locator('::-p-aria(Next page[role="link"])').click();
    await page.locator('::-p-aria(First page[role="link"])').click();
    expect([await page.evaluate(() => 'owned' in window), errors]).toEqual([false, []]);
  });

  test('the positions of 7 and 30 days ago are columns', async () => {
    const { page } = await openProject('#/projects/7?tab=keywords&columns=position,ago_7,ago_30', 1440);

    expect(await page.$$eval('thead th', (all) => all.map((head) => head.textContent))).toEqual([
      'Keyword',
      'Position',
      '7 days ago',
      '30 days ago',
    ]);
    // Crawled 8 days ago, at position 9, and not since then until yesterday.
    expect(
      await page.$$eval('tbody tr:first-child td', (all) => all.map((cell) => cell.textContent?.trim())),
    ).toEqual(['2', '9', '–']);
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

  test('a sparkline has a hole where crawls are missing', async () => {
    const { page } = await openProject('#/projects/7?tab=keywords');
    const line = await page.$eval('.spark path', (path) => path.getAttribute('d') ?? '');

    // Crawled 20, 15, 12, 11, 9, 8, 1 and 0 days ago, once a day: each longer pause is a hole.
    expect(line.match(/[ML]/g)?.join('')).toBe('MMMLMLML');
  });

  const views = [
    '#/projects',
    '#/projects/7',
    '#/projects/7?tab=keywords',
    '#/projects/7?tab=share',
    '#/projects/7?tab=week',
    '#/projects/7?tab=compare&from=2026-11-01&to=2026-11-20',
    '#/projects/7?tab=keywords&moved=down',
    '#/projects/7?tab=export',
    '#/projects/7?tab=pages',
    '#/projects/7?tab=pages&url=https%3A%2F%2Fwww.acme.example%2Fpage',
    '#/projects/7?tab=notes&note=43',
    '#/projects/7?tab=alerts&alert=5',
    '#/projects/7?tab=add',
    '#/projects/7?tab=settings',
    '#/projects/7?tab=keywords&columns=keyword,place,tags,position,movement,best,days,volume,page',
    '#/projects/7/keywords/2',
    '#/spend',
  ];
  test.each(widths.flatMap((width) => schemes.map((scheme) => [width, scheme] as const)))(
    'at %i px in the %s scheme, tables fit or say that they do not, and axe finds no fault',
    async (width, scheme) => {
      const { page, errors } = await openProject('#/projects', width, scheme);
      for (const view of views) {
        await page.goto(`${service.url}/console${view}`);
        await settled(page);
        await keepPicture(page, `${view.replace(/\W+/g, '-')}-${width}-${scheme}`);

        expect([view, await layoutFaults(page)]).toEqual([view, []]);
        expect([view, await faultsOf(page)]).toEqual([view, []]);
      }
      expect(errors).toEqual([]);
    },
  );
});
