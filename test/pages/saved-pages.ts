/** The saved pages of real engines that lie beside the project, as the crawl would have read them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Device } from '../../lib/model/crawl-request.ts';
import type { ParsedPage, Verdict } from '../../lib/model/result.ts';
import { readPage } from '../../lib/serp/google/reader.ts';
import { judgePage } from '../../lib/serp/google/verdict.ts';
import { parseHtml } from '../../lib/serp/page.ts';

export const root = join(process.cwd(), '../shared/serps');

export type Row = { path: string; device: Device; verdict: string; query: string; captured: string };

/** The pages of Google in the manifest; a device that nobody knows is read as desktop. */
const rowsOf = (manifest: string): Row[] => {
  const [head = '', ...lines] = manifest.trim().split('\n');
  const names = head.split('\t');
  return lines
    .map((line) => Object.fromEntries(line.split('\t').map((value, index) => [names[index], value])))
    .filter((row) => row.engine === 'google')
    .map(({ path = '', device, verdict = '', query = '', captured = '' }) => ({
      path,
      device: device === 'mobile' ? 'mobile' : 'desktop',
      verdict,
      query,
      captured,
    }));
};

/** Most pages are UTF-8; a few were saved in the old Western encoding without saying so. */
export const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

export const bytesOf = ({ path }: Row): Buffer => readFileSync(join(root, path));

export const htmlOf = (row: Row): string => decode(bytesOf(row));

export const readRow = (
  { device, query, captured }: Row,
  html: string,
): ParsedPage & { verdict: Verdict } => {
  const page = parseHtml(html);
  const parsed = readPage(page, device);
  const fetchedAt = Date.parse(`${captured}T12:00:00Z`) / 1000;
  const verdict = judgePage(page, parsed, { query, device, fetchedAt, status: 200, url: '' });
  return { verdict, ...parsed };
};

/** The rows of the manifest. Throws where there are no pages: a test of them cannot be run without. */
export const savedPages = (): Row[] => {
  if (!existsSync(join(root, 'MANIFEST.tsv'))) {
    throw new Error(`no saved pages at ${root}: this test needs them and cannot be run without`);
  }
  return rowsOf(readFileSync(join(root, 'MANIFEST.tsv'), 'utf8'));
};
