/**
 * Kills a stack before and after every write and send from a request to its queue message, and during the
 * first start.
 */
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
    expect(await comesTrue(chain.allFinal)).toBe(true);
    await chain.end();
  },
);

// Each waits for the lease of the killed request.
test.concurrent.each(['after-write-request:1', 'after-write-rows:5', 'before-queue-tasks:2'])(
  'a batch with an Idempotency-Key that is killed %s is completed by its repetition, and no task is there twice',
  async (point) => {
    const chain = await startChain();
    const batch = Array.from({ length: 12 }, (_, n) => ({
      keyword: `tea cups ${n}`,
      location_name: 'United States',
      iso_code: 'US',
    }));
    const post = () => chain.post('crawl/google/batch', batch, { 'Idempotency-Key': 'cups' });
    await chain.restart({ CRASH_AT: point });
    await post();
    expect(await comesTrue(chain.isDead)).toBe(true);
    await chain.restart();

    const isAccepted = async () => {
      await post();
      return chain.accepted.length > 0;
    };
    expect(await comesTrue(isAccepted)).toBe(true);

    const ids = chain.accepted.map(({ task }) => task.id);
    expect(ids).toHaveLength(12);
    expect((await chain.rows()).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(await comesTrue(chain.allFinal)).toBe(true);
    await post();
    expect(chain.accepted.slice(12).map(({ task }) => task.id)).toEqual(ids);
    await chain.end();
  },
);
