/** Starts Chromium for a test of a page. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { launchWith } from '../../lib/net/chromium-program.ts';

/** Far above what a page takes on a busy machine. The limits of Puppeteer are 30 s. */
export const pageTimeoutMs = 100_000;

/** `profile`: a folder for what the browser keeps, which the caller removes. */
export const startBrowser = (profile?: string): Promise<Browser> =>
  launchWith((executablePath) =>
    puppeteer.launch({
      timeout: pageTimeoutMs,
      executablePath,
      ...(profile && { userDataDir: profile }),
      args: [
        '--no-sandbox',
        '--no-zygote',
        '--disable-gpu',
        '--disable-background-networking',
        // Each page compiles axe and the console again, for some seconds. To optimize their code takes more
        // processor time than it saves.
        '--js-flags=--no-turbofan',
      ],
      headless: 'shell',
      // Chromium ends when this process ends and the pipe closes.
      pipe: true,
      defaultViewport: { width: 1280, height: 900 },
    }),
  );

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const rules = {
  iframes: false,
  // Without the details of what passes.
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
} satisfies RunOptions;

/** The rules that another colour scheme can break. */
const colorRules = { ...rules, runOnly: ['color-contrast', 'link-in-text-block'] } satisfies RunOptions;

/** The rules that another width can break, if each colour and each element was looked at in a wide page. */
const widthRules = { ...rules, runOnly: ['target-size', 'scrollable-region-focusable'] } satisfies RunOptions;

export type Scheme = 'light' | 'dark';

/**
 * What axe finds on the page against WCAG 2.2 AA and its own best practices, a line for each. In the dark
 * scheme, only about its colours: all else is the same in the light one. `isNarrower`: only what the width of
 * a page can break that was looked at before. A frame without scripts cannot be looked into.
 */
export const faultsOf = async (
  page: Page,
  scheme: Scheme = 'light',
  isNarrower = false,
): Promise<string[]> => {
  // Not as a script element, which the policy of a page may refuse.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const options = JSON.stringify(isNarrower ? widthRules : scheme === 'dark' ? colorRules : rules);
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults;
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
};
