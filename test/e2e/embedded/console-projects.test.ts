/** The console with a large project, in a real browser. The project's answers are invented. */
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from '../browser.ts';
import { expectFit, settled, tabTo, textOf, waitForText } from '../console-page.ts';
import { projectOf } from '../console-project.ts';
import { sharedService } from '../injected-service.ts';
import { longHook } from '../invented-project.ts';

const service = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const openProject = projectOf(() => ({ browser, service }));

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
    await expect.poll(last).toEqual({ per_page: '50', sort: 'current_position', order: 'desc' });
    await page.locator('input[type=search]').fill('moka');
    await page.waitForFunction(() => location.hash.includes('search=moka'));
    await settled(page);
    await expect
      .poll(last)
      .toEqual({ per_page: '50', search: 'moka', sort: 'current_position', order: 'desc' });
    await page.goBack();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[type=search]')?.value === '',
    );
    await settled(page);
    await expect.poll(last).toEqual({ per_page: '50', sort: 'current_position', order: 'desc' });
    expect([await page.evaluate(() => 'owned' in window), errors]).toEqual([false, []]);
  });

  test('a keyword shows its history with the gap, as a chart and as a table', async () => {
    const { page, errors } = await openProject('#/projects/7?tab=keywords');
    await tabTo(page, 'keyword 2');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chart canvas');
    await page.waitForSelector('.marks');

    const history = 'section[aria-label^="Positions, newest"]';
    expect(
      await page.$$eval(`${history} tbody tr`, (rows) => rows.map((row) => row.cells[1]?.textContent)),
    ).toEqual(['8', '9', 'Gap: captcha: the engine asks for proof of a person', 'not ranked', '12']);
    expect(await page.$$eval('.legend button', (all) => all.length)).toBe(3);
    // What a finger has pointed at stays when it is lifted, also if the browser then says that a mouse left.
    const dayOfLegend = () => textOf(page, '.legend li:last-child');
    const lastDay = await dayOfLegend();
    const plot = page.locator('.u-over');
    const { x, y } = await plot.map((element) => element.getBoundingClientRect().toJSON()).wait();
    await page.touchscreen.tap(x + 5, y + 5);
    await expect.poll(dayOfLegend, { timeout: 60_000 }).not.toBe(lastDay);
    await page.$eval('.u-over', (element) => element.dispatchEvent(new MouseEvent('mouseleave')));
    await settled(page);
    expect(await dayOfLegend()).not.toBe(lastDay);
    // The pages of ours by day, then the kinds of items.
    expect(await page.$$eval('.marks li', (all) => all.map((mark) => mark.textContent))).toEqual([
      'acme.example/page 3 of 4',
      'acme.example/other 1 of 4',
      'people also ask 4 of 4',
      'related search 4 of 4',
      'ai overview 4 of 4',
    ]);
    expect(await textOf(page, `${history} tbody .features`)).toBe(
      'ai overview: ownpeople also askrelated search',
    );
    expect(
      await page.$$eval('section[aria-label^="Who has"] tbody tr', (rows) =>
        rows.map(({ cells }) => [...cells].map((cell) => cell.textContent)),
      ),
    ).toEqual([
      ['local pack: 3', '–', '–', '–', '3'],
      ['citations of the AI overview: 6', '1', 'rival.example 2', '3', '–'],
    ]);
    expect(
      await page.$$eval(`${history} tbody tr:nth-child(2) td.page .under`, (all) =>
        all.map((each) => each.textContent),
      ),
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
    // Below a keyword, where a long place is cut off, but not what makes two searches different.
    expect(await textOf(page, '.name .under')).toBe('Google · mobile · Frankfurt am Main,Hesse,Germany');
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
        /crawl|pause|continue|remove|^change|^add|^create|^new|again|^delete|^edit|^save$|^search$/i.test(
          text,
        ),
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
    expect(await textOf(page, '.meters')).toContain(
      'people also askown 7 · competitors 1,300 · others 8,0018,123related search5,000',
    );
    expect(asked.filter(({ pathname }) => pathname.endsWith('/overview')).length).toBeGreaterThan(1);
    expect([await page.evaluate(() => 'owned' in window), errors]).toEqual([false, []]);
  });

  test('a printed list has whole names, and neither the navigation nor what is to be pressed', async () => {
    const { page } = await openProject('#/projects/7?tab=keywords', 794);
    await page.emulateMediaType('print');
    const seen = await page.evaluate(() => {
      const shown = (selector: string) =>
        [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
      return {
        cut: shown('.clamped, .one-line, .under').filter(
          (each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflow === 'hidden',
        ).length,
        rows: shown('tbody tr').length,
        pressed: shown('.side, .places, .choose, main button').filter((each) => !each.closest('th')).length,
      };
    });
    expect(seen).toEqual({ cut: 0, rows: 50, pressed: 0 });
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
      ['1,000', `delivered${longHook}`],
      ['3', 'parkedhttps://hooks.example.com/rankings'],
      ['1', 'not known any more'],
      ['summary', 'deliveredranks@example.com'],
    ]);
    expect(await page.$$eval('tbody button', (all) => all.length)).toBe(3);
    await page.click('tbody tr:nth-child(2) th a');
    await page.waitForSelector('[aria-label="Attempts at the delivery"]');
    expect(await textOf(page, '[aria-label="Attempts at the delivery"]')).toContain(
      'the receiver answered 500',
    );
    await page.click('tbody tr:nth-child(2) button');
    await waitForText(page, '[role=status]', 'The alert is sent again.');
    expect(asked.filter(({ pathname }) => pathname.endsWith('/alerts/5/postback'))).toHaveLength(1);
    await page.goBack();
    await page.waitForFunction(() => !document.querySelector('[aria-label="Attempts at the delivery"]'));
    expect(errors).toEqual([]);
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
  test('tables fit or say that they do not at each width, and axe finds no fault', async () => {
    const { page, errors } = await openProject('#/projects');
    for (const view of views) {
      await page.goto(`${service.url}/console${view}`);
      await settled(page);
      await expectFit(page, view.replace(/\W+/g, '-'));
    }
    expect(errors).toEqual([]);
  });
});
