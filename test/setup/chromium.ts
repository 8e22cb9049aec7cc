/**
 * Starts Chromium once before the first test file. On a machine that has never run it, this unpacks it, and
 * the time is no test's. On a machine without the libraries of a desktop, the workers get those of the
 * package.
 */
import { startBrowser } from '../e2e/browser.ts';

export default async (): Promise<void> => {
  const browser = await startBrowser();
  await browser.close();
};
