/** Days of the calendar in client input, with the errors of pydantic 2. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { validationErrorsOf } from '../../../lib/api/validation-errors.ts';
import { Day } from '../../../lib/model/scalar.ts';

const query = v.object({ start_date: Day });
const errorsOf = (start_date: unknown) => {
  const { issues = [] } = v.safeParse(query, { start_date });
  return validationErrorsOf('query', issues).map(({ type, msg }) => `${type}: ${msg}`);
};

test.each(['2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01', '9999-12-31'])('accepts %s', (day) => {
  expect(errorsOf(day)).toEqual([]);
});

describe('refuses', () => {
  test.each([
    ['', 'input is too short'],
    ['2024-1-1', 'input is too short'],
    ['20240101', 'input is too short'],
    ['2024-02-30', 'day value is outside expected range'],
    ['2023-02-29', 'day value is outside expected range'],
    ['1900-02-29', 'day value is outside expected range'],
    ['2024-01-00', 'day value is outside expected range'],
    ['2024-13-01', 'month value is outside expected range of 1-12'],
    ['2024-00-01', 'month value is outside expected range of 1-12'],
    ['2O24-01-01', 'invalid character in year'],
    ['2024/01/01', 'invalid date separator, expected `-`'],
    ['2024-x1-01', 'invalid character in month'],
    ['2024-01.01', 'invalid date separator, expected `-`'],
    ['2024-01-0x', 'invalid character in day'],
    ['1704067200', 'invalid date separator, expected `-`'],
    ['2024-01-01T00:00:00', 'unexpected extra characters at the end of the input'],
    ['2024-01-01 ', 'unexpected extra characters at the end of the input'],
    ['0000-01-01', 'year 0 is out of range'],
  ])('%j', (day, fault) => {
    expect(errorsOf(day)).toEqual([
      `date_from_datetime_parsing: Input should be a valid date or datetime, ${fault}`,
    ]);
  });
});
