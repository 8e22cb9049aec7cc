/** Opens the console in a browser, signed in, and looks at its pages. */
import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { expect, onTestFinished } from 'vitest';
import { faultsOf, pageTimeoutMs, type Scheme } from './browser.ts';
import type { Service } from './service.ts';

export type Stack = { browser: Browser; service: Pick<Service, 'url' | 'apiKey'> };

type Watched = { page: Page; errors: string[]; foreign: string[] };

type Request = { id: string; document: string; url: string };

/** The requests of each page that are under way. */
const requests = new WeakMap<Page, () => Request[]>();

/**
 * Call this before the page loads, and `settled` after it. A request that a reload cuts off is reported as
 * under way for ever, and may be reported after the reload has begun. So only those of the present document
 * count, and the request for a new one.
 */
export const countRequests = async (page: Page): Promise<void> => {
  const all = new Map<string, Request>();
  let present = '';
  const session = await page.createCDPSession();
  session.on('Network.requestWillBeSent', ({ requestId: id, loaderId: document, request: { url } }) => {
    all.set(id, { id, document, url });
  });
  session.on('Network.loadingFinished', ({ requestId }) => all.delete(requestId));
  session.on('Network.loadingFailed', ({ requestId }) => all.delete(requestId));
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return;
    present = frame.loaderId;
    for (const { id, document } of all.values()) if (document !== present) all.delete(id);
  });
  await session.send('Network.enable');
  await session.send('Page.enable');
  requests.set(page, () =>
    [...all.values()].filter(({ id, document }) => document === present || id === document),
  );
};

/** The time without a request after which the console has asked for all that it shows. */
const quietMs = 100;

/** Waits until the console has loaded what it shows. */
export const settled = async (page: Page): Promise<void> => {
  const underWay = requests.get(page);
  if (!underWay) throw new Error('The requests of this page are not counted');
  const begun = Date.now();
  for (let quietSince = begun; Date.now() - quietSince < quietMs; ) {
    await setTimeout(20);
    if (underWay().length > 0) quietSince = Date.now();
    if (Date.now() - begun > pageTimeoutMs)
      throw new Error(
        `Still under way: ${underWay()
          .map(({ url }) => url)
          .join(', ')}`,
      );
  }
  await page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('.waiting'));
};

/** Signs in as the sign-in page does, without the page: gives the browser the cookie of the answer. */
const signIn = async (context: BrowserContext, { url, apiKey }: Stack['service']): Promise<void> => {
  const response = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-console': '1' },
    body: JSON.stringify({ key: apiKey }),
  });
  if (response.status !== 200) throw new Error(`The sign-in was answered with ${response.status}`);
  const [, name = '', value = '', path = ''] =
    /^([^=]+)=([^;]*); Path=([^;]*);/.exec(response.headers.get('set-cookie') ?? '') ?? [];
  const { hostname, protocol } = new URL(url);
  const only = { httpOnly: true, sameSite: 'Strict', secure: protocol === 'https:' } as const;
  await context.setCookie({ name, value, domain: hostname, path, ...only });
};

/** Waits for the tables, too: they are laid out again after the browser has reported their new width. */
const show = async (page: Page, width: number, scheme: Scheme): Promise<void> => {
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.evaluate(async () => {
    const layout = () =>
      [...document.querySelectorAll('.table-room')].map(
        ({ className, scrollWidth, scrollHeight }) => `${className} ${scrollWidth} ${scrollHeight}`,
      );
    let last = '';
    for (let same = 0; same < 3; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = layout().join();
      same = now === last ? same + 1 : 0;
      last = now;
    }
  });
};

/**
 * Opens the console for the running test, signed in if a view is given. Records errors and requests to
 * anything but the service. `prepare`: what to do with the page before it loads.
 */
const openWith = async (
  { browser, service }: Stack,
  view?: string,
  width = 1280,
  scheme: Scheme = 'light',
  prepare?: (page: Page) => Promise<void>,
): Promise<Watched> => {
  const context = await browser.createBrowserContext();
  // An open page asks the service for news until the browser ends.
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(pageTimeoutMs);
  await countRequests(page);
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !/^(data|about):/.test(request.url()))
      foreign.push(request.url());
  });
  await show(page, width, scheme);
  if (view !== undefined) await signIn(context, service);
  await prepare?.(page);
  await page.goto(`${service.url}/console${view ?? ''}`);
  await settled(page);
  return { page, errors, foreign };
};

/** Signs in on the sign-in page, as a person does. */
export const signInByForm = async (page: Page, apiKey: string): Promise<void> => {
  await page.locator('input[name=key]').fill(apiKey);
  await page.keyboard.press('Enter');
  await waitForText(page, 'h1', 'Playground');
};

export const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) => element.textContent ?? '');

/** Waits until an element has a text. */
export const waitForText = (page: Page, selector: string, text: string) =>
  page.waitForFunction(
    (where: string, wanted: string) =>
      [...document.querySelectorAll(where)].some((element) => element.textContent?.includes(wanted)),
    {},
    selector,
    text,
  );

const maxFills = 5;

/**
 * Replaces the text of a field. The browser's driver clears a field without an event, and a rendering before
 * it types restores the former text: then it is done again.
 */
export const fillField = async (page: Page, selector: string, text: string): Promise<void> => {
  const field = page.locator(selector);
  const textIn = (element: Element) => ('value' in element ? element.value : element.textContent);
  for (let tries = 0; tries < maxFills; tries += 1) {
    await field.fill(text);
    if ((await field.map(textIn).wait()) === text) return;
  }
  throw new Error(`${selector} does not keep the text ${text}`);
};

/** Waits until a field contains a text. */
export const waitForValue = (page: Page, selector: string, text: string) =>
  page.waitForFunction(
    (where: string, wanted: string) =>
      document.querySelector<HTMLInputElement | HTMLTextAreaElement>(where)?.value.includes(wanted),
    {},
    selector,
    text,
  );

/** Presses Tab until the focused element has this name. */
export const tabTo = async (page: Page, name: string, isBackwards = false): Promise<void> => {
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

/** What opens the console of the service that a test file starts. */
export const consoleOf = (stack: () => Stack) => ({
  openConsole: (view?: string, width?: number, scheme?: Scheme, prepare?: (page: Page) => Promise<void>) =>
    openWith(stack(), view, width, scheme, prepare),
});

/** Saves a picture of the page in the folder `SCREENSHOTS`. Without one, does nothing. */
export const keepPicture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/console-${name}.png`, fullPage: true });
};

export const widths = [320, 390, 768, 1024, 1440] as const;

/**
 * What is wrong with the rooms of tables and the width of a page, a line for each: a row higher than 200
 * pixels, a table wider than its room without a visible hint, a text that is cut off and has no title with
 * all of it, a tag whose text goes on below it, a page that scrolls sideways.
 */
export const layoutFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = [];
    for (const room of document.querySelectorAll('.table-room')) {
      const name = room.getAttribute('aria-label');
      const over = room.scrollWidth - room.clientWidth;
      const hint = room.previousElementSibling;
      const isHinted = hint?.matches('.table-hint') && hint.getBoundingClientRect().height > 0;
      if (over > 0 && !isHinted) faults.push(`${name}: ${over} px wider than its room`);
      for (const row of room.querySelectorAll('tr')) {
        const { height } = row.getBoundingClientRect();
        if (height > 200) faults.push(`${name}: a row of ${height} px: ${row.textContent}`);
      }
    }
    for (const text of document.querySelectorAll<HTMLElement>('.clamped, .under, .one-line, nav span')) {
      const isCut = text.scrollWidth > text.clientWidth + 1 || text.scrollHeight > text.clientHeight + 2;
      const isHiding = getComputedStyle(text).overflow === 'hidden';
      if (text.clientWidth > 1 && isHiding && isCut && !text.closest('[title]'))
        faults.push(`cut off: ${text.textContent}`);
    }
    for (const tag of document.querySelectorAll('.kind, .tag')) {
      if (tag.clientHeight > 1 && tag.scrollHeight > tag.clientHeight + 2)
        faults.push(`higher than its room: ${tag.textContent}`);
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} px wide`);
    return faults;
  });

/**
 * Looks at the page at each width. At the narrowest and at the widest one, axe looks, too, in both schemes:
 * the widths between them show no other elements, and the colours do not depend on the width. The page is
 * loaded once, because a load takes longer than a look. At last with letters of 24 pixels. `name`: of its
 * pictures.
 */
export const expectFit = async (page: Page, name: string): Promise<void> => {
  for (const width of widths) {
    await show(page, width, 'light');
    await keepPicture(page, `${name}-${width}`);
    // The hint beside a table comes after the browser has reported its new width.
    await expect
      .poll(async () => [name, width, await layoutFaults(page)], { timeout: 60_000 })
      .toEqual([name, width, []]);
    if (width !== widths[0] && width !== widths.at(-1)) continue;
    for (const scheme of ['light', 'dark'] as const) {
      await show(page, width, scheme);
      if (scheme === 'dark') await keepPicture(page, `${name}-${width}-dark`);
      expect([name, width, scheme, await faultsOf(page, scheme)]).toEqual([name, width, scheme, []]);
    }
  }
  await setLetters(page, '150%');
  await expect.poll(() => largeLetterFaults(page, name), { timeout: 60_000 }).toEqual([name, []]);
  await setLetters(page, '');
};

/** The size of letters that a person has set in the browser, in percent of the usual one. */
const setLetters = (page: Page, size: string): Promise<void> =>
  page.evaluate((wanted) => {
    document.documentElement.style.fontSize = wanted;
  }, size);

/** Rows may be higher then. */
const largeLetterFaults = async (page: Page, name: string): Promise<[string, string[]]> => [
  name,
  (await layoutFaults(page)).filter((fault) => !fault.includes('a row of')),
];
