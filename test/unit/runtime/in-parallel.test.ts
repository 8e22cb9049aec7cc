import { describe, expect, test } from 'vitest';
import { inBatches, inParallel } from '../../../lib/runtime/in-parallel.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Work that ends when the test calls `endAll`. */
const manual = () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  let inProgress = 0;
  let most = 0;
  const work = async (n: number) => {
    begun.push(n);
    inProgress += 1;
    most = Math.max(most, inProgress);
    await new Promise<void>((resolve) => ends.push(resolve));
    inProgress -= 1;
  };
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  };
  return { begun, work, endAll, most: () => most };
};

describe('inParallel', () => {
  test.each([0, 1, 3, 4, 11])(
    'processes %i items in order, each once, at most 3 at a time',
    async (count) => {
      const { begun, work, endAll, most } = manual();

      const done = inParallel(numbers(count), 3, work);
      await endAll();
      await done;

      expect(begun).toEqual(numbers(count));
      expect(most()).toBe(Math.min(3, count));
    },
  );

  test('begins no further item once isOver returns true', async () => {
    const begun: number[] = [];

    await inParallel(
      numbers(10),
      2,
      async (n) => {
        begun.push(n);
      },
      () => begun.length >= 4,
    );

    expect(begun).toEqual([0, 1, 2, 3]);
  });

  test('rejects with the first error', async () => {
    const work = async (n: number) => {
      if (n === 2) throw new Error('the third failed');
    };

    await expect(inParallel(numbers(5), 2, work)).rejects.toThrow('the third failed');
  });
});

test.each([
  [[], 3, []],
  [[1, 2, 3], 3, [[1, 2, 3]]],
  [[1, 2, 3, 4], 3, [[1, 2, 3], [4]]],
])('splits %j into batches of at most %i', (items, size, batches) => {
  expect(inBatches(items, size)).toEqual(batches);
});
