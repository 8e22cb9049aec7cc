/** Results of the sandbox are for the words that were asked, also if joiners or soft hyphens are in them. */
import { expect, test } from 'vitest';
import { outcomeOf } from '../../../lib/crawl/page-outcome.ts';
import { sandboxEngines } from '../../../lib/sandbox/engines.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';

const addresses: [engine: keyof typeof sandboxEngines, address: string][] = [
  ['google', 'https://www.google.com/search?hl=en&gl=us&q='],
  ['bing', 'https://www.bing.com/search?cc=us&setlang=en&q='],
  ['yahoo', 'https://search.yahoo.com/search?p='],
  ['youtube', 'https://www.youtube.com/results?hl=en&gl=US&search_query='],
];

const keywords = [
  'می\u200cخواهم',
  'क्\u200dष',
  '👩\u200d💻',
  '👨\u200d👩\u200d👧\u200d👦 emoji',
  'co\u00adop store',
];

test.each(addresses.flatMap(([engine, address]) => keywords.map((keyword) => [engine, keyword, address])))(
  'a page of %s for %s is one of results',
  (engine, keyword, address) => {
    const asked = {
      engine,
      keyword,
      device: 'desktop',
      iso_code: 'US',
      language_code: 'en',
      engine_domain: '',
    };
    const row = asked as SerpRow;
    const url = `${address}${encodeURIComponent(keyword)}`;
    const answer = sandboxEngines[row.engine]?.({
      url,
      device: 'desktop',
      now: Math.floor(Date.now() / 1000),
    });

    expect(outcomeOf(row, 1, { ok: true, status: 200, url, body: answer?.body ?? '' })).toMatchObject({
      outcome: 'fetched',
      verdict: 'results',
    });
  },
);
