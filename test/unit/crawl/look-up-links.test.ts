/** The lookup of hidden links: each once, at most five at a time, until the first refusal. */
import { describe, expect, test, vi } from 'vitest';
import { lookUpAll } from '../../../lib/crawl/look-up-links.ts';
import { readers } from '../../../lib/serp/reader.ts';

const held = vi.hoisted(() => ({ ms: 0 }));
vi.mock('../../../lib/runtime/processor-limit.ts', async (original) => ({
  ...(await original<object>()),
  heldMs: () => held.ms,
}));

const { readLocation } = readers.google.hiddenLinks;

const link = (n: number) => `https://www.google.com/goto?url=CAES${n}`;
const links = (count: number) => Array.from({ length: count }, (_, n) => link(n));
const target = (asked: string) => `https://target.example/${asked.slice(link(0).length - 1)}`;

/** Answers each link after a moment, and counts the open requests. */
const counting = (answer: (asked: string) => string | null = target) => {
  const asked: string[] = [];
  let open = 0;
  let most = 0;
  const ask = async (one: string) => {
    asked.push(one);
    open++;
    most = Math.max(most, open);
    await new Promise((resolve) => setTimeout(resolve, 2));
    open--;
    return answer(one);
  };
  return { asked, ask, most: () => most };
};

test.each([0, 1, 4, 5, 6, 23])('%i links: each once, in order, at most five at a time', async (count) => {
  const { asked, ask, most } = counting();

  const targets = await lookUpAll(links(count), readLocation, ask);

  expect(asked).toEqual(links(count));
  expect(most()).toBe(Math.min(5, count));
  expect(targets).toEqual(Object.fromEntries(links(count).map((one) => [one, target(one)])));
});

describe('the first refusal ends the lookup', () => {
  test.each([
    ['no answer', null],
    ['a captcha page', 'https://www.google.com/sorry/index?continue=x'],
    ['a consent page', 'https://consent.google.com/ml?continue=x'],
    ['another search', '/search?q=x'],
    ['no URL', 'javascript:alert(1)'],
  ])('%s', async (_, refusal) => {
    const { asked, ask } = counting((one) => (one === link(7) ? refusal : target(one)));

    const targets = await lookUpAll(links(40), readLocation, ask);

    // The answers of requests that are already open count. No request is made after the refusal.
    expect(asked.length).toBeLessThanOrEqual(7 + 5);
    expect(Object.keys(targets)).toEqual(asked.filter((one) => one !== link(7)));
  });
});

test('a link that leads to another hidden link stays hidden, and the lookup continues', async () => {
  const { asked, ask } = counting((one) => (one === link(1) ? link(99) : target(one)));

  const targets = await lookUpAll(links(12), readLocation, ask);

  expect(asked).toEqual(links(12));
  expect(Object.keys(targets)).toEqual(links(12).filter((one) => one !== link(1)));
});

test('requests no link after the deadline', async () => {
  const { asked, ask } = counting();

  await lookUpAll(links(12), readLocation, ask, Date.now() - 1);

  expect(asked).toEqual([]);
});

test.each([
  ['all links, if the reading of another page held the thread', 30_000, 12],
  ['the first link only, if its answer took the time', 0, 1],
])('requests %s', async (_, ofReading, count) => {
  const began = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(began);
  const { asked, ask } = counting();

  await lookUpAll(links(12), readLocation, async (one) => {
    clock.mockReturnValue(began + 30_000);
    held.ms = ofReading;
    return ask(one);
  });
  clock.mockRestore();
  held.ms = 0;

  expect(asked).toEqual(links(count));
});

test('requests at most 100 links of a page', async () => {
  const { asked, ask } = counting();

  await lookUpAll(links(1000), readLocation, ask);

  expect(asked).toEqual(links(100));
});
