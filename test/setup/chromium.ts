/**
 * Starts Chromium once before the first test file, which unpacks it. Its package writes the program to the
 * temporary folder without a lock: a second process that looks meanwhile starts a file that is being written
 * (`ETXTBSY`). On a machine without the libraries of a desktop, the workers get those of the package.
 */
import { startBrowser } from '../e2e/browser.ts';

export default async (): Promise<void> => {
  const browser = await startBrowser();
  await browser.close();
};
