/**
 * The console in a real browser, as a person uses it. An engine on loopback serves pages of the sandbox; for
 * keywords that begin with `hostile`, with all that a page may try.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  ManagedKeyword,
  ManagedKeywordList,
  TrackedHistory,
  Visibility,
} from '../../../lib/model/managed-keyword.ts';
import type { ManagedProject } from '../../../lib/model/project.ts';
import { faultsOf, pageTimeoutMs, startBrowser } from '../browser.ts';
import type { Client } from '../client.ts';
import { startReceiver } from '../receiver.ts';
import type { Service } from '../service.ts';
import { pageFor, startWithEngine } from './engine.ts';

/** What reached the server that hostile pages try to reach. */
const reached: string[] = [];
const trap = createServer((request, response) => {
  reached.push(request.url ?? '');
  response.writeHead(200, { 'content-type': 'text/html' }).end('reached');
});
const trapUrl = () => `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;

/** Sets a property of every window that the frame can reach. */
const own = 'for (const each of [window, parent, top]) each.owned = document.currentScript ? 1 : 2';

const hostileHead =
  () => `<meta http-equiv="refresh" content="0;url=${trapUrl()}/refresh"><base href="${trapUrl()}/base/">
  <meta http-equiv="Content-Security-Policy" content="script-src *"><link rel="stylesheet" href="${trapUrl()}/link.css">
  <style>@import "${trapUrl()}/import.css"; @font-face { font-family: x; src: url(${trapUrl()}/font) }
    body { font-family: x; background: url("${trapUrl()}/background") } p { background: u\\72l(${trapUrl()}/escaped) }</style>`;

const hostileBody = () => `<script>${own}</script><script src="${trapUrl()}/script.js"></script>
  <img src="${trapUrl()}/image" srcset="${trapUrl()}/set 2x" onerror="${own}" onload="${own}"><img src=x onerror="${own}">
  <svg onload="${own}"><script>${own}</script><use href="${trapUrl()}/use#a"/><a xlink:href="javascript:${own}"><text id="svg-link">go</text></a>
    <image href="${trapUrl()}/svg-image"/><animate attributeName="href" values="javascript:${own}" onbegin="${own}"/></svg>
  <math><maction actiontype="statusline" xlink:href="javascript:${own}">go</maction></math>
  <a id="script-link" href="javascript:${own}">press</a><a id="outward" href="${trapUrl()}/followed" target="_top" ping="${trapUrl()}/ping">out</a>
  <iframe src="${trapUrl()}/frame"></iframe><iframe srcdoc="<script>${own}</script>"></iframe>
  <object data="${trapUrl()}/object"></object><embed src="${trapUrl()}/embed"><video autoplay src="${trapUrl()}/video" poster="${trapUrl()}/poster"></video>
  <form id="form" action="${trapUrl()}/form"><input name="firstChild"><input name="nextSibling"><input name="attributes"><input name="localName">
    <input name="getAttributeNames"><input name="parentNode"><input autofocus onfocus="${own}"><button id="button" onclick="${own}">send</button></form>
  <details open ontoggle="${own}"><summary>more</summary></details><marquee onstart="${own}">move</marquee>
  <div style="background:url(${trapUrl()}/inline);animation:a 1ms" onanimationstart="${own}" onpointerover="${own}">inline</div>
  <template><img src=x onerror="${own}"></template><noscript><style>body{display:none}</style><img src="${trapUrl()}/noscript"></noscript>
  <style></style><img src=x onerror="${own}"><style></style>${'<div>'.repeat(300)}deep${'</div>'.repeat(300)}`;

const engine = createServer((request, response) => {
  const address = new URL(request.url ?? '/', 'https://www.google.com');
  const page = pageFor(request, address);
  const isHostile = address.searchParams.get('q')?.startsWith('hostile') === true;
  const body = isHostile
    ? page.body
        .replace('</head>', `${hostileHead()}</head>`)
        .replace('<body', `<body onload="${own}"`)
        .replace('</body>', `${hostileBody()}</body>`)
    : page.body;
  response.writeHead(page.status, page.headers).end(body);
});

let browser: Browser;
let client: Client;
let service: Service;
let stop: () => Promise<void>;

beforeAll(async () => {
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  [browser, { client, service, stop }] = await Promise.all([startBrowser(), startWithEngine(engine)]);
});
afterAll(async () => {
  await Promise.all([browser.close(), stop()]);
  trap.closeAllConnections();
  trap.close();
});

type Watched = { page: Page; errors: string[]; foreign: string[] };

/** Waits until the console has loaded what it shows. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForNetworkIdle({ idleTime: 100 });
  await page.waitForFunction(() => document.querySelector('main') && !document.querySelector('.waiting'));
};

/**
 * Opens the console, signed in if a view is given. Records errors and requests to anything but the service.
 */
const openConsole = async (
  view?: string,
  width = 1280,
  scheme: 'light' | 'dark' = 'light',
): Promise<Watched> => {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(pageTimeoutMs);
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !/^(data|about):/.test(request.url()))
      foreign.push(request.url());
  });
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  if (view !== undefined) {
    // As the sign-in page does.
    await page.goto(`${service.url}/console/licenses.txt`);
    await page.evaluate((key: string) => sessionStorage.setItem('search-ranking-key', key), service.apiKey);
  }
  await page.goto(`${service.url}/console${view ?? ''}`);
  await settled(page);
  return { page, errors, foreign };
};

const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) => element.textContent ?? '');

/** Waits until an element has a text. */
const waitForText = (page: Page, selector: string, text: string) =>
  page.waitForFunction(
    (where: string, wanted: string) =>
      [...document.querySelectorAll(where)].some((element) => element.textContent?.includes(wanted)),
    {},
    selector,
    text,
  );

/** Waits until a field contains a text. */
const waitForValue = (page: Page, selector: string, text: string) =>
  page.waitForFunction(
    (where: string, wanted: string) =>
      document.querySelector<HTMLInputElement | HTMLTextAreaElement>(where)?.value.includes(wanted),
    {},
    selector,
    text,
  );

/** Presses Tab until the focused element has this name. */
const tabTo = async (page: Page, name: string, isBackwards = false): Promise<void> => {
  for (let presses = 0; presses < 80; presses += 1) {
    if (isBackwards) await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    if (isBackwards) await page.keyboard.up('Shift');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      return label ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (focused.trim() === name) return;
  }
  throw new Error(`Tab does not reach ${name}`);
};

describe('sign-in', () => {
  test('refuses a wrong key with a sentence, and accepts the right one', async () => {
    const { page } = await openConsole();
    await page.locator('input[name=key]').fill('serp_wrong');
    await page.keyboard.press('Enter');
    await waitForText(page, '[role=alert]', 'does not accept this key');
    await page.locator('input[name=key]').fill(service.apiKey);
    await page.keyboard.press('Enter');
    await waitForText(page, 'h1', 'Playground');
  });

  test('keeps the key in the session of the tab only, and forgets it when the person signs out', async () => {
    const { page } = await openConsole('#/health');
    const kept = () =>
      page.evaluate(() => [Object.values(sessionStorage), Object.values(localStorage), document.cookie]);

    expect(await kept()).toEqual([[service.apiKey], [], '']);
    await page.locator('::-p-aria(Sign out)').click();
    await waitForText(page, 'h1', 'Search ranking console');
    expect(await kept()).toEqual([[], [], '']);
  });

  test('opens the view of the address afterwards, by keyboard only', async () => {
    const { page } = await openConsole();
    await page.evaluate(() => {
      location.hash = '#/spend';
    });
    await tabTo(page, 'API key');
    await page.keyboard.type(service.apiKey);
    await page.keyboard.press('Enter');
    await waitForText(page, 'h1', 'Spend');
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  });
});

describe('the playground', () => {
  test('searches and shows an item on the stored page, by keyboard only', async () => {
    const { page, errors, foreign } = await openConsole('#/playground');
    await tabTo(page, 'Keyword');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type('green tea');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.results button');
    await tabTo(page, 'Results');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.results button[aria-pressed=true]');
    const chosen = await textOf(page, '.results button[aria-pressed=true] .result-title');
    const frame = await (await page.waitForSelector('iframe'))?.contentFrame();
    const marked = await frame?.waitForSelector('[data-mark=now]');

    expect(await marked?.evaluate((element) => element.textContent)).toContain(chosen);
    expect(await page.$$('.result-note')).toEqual([]);
    await tabTo(page, 'Results', true);
    await page.keyboard.press('ArrowRight');
    expect(await textOf(page, '[role=tab][aria-selected=true]')).toBe('JSON');
    expect(await textOf(page, '.code code')).toContain('"keyword": "green tea"');
    await page.keyboard.press('End');
    expect(await textOf(page, '.code code')).toContain(`'${service.url}/api/v2/serp/crawl'`);
    expect([errors, foreign]).toEqual([[], []]);
  });

  test('form, JSON and command follow one another', async () => {
    const { id } = await client.searched({ keyword: 'pour over' });
    const { page } = await openConsole(`#/playground?task=${id}&api=v2`);
    await page.waitForSelector('.results button');
    await page.locator('::-p-aria(Request[role="tab"])').click();
    await page
      .locator('.editor textarea')
      .fill('{"keyword":"flat white","iso_code":"AU","location_name":"Australia"}');

    await waitForValue(page, '.search-form input', 'flat white');
    await page.locator('.search-form input').fill("barista's choice");
    await waitForValue(page, '.editor textarea', "barista's choice");
    await page.locator('.editor textarea').fill('{"keyword":');
    await page.waitForSelector('.field-error');
    await page.locator('::-p-aria(curl[role="tab"])').click();
    expect(await textOf(page, '.code code')).toContain("barista'\\''s choice");
  });

  test.each(['google', 'bing', 'yahoo'])('searches with %s of version 1', async (engine) => {
    const { page, errors } = await openConsole('#/playground');
    await page.select('.search-form select', `v1/${engine}`);
    await page.locator('.search-form button[type=submit]').click();
    await page.waitForSelector('.results button');
    const frame = await (await page.waitForSelector('iframe'))?.contentFrame();
    await frame?.waitForSelector('[data-mark]');

    expect(errors).toEqual([]);
  });
});

test('the playground says that a page without its scripts is empty', async () => {
  const { page } = await openConsole('#/playground');
  await page.select('.search-form select', 'v1/youtube');
  await page.locator('.search-form button[type=submit]').click();
  await page.waitForSelector('.results button');

  await waitForText(page, '.page-card', 'draws its content with scripts');
  expect(await page.$$('.result-note')).toEqual([]);
});

test('items that a page hides until a script runs can be seen on the stored page', async () => {
  // The double of the engine gives it a panel with hidden tabs.
  const { id } = await client.searched({ keyword: 'coffee' });
  const { page } = await openConsole(`#/playground?task=${id}&api=v2`);
  const frame = await (await page.waitForSelector('iframe'))?.contentFrame();
  await frame?.waitForSelector('[data-mark]');
  const hidden = await frame?.$$eval('[data-mark]', (blocks) =>
    blocks
      .filter((block) => getComputedStyle(block).visibility !== 'visible')
      .map((block) => block.outerHTML),
  );

  expect(hidden).toEqual([]);
});

describe('a hostile stored page', () => {
  test('runs nothing and loads nothing', async () => {
    const task = await client.searched({ keyword: 'hostile coffee', frequency: 0 });
    expect([task.status, task.error_message]).toEqual(['success', null]);
    const before = reached.length;
    const { page, foreign, errors } = await openConsole(`#/tasks/v2/${task.id}`);
    const element = await page.waitForSelector('iframe');
    const frame = await element?.contentFrame();
    await frame?.waitForSelector('[data-mark]');
    const content = (await frame?.content()) ?? '';
    // All of the page is there, so all of it was looked at.
    expect(content).toContain('deep');
    // What a person may press.
    for (const text of ['press', 'out', 'go', 'send', 'more', 'inline']) {
      await frame?.evaluate((wanted) => {
        const found = [...document.querySelectorAll<HTMLElement>('*')].filter(
          (each) => each.childElementCount === 0 && each.textContent === wanted,
        );
        for (const each of found) each.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      }, text);
    }
    await new Promise((resolve) => setTimeout(resolve, 1500));

    expect(await element?.evaluate((each) => each.getAttribute('sandbox'))).toBe('allow-same-origin');
    expect(await page.evaluate(() => 'owned' in window)).toBe(false);
    expect(await frame?.evaluate(() => 'owned' in window)).toBe(false);
    expect(content.replace(/<meta http-equiv[^>]*>/, '')).not.toMatch(
      /<(script|iframe|object|embed|form|input|link|base|meta http|video|style|template)\b| on\w+=|javascript:|=\s*["']?https?:|url\(/i,
    );
    expect(page.url()).toBe(`${service.url}/console#/tasks/v2/${task.id}`);
    expect(page.frames().map((each) => each.url())).toEqual([page.url(), 'about:srcdoc']);
    // Chromium reports what the policy refused even to the document that is only parsed.
    expect(errors.filter((error) => !/violates the following Content Security Policy/.test(error))).toEqual(
      [],
    );
    expect([reached.slice(before), foreign]).toEqual([[], []]);
  });
});

describe('tasks and deliveries', () => {
  test('a new task appears in the list and reaches its end there', async () => {
    const { page } = await openConsole('#/tasks');
    const { id } = await client.search({ keyword: 'seen in the list' });
    await page.locator('::-p-aria(Deliveries[role="link"])').click();
    await page.locator('::-p-aria(Tasks[role="link"])').click();
    await waitForText(page, 'tbody tr', 'seen in the list');
    await client.finished(id);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('tbody tr')].some((row) =>
        /seen in the list.*success/s.test(row.textContent ?? ''),
      ),
    );
    await page.locator('::-p-aria(seen in the list[role="link"])').click();
    await waitForText(page, 'h1', 'seen in the list');
    expect(new URL(page.url()).hash).toBe(`#/tasks/v2/${id}`);
  });

  test('a webhook can be sent again, by keyboard only', async () => {
    const receiver = await startReceiver();
    const { id } = await client.searched({ keyword: 'delivered', postback_url: receiver.url });
    await receiver.until(1);
    const { page } = await openConsole('#/deliveries');
    await waitForText(page, 'tbody .tag', 'delivered');
    await tabTo(page, `Send again: the webhook of task ${id}`);
    await page.keyboard.press('Enter');
    const [first, second] = await receiver.until(2);

    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await waitForText(page, '[role=status]', 'The webhook is sent again.');
    await page.goto(`${service.url}/console#/tasks/v2/${id}?tab=deliveries`);
    await page.waitForFunction(() => document.querySelectorAll('[role=tabpanel] tbody tr').length === 2);
    await receiver.stop();
  });

  test('spend counts the searches', async () => {
    await client.searched({ keyword: 'counted' });
    const { page } = await openConsole('#/spend');

    expect(await textOf(page, 'tbody th')).toBe('Google');
    expect(Number((await textOf(page, 'tbody td')).replace(',', ''))).toBeGreaterThan(0);
  });
});

const day = 86_400;
const now = Math.floor(Date.now() / 1000);
const dateOf = (ago: number) => new Date((now - ago * day) * 1000).toISOString().slice(0, 10);

const project: ManagedProject = {
  project_id: 7,
  name: 'Coffee',
  domain: 'acme.example',
  competitors: ['rival.example'],
  locations: [],
  check_frequency: 24,
  paused: false,
  alerts: null,
  click_rates: null,
  created_at: now - 40 * day,
};

/** A keyword whose crawl of ten days ago failed. */
const keywordOf = (n: number): ManagedKeyword => ({
  keyword_id: n,
  project_id: 7,
  keyword: n === 1 ? '<img src=x onerror="top.owned=1">' : `keyword ${n}`,
  type: 'owner',
  domain: 'acme.example',
  engine: 'google',
  engine_domain: 'google.com',
  location_name: 'Berlin,Germany',
  iso_code: 'DE',
  language_code: 'de',
  device: 'desktop',
  google_business: null,
  update_frequency: 24,
  paused: false,
  created_at: now - 30 * day,
  status: 'updated',
  next_at: now + day,
  crawled_at: now,
  initial_position: 12,
  current_position: n % 7 === 0 ? 1000 : (n % 30) + 1,
  best_position: 1,
  previous_position: 3,
  movement: (n % 5) - 2,
  url: 'https://www.acme.example/page',
  cited: true,
  features: ['ai_overview'],
  days: [20, 15, 12, 11, 9, 8, 1, 0].map((ago) => ({ date: dateOf(ago), position: ago + 1, cited: null })),
  competitors: {},
  gap: null,
  local_sv: 1200,
  global_sv: 9000,
  cpc: 1.5,
  chart_url: '/charts/a.svg',
});

const history: TrackedHistory = {
  data: [12, 11, 9, 8].map((ago) => ({
    created_at: now - ago * day,
    position: ago === 11 ? 1000 : ago,
    url: 'https://www.acme.example/page',
    title: 'A page',
    snippet: '',
    type: 'organic',
    features: ['people_also_ask'],
    cited: false,
    competitors: { 'rival.example': 4 },
  })),
  gaps: [{ created_at: now - 10 * day, reason: 'captcha: the engine asks for proof of a person' }],
};

/** The answers of the interface about a project of 10,000 keywords. */
const answerOf = ({ pathname, searchParams }: URL): unknown => {
  if (pathname.endsWith('/projects')) return { data: [project], cursor: null };
  if (pathname.endsWith('/history')) return history;
  if (pathname.endsWith('/visibility')) {
    return {
      data: [
        {
          domain: 'acme.example',
          share: 0.25,
          keywords: 12,
          ranked: 10,
          top_3: 3,
          top_10: 9,
          average_of_ranked: 7.5,
          average_of_all: 23.1,
        },
      ],
      volumes: { known: 10, unknown: 2, assumed: 320 },
      days: [3, 2, 1].map((ago) => ({ date: dateOf(ago), shares: { 'acme.example': ago / 10 } })),
    } satisfies Visibility;
  }
  if (pathname.endsWith('/summary')) return '# Coffee\n';
  if (pathname.endsWith('/cost')) {
    return { keywords: 10_000, paused: 12, searches_per_day: 9988.5, monthly_cost_usd: 70.9 };
  }
  if (/\/keywords\/\d+$/.test(pathname)) return keywordOf(2);
  if (pathname.endsWith('/keywords')) {
    const from = Number(searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: 50 }, (_, n) => keywordOf(from + n + 1));
    const prev_cursor = from === 0 ? null : String(from - 50);
    return { data, cursor: String(from + 50), prev_cursor, total: 10_000 } satisfies ManagedKeywordList;
  }
  return project;
};

/** As `openConsole`, with a project that the service does not have. Records what the console asks. */
const openProject = async (view: string, width = 1280, scheme: 'light' | 'dark' = 'light') => {
  const watched = await openConsole('#/health', width, scheme);
  const asked: URL[] = [];
  await watched.page.setRequestInterception(true);
  watched.page.on('request', (request) => {
    const url = new URL(request.url());
    if (!/^\/api\/(v1\/projects|reporting)/.test(url.pathname)) return request.continue();
    asked.push(url);
    return request.respond({ contentType: 'application/json', body: JSON.stringify(answerOf(url)) });
  });
  await watched.page.goto(`${service.url}/console${view}`);
  await settled(watched.page);
  return { ...watched, asked };
};

describe('a project of 10,000 keywords', () => {
  test('is searched, filtered, ordered and paged by the service', async () => {
    const { page, asked, errors } = await openProject('#/projects/7');
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
    const { page, errors } = await openProject('#/projects/7');
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
    expect(await textOf(page, '.marks li')).toBe('people also ask 4 of 4');
    expect(await page.$eval('.actions a', (link) => link.getAttribute('href'))).toBe('/charts/a.svg?days=30');
    expect(errors).toEqual([]);
  });

  test.each([
    ['#/projects/7?search=moka', 'Export as CSV', 'keywords-7.csv', /\/keywords\?search=moka&format=csv$/],
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

  test('spend has the searches a day and the dollars a month of the tracked keywords', async () => {
    const { page } = await openProject('#/spend');

    expect(await page.$$eval('tr:last-child td', (cells) => cells.map((cell) => cell.textContent))).toEqual(
      expect.arrayContaining(['10,000', '12', '9,988.5', '$70.90']),
    );
  });

  const widths = [320, 390, 768, 1024, 1440];
  const tables = [
    '#/projects/7',
    '#/projects/7/keywords/2',
    '#/projects/7?tab=share',
    '#/projects',
    '#/spend',
  ];
  test.each(tables.flatMap((view) => widths.map((width) => [view, width] as const)))(
    '%s at %i pixels has no row higher than 200 pixels, and no table wider than its room',
    async (view, width) => {
      const { page } = await openProject(view, width);
      await page.waitForSelector('tbody tr');
      const rooms = await page.$$eval('.table-room', (all) =>
        all.map((room) => ({
          overflow: room.scrollWidth - room.clientWidth,
          highest: Math.max(
            ...[...room.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().height),
          ),
        })),
      );

      expect(rooms.length).toBeGreaterThan(0);
      for (const { overflow, highest } of rooms) {
        expect(overflow).toBe(0);
        expect(highest).toBeLessThanOrEqual(200);
      }
    },
  );

  test('a sparkline has a hole where crawls are missing', async () => {
    const { page } = await openProject('#/projects/7');
    const line = await page.$eval('.spark path', (path) => path.getAttribute('d') ?? '');

    // Crawled 20, 15, 12, 11, 9, 8, 1 and 0 days ago, once a day: each longer pause is a hole.
    expect(line.match(/[ML]/g)?.join('')).toBe('MMMLMLML');
  });

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('axe finds no fault at %i px in the %s scheme', async (width, scheme) => {
    const { page } = await openProject('#/projects', width, scheme);
    for (const view of ['', '/7', '/7?tab=share', '/7?tab=week', '/7?tab=add', '/7/keywords/2']) {
      await page.goto(`${service.url}/console#/projects${view}`);
      await settled(page);
      if (process.env.SCREENSHOTS) {
        const name = `projects${view}`.replace(/\W+/g, '-');
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/console-${name}-${width}-${scheme}.png` });
      }

      expect([view, await faultsOf(page)]).toEqual([view, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});

describe('for everybody', () => {
  const views = ['#/playground', '#/tasks', '#/deliveries', '#/health', '#/spend', '#/nowhere'];
  let taskViews: string[];
  beforeAll(async () => {
    const [tracked, raw] = await Promise.all([
      client.searched({ keyword: 'seen by axe', domain: 'acme.example', postback_url: service.url }),
      client.searched({ keyword: 'seen by axe', depth: 20 }),
    ]);
    taskViews = [
      `#/playground?task=${raw.id}&api=v2`,
      `#/tasks/v2/${tracked.id}`,
      `#/tasks/v2/${tracked.id}?tab=deliveries`,
    ];
  });

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('axe finds no fault at %i px in the %s scheme', async (width, scheme) => {
    const signIn = await openConsole(undefined, width, scheme);
    expect(await faultsOf(signIn.page)).toEqual([]);
    const { page, errors } = await openConsole('#/playground', width, scheme);
    for (const view of [...views, ...taskViews]) {
      await page.goto(`${service.url}/console${view}`);
      await settled(page);
      const name = view.replace(/\d{6,}/, 'id').replace(/\W+/g, '-');
      if (process.env.SCREENSHOTS) {
        await page.screenshot({
          path: `${process.env.SCREENSHOTS}/console${name}-${width}-${scheme}.png`,
          fullPage: true,
        });
      }
      for (const more of await page.$$('details:not([open]) > summary')) await more.click();

      expect([view, await faultsOf(page)]).toEqual([view, []]);
    }
    expect(errors).toEqual([]);
  });

  test('no view needs sideways scrolling at 320 px', async () => {
    const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
    const { page } = await openConsole('#/playground', 320);
    const signIn = await openConsole(undefined, 320);
    expect(await widthOf(signIn.page)).toBeLessThanOrEqual(320);
    for (const view of [...views, ...taskViews]) {
      await page.goto(`${service.url}/console${view}`);
      await settled(page);

      expect([view, (await widthOf(page)) <= 320]).toEqual([view, true]);
    }
  });

  test('a view gets the focus at its heading, and the content can be reached at once', async () => {
    const { page } = await openConsole('#/tasks');
    await tabTo(page, 'Health');
    await page.keyboard.press('Enter');
    await waitForText(page, 'h1', 'Health');
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await page.title()).toBe('Health · Search ranking console');
    await page.reload({ waitUntil: 'networkidle0' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  });
});
