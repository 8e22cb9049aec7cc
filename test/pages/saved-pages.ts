/** Reads the saved pages of real engines, which are in a folder next to the project, like the crawl. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Device } from '../../lib/model/crawl-request.ts';
import type { ParsedPage, Verdict } from '../../lib/model/parsed-page.ts';
import { reader } from '../../lib/serp/google/reader.ts';

export const root = join(process.cwd(), '../shared/serps');

export type Row = {
  path: string;
  device: Device;
  verdict: string;
  query: string;
  captured: string;
  /** The language of the interface, with the country if it is known; empty if it is not. */
  language: string;
};

/** The pages of an engine in the manifest. An unknown device counts as desktop. */
const rowsOf = (manifest: string, engine: string): Row[] => {
  const [head = '', ...lines] = manifest.trim().split('\n');
  const names = head.split('\t');
  return lines
    .map((line) => Object.fromEntries(line.split('\t').map((value, index) => [names[index], value])))
    .filter((row) => row.engine === engine)
    .map(({ path = '', device, verdict = '', query = '', captured = '', language = '' }) => ({
      path,
      device: device === 'mobile' ? 'mobile' : 'desktop',
      verdict,
      query,
      captured,
      language,
    }));
};

/** Decodes UTF-8, or windows-1252 for the few pages that were saved in it without a declaration. */
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
  const page = reader.open(html);
  const parsed = page.read(device);
  const fetchedAt = Date.parse(`${captured}T12:00:00Z`) / 1000;
  const verdict = page.judge(parsed, { query, device, fetchedAt, status: 200, url: '' });
  return { verdict, ...parsed };
};

/**
 * The rows of an engine in the manifest.
 * @throws if there are no saved pages, because these tests need them.
 */
export const savedPages = (engine = 'google'): Row[] => {
  if (!existsSync(join(root, 'MANIFEST.tsv'))) {
    throw new Error(`There are no saved pages at ${root}. This test needs them.`);
  }
  return rowsOf(readFileSync(join(root, 'MANIFEST.tsv'), 'utf8'), engine);
};
