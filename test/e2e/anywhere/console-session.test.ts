/** The session of the console, at any address: also below the path of a stage. */
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../browser.ts';
import { consoleOf, countRequests, settled, signInByForm, waitForText } from '../console-page.ts';
import { sharedService } from '../injected-service.ts';

const service = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { openConsole } = consoleOf(() => ({ browser, service }));

test('a second tab is signed in by the cookie of the first one, and its requests have the data of the user', async () => {
  const { page, errors, foreign } = await openConsole();
  await signInByForm(page, service.apiKey);
  const tab = await page.browserContext().newPage();
  await countRequests(tab);
  const answered = tab.waitForResponse((response) => /\/api\/v1\/status$/.test(response.url()));
  await tab.goto(`${service.url}/console#/health`);

  expect((await answered).status()).toBe(200);
  await settled(tab);
  await waitForText(tab, 'h1', 'Health');
  expect([errors, foreign]).toEqual([[], []]);
});
