/** The page that tries operations in a real browser. It loads files from the service only. */
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageTimeoutMs, startBrowser } from '../browser.ts';
import { sharedService } from '../injected-service.ts';

const { url, apiKey } = sharedService();
let browser: Browser;
/** Loaded once, because it shows more than 100 operations: each test but the first goes on in it. */
let page: Page;
const foreign: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(pageTimeoutMs);
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${url}/docs/try`, { waitUntil: 'networkidle0' });
  await page.waitForSelector('.opblock');
});
afterAll(() => browser.close());

/** Saves a picture if the environment names a folder for it. */
const shoot = async (name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
};

test('shows every operation, first searches, loads from the service alone, and logs no error', async () => {
  const paths = await page.$$eval('.opblock-summary-path', (found) =>
    found.map((element) => element.textContent),
  );
  await shoot('try');

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

const widthOf = () => page.$eval('html', (element) => element.scrollWidth);

const openDialog = async (): Promise<void> => {
  await page.locator('button.authorize').click();
  await page.waitForSelector('.auth-container');
};

const closeDialog = async (): Promise<void> => {
  await page.locator('button.close-modal').click();
  await page.waitForFunction("!document.querySelector('.auth-container')");
};

test.each([1280, 390])('fits a window of %i pixels, with an operation and the dialog open', async (width) => {
  await page.setViewport({ width, height: 1400 });
  const widths = [await widthOf()];

  const operation = '[id="operations-serp-createGoogleTask"]';
  await page.locator(`${operation} .opblock-summary`).click();
  await page.waitForSelector(`${operation} .responses-table`);
  await page.$eval(`${operation} .responses-table`, (element) => element.scrollIntoView());
  widths.push(await widthOf());
  await shoot(`operation-${width}`);
  const filled = await page.$$eval(`${operation} .parameters input`, (inputs) =>
    inputs.map(({ value }) => value),
  );

  await openDialog();
  const dialog = await page.$eval('.modal-ux', (element) => element.getBoundingClientRect().width);
  await shoot(`dialog-${width}`);
  await closeDialog();
  await page.locator(`${operation} .opblock-summary`).click();

  expect(widths).toEqual([width, width]);
  expect(filled).toEqual(['', '']);
  expect(dialog).toBeLessThanOrEqual(width);
});

const focused = () => page.$eval(':focus', ({ id }) => id);

const schemeOf = (number: number) => `.auth-container:nth-of-type(${number}) .auth-btn-wrapper button`;
const authorized = '[aria-label="Remove authorization"]';

/** Fills the fields of the open dialog, sends it, and closes it when it shows that it is authorized. */
const authorize = async (fields: Record<string, string>, number: number): Promise<void> => {
  for (const [selector, text] of Object.entries(fields)) await page.locator(selector).fill(text);
  await page.locator(`${schemeOf(number)}.authorize`).click();
  await page.waitForSelector(schemeOf(number) + authorized);
  await closeDialog();
};

/** Sends `GET /api/v1/users/me` from the page, and returns the response that the page shows. */
const readUser = async (): Promise<{ status: string; body: Record<string, unknown> }> => {
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
  await page.locator(`${operation} button.btn-clear`).click();
  await page.locator(`${operation} .opblock-summary`).click();
  return { status: status ?? '', body: JSON.parse(text) };
};

test('its button Authorize focuses the field of the key, each time, and the dialog authorizes with a key', async () => {
  await openDialog();
  expect(await focused()).toBe('auth-bearer-value');
  await closeDialog();
  await openDialog();
  expect(await focused()).toBe('auth-bearer-value');

  await authorize({ '#auth-bearer-value': apiKey }, 1);

  const { status, body } = await readUser();

  expect([status.slice(0, 3), body]).toEqual(['200', expect.objectContaining({ api_key: apiKey })]);
});

test('its dialog forgets the key, authorizes with a user name and a password, and gets a token', async () => {
  const asked: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
  await openDialog();
  await page.locator(schemeOf(1) + authorized).click();
  await page.waitForSelector(`${schemeOf(1)}.authorize`);
  await closeDialog();
  expect((await readUser()).status.slice(0, 3)).toBe('401');
  await openDialog();
  await authorize({ '#oauth_username': '1', '#oauth_password': apiKey }, 2);

  const { status, body } = await readUser();

  expect(asked).toEqual([`${url}/token`]);
  expect([status.slice(0, 3), body]).toEqual([
    '200',
    expect.objectContaining({ id: 1, api_key: expect.stringMatching(/^serp_\*{46}$/) }),
  ]);
});
