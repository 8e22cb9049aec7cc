/** The documentation page in a real browser. It loads files from the service only. */
import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const { url } = inject('service');
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
afterAll(() => browser.close());

test('shows every operation, loads from the service alone, and logs no error', async () => {
  const page = await browser.newPage();
  const foreign: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));

  await page.goto(`${url}/docs`, { waitUntil: 'networkidle0' });
  await page.waitForSelector('.opblock');
  const paths = await page.$$eval('.opblock-summary-path', (found) =>
    found.map((element) => element.textContent),
  );
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/docs.png` });

  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, unknown> };
  expect(paths.map((path) => path?.replaceAll('\u200b', '')).sort()).toEqual(
    Object.keys(document.paths).sort(),
  );
  expect(foreign).toEqual([]);
  expect(errors).toEqual([]);
});
