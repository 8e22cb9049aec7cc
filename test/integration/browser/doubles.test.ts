/**
 * Pages of the sandbox of each engine in the browser: it passes their script walls, and the results are read
 * from what it shows.
 */
import { afterAll, expect, test } from 'vitest';
import { fetchInBrowser } from '../../../lib/fetcher/browser.ts';
import { engines } from '../../../lib/model/engine.ts';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { sandboxEngines } from '../../../lib/sandbox/engines.ts';
import { pageUrl } from '../../../lib/serp/address.ts';
import { readers } from '../../../lib/serp/reader.ts';

afterAll(closeBrowsers);

const names = Object.keys(sandboxEngines) as (keyof typeof sandboxEngines)[];

test.each(names.flatMap((engine) => (['desktop', 'mobile'] as const).map((device) => ({ engine, device }))))(
  'the script wall of $engine on $device is passed',
  async ({ engine, device }) => {
    const search = {
      engine,
      keyword: 'script_wall: garden chairs',
      location_name: '',
      iso_code: 'us',
      language_code: 'en',
      engine_domain: engines[engine].domain,
      device,
      depth: 10,
    };
    const url = pageUrl(search, 1);
    const verdictOf = ({ status, body }: { status: number; body: string }) => {
      const page = readers[engine].open(body);
      const fetchedAt = Math.floor(Date.now() / 1000);
      return page.judge(page.read(device), { query: search.keyword, device, fetchedAt, status, url });
    };

    const page = await fetchInBrowser(
      { ...search, url },
      'session',
      (open) => (verdictOf(open) === 'results' ? 0 : 9000),
      { work: async () => {}, deadlineMs: 0 },
      40_000,
    );

    expect(page.ok && verdictOf(page)).toBe('results');
  },
);
