/** The days that a history covers (Reading 39). */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { validationErrorsOf } from '../../../../lib/api/validation-errors.ts';
import { HistoryQuery } from '../../../../lib/model/report-query.ts';
import { daysOf, timesOf } from '../../../../lib/reporting/report/days.ts';

const now = Date.parse('2026-11-22T13:00:00Z') / 1000;

test.each([
  [{}, '2026-10-23', '2026-11-22'],
  [{ start_date: '2026-01-31' }, '2026-01-31', '2026-03-02'],
  [{ end_date: '2026-03-02' }, '2026-01-31', '2026-03-02'],
  [{ start_date: '2026-05-01', end_date: '2026-05-01' }, '2026-05-01', '2026-05-01'],
  [{ start_date: '9999-12-20' }, '9999-12-20', '9999-12-31'],
])('%j covers %s to %s', (dates, start, end) => {
  expect(daysOf(dates, now)).toEqual({ start, end });
});

test('the days end with the last second of the last one', () => {
  const at = (time: string) => Date.parse(time) / 1000;

  expect(timesOf({ start: '2026-11-21', end: '2026-11-22' })).toEqual({
    from: at('2026-11-21T00:00:00Z'),
    to: at('2026-11-22T23:59:59Z'),
  });
  expect(timesOf({ start: '0001-01-01', end: '1970-01-01' })).toEqual({ from: 0, to: 86_399 });
});

describe('a query', () => {
  const errorsOf = (query: Record<string, string>) =>
    validationErrorsOf('query', v.safeParse(HistoryQuery, query, { abortPipeEarly: true }).issues ?? []);
  const wrong = (msg: string) => [
    { loc: ['query', 'start_date'], type: 'value_error', msg: `Value error, ${msg}` },
  ];

  test.each([
    ['2026-01-01', '2026-06-30', []],
    ['2026-01-01', '2026-07-01', wrong('the date range must not exceed 180 days')],
    ['2020-01-01', '2024-01-01', wrong('the date range must not exceed 180 days')],
    ['2026-01-02', '2026-01-01', wrong('the start date must not be after the end date')],
    ['2026-01-01', '2026-01-01', []],
  ])('from %s to %s', (start_date, end_date, errors) => {
    expect(errorsOf({ start_date, end_date })).toEqual(errors);
  });

  test('lists all wrong parameters at once', () => {
    expect(errorsOf({ start_date: '2026', page: '0', per_page: '101' }).map(({ loc }) => loc)).toEqual([
      ['query', 'start_date'],
      ['query', 'page'],
      ['query', 'per_page'],
    ]);
  });
});
