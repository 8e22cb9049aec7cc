/** A stack killed around every write and send between a request and the final state of its task. */
import { expect, test } from 'vitest';
import { comesTrue, startChain } from './chain.ts';
import { killAtPoints } from './kill-at-points.ts';
import { crawling } from './points.ts';

killAtPoints(crawling, {
  env: {},
  expected: ({ task }) => (task.keyword.startsWith('cut: ') ? 'error' : 'success'),
});

test.each(['before-write-account', 'after-write-account'])(
  'a first start killed %s leaves nothing that a second one needs help with',
  async (point) => {
    const chain = await startChain();
    await chain.restart({ CRASH_AT: point });
    expect(chain.isDead()).toBe(true);

    await chain.restart();
    await chain.post('crawl', { keyword: 'tea cups', location_name: 'United States', iso_code: 'US' });

    expect(chain.accepted).toHaveLength(1);
    expect(await comesTrue(chain.allFinal, 30_000)).toBe(true);
    await chain.end();
  },
);
