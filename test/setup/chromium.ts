/**
 * Unpacks Chromium before the first test file. Its package writes the program to the temporary folder without
 * a lock: a second process that looks meanwhile starts a file that is being written (`ETXTBSY`).
 */
import chromium from '@sparticuz/chromium';

export default async (): Promise<void> => {
  await chromium.executablePath();
};
