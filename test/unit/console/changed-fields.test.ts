/** What a form sends: only what the person has changed in it. */
import { expect, test } from 'vitest';
import { changedFields } from '../../../lib/console/changed-fields.ts';

const opened = { name: 'Shop', competitors: ['a.com', 'b.com'], check_frequency: 24 };

test('what is as it was when the form was opened is not sent', () => {
  expect(changedFields(opened, { ...opened, competitors: ['a.com', 'b.com'] })).toEqual({});
});

test('what differs is sent, a list as a whole', () => {
  const present = { name: '', competitors: ['b.com', 'a.com'], check_frequency: 24 };

  expect(changedFields(opened, present)).toEqual({ name: '', competitors: ['b.com', 'a.com'] });
});
