/**
 * The documentation in a real browser: a crawler follows every link and checks every anchor, and a reader
 * searches and copies. The pages load files from the service only.
 */
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, pageTimeoutMs, type Scheme, startBrowser } from '../browser.ts';
import { sharedService } from '../injected-service.ts';

const { url } = sharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

type Watched = { page: Page; errors: string[]; foreign: string[] };

type Options = { width?: number; scheme?: Scheme; scripts?: boolean };

/** Opens a new page. Records its errors, and its requests to other servers than the service. */
const open = async (
  path: string,
  { width = 1280, scheme = 'light', scripts = true }: Options = {},
): Promise<Watched> => {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(pageTimeoutMs);
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|about):/.test(request.url())) foreign.push(request.url());
  });
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle0' });
  return { page, errors, foreign };
};

/** The links of the page, without those to other sites. */
const linksOn = (page: Page): Promise<string[]> =>
  page
    .$$eval('a[href], link[href]', (links) => links.map((link) => (link as HTMLAnchorElement).href))
    .then((links) => links.filter((link) => link.startsWith(url)));

const withoutAnchor = (link: string): string => link.split('#', 1)[0] ?? '';

const shoot = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/docs-${name}.png` });
};

const widths = [320, 390, 768, 1024, 1440];
// The colours do not depend on the width.
const looks: { width: number; scheme: Scheme }[] = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 390, scheme: 'light' },
];

const look = async (page: Page, width: number, scheme: Scheme): Promise<void> => {
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
};

/** Code and tables that a sheet of paper, 794 pixels wide, would show in part. */
const cutOnPaper = async (page: Page): Promise<string[]> => {
  await look(page, 794, 'light');
  await page.emulateMediaType('print');
  const cut = await page.$$eval('.code pre, .table', (all) =>
    all
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent),
  );
  await page.emulateMediaType('screen');
  return cut;
};

/** The widths that need sideways scrolling, what paper cuts off, and what axe finds in each look. */
const examine = async (page: Page, name: string) => {
  const tooWide: number[] = [];
  for (const width of widths) {
    await look(page, width, 'light');
    if ((await page.evaluate(() => document.documentElement.scrollWidth)) > width) tooWide.push(width);
  }
  const faults: { width: number; scheme: Scheme; found: string[] }[] = [];
  for (const { width, scheme } of looks) {
    await look(page, width, scheme);
    await shoot(page, `${name}-${width}-${scheme}`);
    const found = await faultsOf(page, scheme, width === 390);
    if (found.length > 0) faults.push({ width, scheme, found });
  }
  return { tooWide, cut: await cutOnPaper(page), faults };
};

type Crawled = { links: string[]; ids: string[]; looks?: Awaited<ReturnType<typeof examine>> };

/**
 * Every page of the documentation, with its links, the ids of its elements, and how it looks. Each page is
 * loaded once, because a load takes longer than a look. The form to try the service is not looked at here.
 */
const crawl = async () => {
  const { page, errors, foreign } = await open('/docs');
  const pages = new Map<string, Crawled>();
  const waiting = [`${url}/docs`];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (pages.has(next)) continue;
    await page.goto(next, { waitUntil: 'networkidle0' });
    const links = await linksOn(page);
    const ids = await page.$$eval('[id]', (all) => all.map(({ id }) => id));
    const isForm = next === `${url}/docs/try`;
    pages.set(next, {
      links,
      ids,
      ...(!isForm && { looks: await examine(page, next.replace(/.*\//, '')) }),
    });
    waiting.push(
      ...links.map(withoutAnchor).filter((link) => new RegExp(`^${url}/docs(/[\\w-]+)?$`).test(link)),
    );
  }
  return { pages, errors, foreign };
};

describe('a crawler', () => {
  let crawled: Awaited<ReturnType<typeof crawl>>;
  beforeAll(async () => {
    crawled = await crawl();
  });

  test('reaches every page that /llms.txt lists', async () => {
    const list = await (await fetch(`${url}/llms.txt`)).text();
    const names = [...list.matchAll(/\/docs\/([\w-]+)\.md\)/g)].map(([, name]) => name);

    const expected = names.map((name) => (name === 'index' ? `${url}/docs` : `${url}/docs/${name}`));
    expect(expected.length).toBeGreaterThan(10);
    expect([...crawled.pages.keys()].sort()).toEqual([...expected, `${url}/docs/try`].sort());
  });

  test('gets 200 for every link', async () => {
    const links = new Set([...crawled.pages.values()].flatMap((page) => page.links).map(withoutAnchor));
    const statuses = await Promise.all(
      [...links].map(async (link) => ({ link, status: (await fetch(link)).status })),
    );

    expect(links.size).toBeGreaterThan(30);
    expect(statuses.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('finds every anchor', () => {
    const anchored = [...crawled.pages].flatMap(([from, { links }]) =>
      // Those of Swagger UI, such as `#/serp`, name operations.
      links.filter((link) => /#[^/]/.test(link)).map((link) => ({ from, link })),
    );
    const dead = anchored.filter(({ link }) => {
      const { hash } = new URL(link);
      const target = crawled.pages.get(withoutAnchor(link));
      return target !== undefined && !target.ids.includes(decodeURIComponent(hash.slice(1)));
    });

    expect(anchored.length).toBeGreaterThan(200);
    expect(dead).toEqual([]);
  });

  test('axe finds no fault at 1440 px in both schemes and at 390 px, and no page needs sideways scrolling', () => {
    const looked = [...crawled.pages].filter(([, page]) => page.looks);

    expect(looked.length).toBe(crawled.pages.size - 1);
    expect(looked.length).toBeGreaterThan(10);
    for (const [link, page] of looked)
      expect([link, page.looks]).toEqual([link, { tooWide: [], cut: [], faults: [] }]);
  });

  test('sees no error in the console, and no request to another site', () => {
    expect([crawled.errors, crawled.foreign]).toEqual([[], []]);
  });
});

describe('a reader', () => {
  const search = async (page: Page, query: string): Promise<string[]> => {
    await page.keyboard.press('/');
    await page.waitForSelector('dialog[open]');
    await page.locator('#query').fill(query);
    await page.waitForFunction(
      () => document.querySelector('#found')?.textContent !== '' && document.querySelector('#results'),
    );
    return page.$$eval('#results a', (links) => links.map((link) => link.getAttribute('href') ?? ''));
  };

  test('searches location_name, and gets to a section that has it', async () => {
    const { page, errors } = await open('/docs/errors');
    const found = await search(page, 'location_name');

    expect(found.length).toBeGreaterThan(3);
    // The tables that define the field come before the examples that use it.
    expect(found.slice(0, 3)).toContain('../docs/search#the-request');
    expect(await page.$$eval('#results mark', ([first]) => first?.textContent)).toBe('location_name');
    await page.keyboard.press('ArrowDown');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).toBe(new URL(found[0] ?? '', `${url}/docs/errors`).href);
    expect(await page.$eval('main', (main) => main.textContent)).toContain('location_name');
    expect(errors).toEqual([]);
  });

  test.each(['locaton_name', 'webhook signature', 'RateLimit-Reset', '/api/v2/serp/crawl'])(
    'finds something for "%s"',
    async (query) => {
      const { page } = await open('/docs');

      expect((await search(page, query)).length).toBeGreaterThan(0);
    },
  );

  test('is told that a search found nothing, and gets no markup of a query', async () => {
    const { page } = await open('/docs');

    expect(await search(page, '<img src=x onerror=document.title=1> xyzzyplugh')).toEqual([]);
    expect(await page.$eval('#found', (status) => status.textContent)).toMatch(/^Nothing found/);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
  });

  test('copies the code of a block', async () => {
    const { page, errors } = await open('/docs/quick-start');
    await page
      .browserContext()
      .overridePermissions(url, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
    const block = await page.waitForSelector('.code:nth-of-type(2)');
    const code = await block?.$eval('code', (element) => element.textContent);
    await (await block?.$('button'))?.click();
    await page.waitForFunction(() => document.querySelector('#copied')?.textContent === 'Copied');

    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
    expect(errors).toEqual([]);
  });

  test('without scripts reads every page, and sees no button that does nothing', async () => {
    const { page, errors } = await open('/docs/search', { scripts: false });

    expect(await page.$$('main h2')).not.toHaveLength(0);
    expect(await page.$$('main table')).not.toHaveLength(0);
    const shown = await page.$$eval('button', (buttons) =>
      buttons.filter((button) => (button as HTMLElement).checkVisibility()),
    );
    expect(shown).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe('looks', () => {
  test.each(looks)('axe finds no fault in the search at $width px in the $scheme scheme', async (each) => {
    const { page, errors } = await open('/docs', each);
    await page.keyboard.press('/');
    await page.waitForSelector('dialog[open]');
    await page.locator('#query').fill('location_name');
    await page.waitForSelector('#results a');
    await shoot(page, `dialog-${each.width}-${each.scheme}`);

    expect(await faultsOf(page, each.scheme)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
