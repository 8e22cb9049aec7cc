/** The page that tries operations in a real browser. It loads files from the service only. */
import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { pageTimeoutMs } from '../browser.ts';
import { sharedService } from '../injected-service.ts';

const { url, apiKey } = sharedService();
let browser: Browser;

beforeAll(async () => {
  const executablePath = await chromium.executablePath();
  const args = [
    '--no-sandbox',
    '--no-zygote',
    '--single-process',
    '--disable-gpu',
    '--disable-background-networking',
  ];
  browser = await puppeteer.launch({
    executablePath,
    args,
    headless: 'shell',
    defaultViewport: { width: 1280, height: 1600 },
  });
});
afterEach(async () => {
  for (const page of await browser.pages()) await page.close();
});
afterAll(() => browser.close());

test('shows every operation, first searches, loads from the service alone, and logs no error', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(pageTimeoutMs);
  const foreign: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));

  await page.goto(`${url}/docs/try`, { waitUntil: 'networkidle0' });
  await page.waitForSelector('.opblock');
  const paths = await page.$$eval('.opblock-summary-path', (found) =>
    found.map((element) => element.textContent),
  );
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/try.png` });

  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, object>;
    webhooks: Record<string, object>;
  };
  const operations = Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
    Object.keys(methods).map(() => path),
  );
  expect(await page.$eval('.opblock-tag', (tag) => tag.id)).toBe('operations-tag-serp');
  expect(paths.map((path) => path?.replaceAll('\u200b', '')).sort()).toEqual(operations.sort());
  expect(foreign).toEqual([]);
  expect(errors).toEqual([]);
});

test.each([1280, 390])('fits a window of %i pixels, with an operation and the dialog open', async (width) => {
  const page = await browser.newPage();
  page.setDefaultTimeout(pageTimeoutMs);
  await page.setViewport({ width, height: 1400 });
  await page.goto(`${url}/docs/try`, { waitUntil: 'networkidle0' });
  const widthOf = () => page.$eval('html', (element) => element.scrollWidth);
  const shoot = async (name: string) => {
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${width}.png` });
  };
  await page.waitForSelector('.opblock');
  const widths = [await widthOf()];

  const operation = '[id="operations-serp-createGoogleTask"]';
  await page.locator(`${operation} .opblock-summary`).click();
  await page.waitForSelector(`${operation} .responses-table`);
  await page.$eval(`${operation} .responses-table`, (element) => element.scrollIntoView());
  widths.push(await widthOf());
  await shoot('operation');
  const filled = await page.$$eval(`${operation} .parameters input`, (inputs) =>
    inputs.map(({ value }) => value),
  );

  await page.locator('button.authorize.unlocked').click();
  await page.waitForSelector('.auth-container');
  const dialog = await page.$eval('.modal-ux', (element) => element.getBoundingClientRect().width);
  await shoot('dialog');

  expect(widths).toEqual([width, width]);
  expect(filled).toEqual(['', '']);
  expect(dialog).toBeLessThanOrEqual(width);
});

const openTry = async (): Promise<Page> => {
  const page = await browser.newPage();
  page.setDefaultTimeout(pageTimeoutMs);
  await page.goto(`${url}/docs/try`, { waitUntil: 'networkidle0' });
  await page.locator('button.authorize.unlocked').click();
  await page.waitForSelector('.auth-container');
  return page;
};

const focused = (page: Page) => page.$eval(':focus', ({ id }) => id);

/** Fills the fields of the dialog, sends it, and waits until it shows that it is authorized. */
const authorize = async (page: Page, fields: Record<string, string>, number: number): Promise<void> => {
  for (const [selector, text] of Object.entries(fields)) await page.locator(selector).fill(text);
  const button = `.auth-container:nth-of-type(${number}) .auth-btn-wrapper button`;
  await page.locator(`${button}.authorize`).click();
  await page.waitForSelector(`${button}[aria-label="Remove authorization"]`);
  await page.locator('button.close-modal').click();
};

/** Sends `GET /api/v1/users/me` from the page, and returns the response that the page shows. */
const readUser = async (page: Page): Promise<{ status: string; body: Record<string, unknown> }> => {
  const operation = '[id="operations-account-readUser"]';
  await page.locator(`${operation} .opblock-summary`).click();
  await page.locator(`${operation} button.execute`).click();
  const live = await page.waitForSelector(
    `${operation} .live-responses-table .response .response-col_status`,
  );
  const status = await live?.evaluate((element) => element.textContent?.trim() ?? '');
  const text = await page.$eval(
    `${operation} .live-responses-table .microlight, ${operation} .live-responses-table pre`,
    (element) => element.textContent ?? '',
  );
  return { status: status ?? '', body: JSON.parse(text) };
};

test('its button Authorize focuses the field of the key, each time, and the dialog authorizes with a key', async () => {
  const page = await openTry();
  expect(await focused(page)).toBe('auth-bearer-value');
  await page.locator('button.close-modal').click();
  await page.waitForFunction("!document.querySelector('.auth-container')");
  await page.locator('button.authorize.unlocked').click();
  await page.waitForSelector('.auth-container');
  expect(await focused(page)).toBe('auth-bearer-value');

  await authorize(page, { '#auth-bearer-value': apiKey }, 1);

  const { status, body } = await readUser(page);

  expect([status.slice(0, 3), body]).toEqual(['200', expect.objectContaining({ api_key: apiKey })]);
});

test('its dialog authorizes with a user name and a password, and gets a token', async () => {
  const page = await openTry();
  const asked: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
  await authorize(page, { '#oauth_username': '1', '#oauth_password': apiKey }, 2);

  const { status, body } = await readUser(page);

  expect(asked).toEqual([`${url}/token`]);
  expect([status.slice(0, 3), body]).toEqual([
    '200',
    expect.objectContaining({ id: 1, api_key: expect.stringMatching(/^serp_\*{46}$/) }),
  ]);
});
