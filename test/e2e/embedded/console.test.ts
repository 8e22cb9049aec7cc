/**
 * The console in a real browser, as a person uses it. An engine on loopback serves pages of the sandbox; for
 * keywords that begin with `hostile`, with all that a page may try.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from '../browser.ts';
import type { Client } from '../client.ts';
import {
  consoleOf,
  expectFit,
  keepPicture,
  settled,
  signInByForm,
  tabTo,
  textOf,
  waitForText,
  waitForValue,
} from '../console-page.ts';
import { startReceiver } from '../receiver.ts';
import { makeSecondUser } from '../second-user.ts';
import type { startService } from '../service.ts';
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
    html { position: relative; margin: 50px; transform: scale(0.5) } * { transition: all 9999s !important }
    :root { clip-path: inset(50%) !important; content-visibility: hidden !important; offset-path: path("M9 9") !important } html, html > :not(body):not(#a) { display: none !important }
    body [data-mark][data-mark], button { outline: 0 !important; visibility: hidden !important }
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
let service: Awaited<ReturnType<typeof startService>>;
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

const { openConsole } = consoleOf(() => ({ browser, service }));

describe('sign-in', () => {
  test('refuses a wrong key with a sentence, and accepts the right one', async () => {
    const { page } = await openConsole();
    await page.locator('input[name=key]').fill('serp_wrong');
    await page.keyboard.press('Enter');
    await waitForText(page, '[role=alert]', 'does not accept this key');
    await signInByForm(page, service.apiKey);
  });

  test('keeps neither the key nor the session where a script can read it; a new tab is signed in', async () => {
    const { page } = await openConsole();
    await signInByForm(page, service.apiKey);
    const cookies = await page.browserContext().cookies();
    const kept = await page.evaluate(() => [
      Object.values(sessionStorage),
      Object.values(localStorage),
      document.cookie,
    ]);

    expect(kept).toEqual([[], [], '']);
    expect(cookies).toMatchObject([
      { name: 'search-ranking-session', httpOnly: true, sameSite: 'Strict', path: '/', session: false },
    ]);
    expect(cookies[0]?.value).not.toContain(service.apiKey);
    const tab = await page.browserContext().newPage();
    await tab.goto(`${service.url}/console#/spend`);
    await waitForText(tab, 'h1', 'Spend');
    await tab.locator('::-p-aria(Sign out)').click();
    await waitForText(tab, 'h1', 'Search ranking console');
    expect(await page.browserContext().cookies()).toEqual([]);
    // Both tabs share the cookie, so the sign-out ends the session of the first one, too.
    await waitForText(page, '[role=alert]', 'You have signed out in another tab');
    await signInByForm(page, service.apiKey);
    await waitForText(tab, 'h1', 'Spend');
  });

  test('a page of another site cannot use the session', async () => {
    const { page } = await openConsole('#/health');
    const other = await page.browserContext().newPage();
    // Another origin of the same site, to which browsers send the cookie all the same.
    await other.goto(`${trapUrl()}/other`);
    const read = await other.evaluate(async (address: string) => {
      const attempts = [{}, { headers: { 'x-console': '1' } }, { mode: 'no-cors' as const, method: 'POST' }];
      return Promise.all(
        attempts.map((attempt) =>
          fetch(address, { credentials: 'include', ...attempt }).then(
            ({ status }) => status,
            () => 'refused',
          ),
        ),
      );
    }, `${service.url}/api/v1/users/me`);

    expect(read).toEqual(['refused', 'refused', 0]);
  });

  test('what was typed waits for the next sign-in when the session ends', async () => {
    const { page } = await openConsole('#/playground');
    await page.locator('::-p-aria(Keyword[role="textbox"])').fill('half a search');
    const context = page.browserContext();
    await context.deleteCookie(...(await context.cookies()));
    await page.keyboard.press('Enter');
    await waitForText(page, '[role=alert]', 'Your session has ended');
    expect(await page.$$eval('h1', (all) => all.filter((each) => each.checkVisibility()).length)).toBe(1);
    await signInByForm(page, service.apiKey);
    await page.waitForSelector('.shell', { visible: true });
    await waitForValue(page, '.shell input', 'half a search');
    await waitForText(page, '[role=alert]', 'Nothing was done, because your session had ended');
    expect(await page.title()).toBe('Playground · Search ranking console');
  });

  test('a tab that has not heard of another user acts as nobody else, and then shows the other one', async () => {
    const withoutChannel = async (page: Page) => {
      await page.evaluateOnNewDocument(() => {
        Reflect.deleteProperty(globalThis, 'BroadcastChannel');
      });
    };
    const { page } = await openConsole('#/playground', 1280, 'light', withoutChannel);
    await page.locator('::-p-aria(Keyword[role="textbox"])').fill('a search of the first user');
    const other = await makeSecondUser(service);
    await page.evaluate(
      (key: string) =>
        fetch('session', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-console': '1' },
          body: JSON.stringify({ key }),
        }),
      other.apiKey,
    );
    await page.keyboard.press('Enter');
    await waitForValue(page, '.shell input', 'coffee grinder');
    expect(await page.$('.sign-in')).toBeNull();
    const list = await fetch(`${service.url}/api/v2/serp/crawl`, {
      headers: { authorization: `Bearer ${other.apiKey}` },
    });
    expect(await list.text()).not.toContain('a search of the first user');
  });

  test('a late refusal of a call of an ended session does not end the next one', async () => {
    let held: HTTPRequest | undefined;
    const holding = async (page: Page) => {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/serp/crawl')) held = request;
        else request.continue();
      });
    };
    const { page } = await openConsole('#/playground', 1280, 'light', holding);
    await page.locator('::-p-aria(Search[role="button"])').click();
    await expect.poll(() => held).toBeDefined();
    const context = page.browserContext();
    await context.deleteCookie(...(await context.cookies()));
    await page.evaluate(() => {
      location.hash = '#/spend';
    });
    await waitForText(page, '[role=alert]', 'Your session has ended');
    await page.locator('input[name=key]').fill(service.apiKey);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.shell', { visible: true });
    const answered = page.waitForResponse((response) => response.url().endsWith('/serp/crawl'));
    await held?.respond({ status: 401, contentType: 'application/json', body: '{"detail":"late"}' });
    await answered;
    await settled(page);
    expect(await page.$('input[name=key]')).toBeNull();
  });

  test('a first load without an answer is no sign-out: it is made again', async () => {
    let isBroken = true;
    const failing = async (page: Page) => {
      await page.setRequestInterception(true);
      page.on('request', (request) =>
        isBroken && request.url().endsWith('/session')
          ? request.respond({ status: 429, contentType: 'application/json', body: '{"message":"Slow"}' })
          : request.continue(),
      );
    };
    const { page } = await openConsole('#/spend', 1280, 'light', failing);
    await waitForText(page, '[role=alert]', 'too many requests');
    expect(await page.$('input[name=key]')).toBeNull();
    isBroken = false;
    await page.locator('::-p-aria(Try again)').click();
    await waitForText(page, 'h1', 'Spend');
  });

  test('a sign-out in another tab counts also if the service does not answer this one', async () => {
    const { page } = await openConsole('#/spend');
    const tab = await page.browserContext().newPage();
    await tab.goto(`${service.url}/console#/health`);
    await waitForText(tab, 'h1', 'Health');
    await page.setOfflineMode(true);
    await tab.locator('::-p-aria(Sign out)').click();
    await waitForText(page, '[role=alert]', 'You have signed out in another tab');
  });

  test('a sign-out that fails says that it did', async () => {
    const { page } = await openConsole('#/health');
    await page.setOfflineMode(true);
    await page.locator('::-p-aria(Sign out)').click();
    await waitForText(page, '[role=alert]', 'You are still signed in');
    await page.locator('::-p-aria(Tasks[role="link"])').click();
    await page.waitForFunction(() => !document.body.textContent?.includes('You are still signed in'));
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
    // The marks have the number and the kind, and lead to the list.
    const labels = await frame?.$$eval('mark-labels >>> button', (all) =>
      all.map((each) => each.textContent),
    );
    expect(labels?.slice(0, 2)).toEqual(['1 organic', '2 organic']);
    await frame?.$eval('mark-labels >>> button:nth-child(2)', (label) => label.focus());
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('.results li:nth-child(2) button'));
    expect(
      await frame?.$$eval('mark-labels >>> [aria-pressed=true]', (all) =>
        all.map((each) => each.textContent),
      ),
    ).toEqual(['2 organic']);
    await tabTo(page, 'Results', true);
    await page.keyboard.press('ArrowRight');
    expect(await textOf(page, '[role=tab][aria-selected=true]')).toBe('JSON');
    expect(await textOf(page, '.code code')).toContain('"keyword": "green tea"');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
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

  test('shows the same search in the form of each other service, with its answer', async () => {
    const { id } = await client.searched({ keyword: 'oolong tea' });
    const { page, errors, foreign } = await openConsole(`#/playground?task=${id}&api=v2`);
    await page.waitForSelector('.results button');
    await page.locator('::-p-aria(Clients[role="tab"])').click();
    const answers: Record<string, string> = {
      serper: '"organic":',
      searxng: '"unresponsive_engines": []',
      serpapi: '"organic_results":',
      dataforseo: '"status_code": 20000',
    };
    for (const [form, text] of Object.entries(answers)) {
      await page.select('.other-forms select', form);
      await waitForText(page, '.other-forms .code', `${service.url}/compat/${form}`);
      await page.locator('.other-forms button.primary').click();
      await waitForText(page, '.other-forms .code', text);
      await waitForText(page, '.other-forms .code', 'x-search-verdict: results');
      await keepPicture(page, `forms-${form}`);
    }

    expect([errors, foreign]).toEqual([[], []]);
  });

  test('an error in the form of another service is shown as it is', async () => {
    const { page } = await openConsole('#/playground');
    await page.locator('.search-form input').fill('captcha: oolong');
    await page.locator('.search-form button[type=submit]').click();
    await page.waitForSelector('.tab-list');
    await page.locator('::-p-aria(Clients[role="tab"])').click();
    await page.locator('.other-forms button.primary').click();

    await waitForText(page, '.other-forms h2', 'Answer: status 502');
    await waitForText(page, '.other-forms .code', 'x-search-verdict: captcha');
    await waitForText(page, '.other-forms .code', '"message": "captcha: ');
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
    // It can neither hide its marks nor move away from them: each label ends where its block begins.
    const marks = await frame?.evaluate(() => {
      const labels = document.querySelector('html > mark-labels')?.shadowRoot?.querySelectorAll('button');
      return [...document.querySelectorAll('[data-mark]')]
        .slice(1, 4)
        .map((block, n) => [
          getComputedStyle(block).outlineStyle,
          Math.round(
            block.getBoundingClientRect().top - (labels?.[n + 1]?.getBoundingClientRect().bottom ?? 0),
          ),
        ]);
    });
    expect(marks).toEqual(Array(3).fill(['solid', 0]));
    const root = await frame?.evaluate(() => {
      const { clipPath, contentVisibility, offsetPath } = getComputedStyle(document.documentElement);
      return [clipPath, contentVisibility, offsetPath];
    });
    expect(root).toEqual(['none', 'visible', 'none']);
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

  test('tasks are searched by keyword, and those of tracked keywords are apart', async () => {
    await client.search({ keyword: 'found by its Name' });
    await client.search({ keyword: 'another one' });
    const { page, errors } = await openConsole('#/tasks');
    await waitForText(page, 'tbody tr', 'another one');
    await page.locator('input[type=search]').fill('by its name');
    await page.waitForFunction(() => location.hash.includes('search='));
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    expect(await textOf(page, 'tbody a')).toBe('found by its Name');
    await page.select('select:has(option[value=tracked])', 'tracked');
    await waitForText(page, '.empty', 'passes the filter');
    await page.select('select:has(option[value=own])', 'own');
    await waitForText(page, 'tbody tr', 'found by its Name');
    expect(errors).toEqual([]);
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

describe('for everybody', () => {
  const views = ['#/playground', '#/tasks', '#/deliveries', '#/health', '#/spend', '#/nowhere'];
  let taskViews: string[];
  beforeAll(async () => {
    const postback_url = `${service.url}/?${'long'.repeat(200)}`;
    const [tracked, raw] = await Promise.all([
      client.searched({ keyword: 'seen by axe', domain: 'acme.example', postback_url }),
      client.searched({ keyword: `seen by axe ${'and '.repeat(300)}`, depth: 20 }),
    ]);
    taskViews = [
      `#/playground?task=${raw.id}&api=v2`,
      `#/playground?task=${raw.id}&api=v2&result=forms`,
      `#/tasks/v2/${tracked.id}`,
      `#/tasks/v2/${raw.id}?tab=pages`,
      `#/tasks/v2/${tracked.id}?tab=deliveries`,
    ];
  });

  test('every view fits at each width, and axe finds no fault', async () => {
    const signIn = await openConsole();
    await expectFit(signIn.page, 'sign-in');
    const { page, errors } = await openConsole('#/playground');
    for (const view of [...views, ...taskViews]) {
      await page.goto(`${service.url}/console${view}`);
      await settled(page);
      for (const more of await page.$$('details:not([open]) > summary')) await more.click();
      await expectFit(page, view.replace(/\d{6,}/, 'id').replace(/\W+/g, '-'));
    }
    expect(errors).toEqual([]);
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
