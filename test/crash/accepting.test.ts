/** Kills a stack before and after every write and send from a request to its queue message, and during the first start. */
import { expect, test } from 'vitest';
import { comesTrue, startChain } from './chain.ts';
import { killAtPoints } from './kill-at-points.ts';
import { accepting } from './points.ts';

killAtPoints(accepting, { env: {}, expected: () => 'success' });

test.each(['before-write-account', 'after-write-account'])(
  'a first start that is killed %s can be repeated without help',
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
