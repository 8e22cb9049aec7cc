/** A search whose first page has results, and whose second page the engine refused. */
import { expect, test } from 'vitest';
import { foundIn, unreadIn } from '../../../lib/compat/found.ts';
import { originHeaders, verdictHeaders } from '../../../lib/compat/search.ts';
import { answerOf } from '../../../lib/compat/serper/answer.ts';
import { HttpError } from '../../../lib/model/http-error.ts';
import { item, taskWith } from './found.ts';

const url = 'https://www.google.com/search?q=coffee+grinder';
const results = { left: [item('organic')], right: [] };
const task = {
  ...taskWith({
    depth: 20,
    pages: [
      { ...taskWith().pages[0], page: 1, url, status: 'parsed', results },
      { ...taskWith().pages[0], page: 2, url, status: 'failed', results: null },
    ] as ReturnType<typeof taskWith>['pages'],
  }),
  engine: 'google' as const,
};

const errorOf = (from: number): HttpError => {
  try {
    foundIn(task, { size: 10, from }, verdictHeaders(task, 'google'));
  } catch (error) {
    if (error instanceof HttpError) return error;
  }
  throw new Error('The page was found');
};

test('the refused page alone is an error, and its verdict is not that of the others', () => {
  const error = errorOf(10);

  expect(error).toMatchObject({ statusCode: 502, detail: 'unresolved: page 2 was not read' });
  expect(error.headers).toMatchObject({ 'x-search-verdict': 'unresolved' });
});

test('an error among several searches has its verdict and its time in the headers of all', () => {
  const error = errorOf(10);

  expect(originHeaders([{ engine: 'google', error }])).toMatchObject({
    'x-search-verdict': 'unresolved',
    'x-search-crawled-at': new Date(task.crawled_at * 1000).toISOString(),
  });
  expect(originHeaders([{ engine: 'google', error: new HttpError(503, 'Busy') }])).toMatchObject({
    'x-search-verdict': 'throttled',
    'x-search-crawled-at': 'none',
  });
});

test('both pages are the results of one, and a warning about the other', () => {
  const both = { engine: 'google', size: 20, from: 0 } as const;

  expect(foundIn(task, both).organic).toHaveLength(1);
  expect(unreadIn(task, both)).toEqual(['Page 2 was not read: its results are absent.']);
  expect(unreadIn(task, { ...both, size: 10 })).toEqual([]);
  expect(answerOf('search', foundIn(task, both), {})).toMatchObject({ credits: 1 });
});
