/** Which of the rows beside the name of a place are its address, its phone number and its category. */
import { expect, test } from 'vitest';
import { readPlace } from '../../../../lib/serp/list/local-pack.ts';

const read = (rows: string[], called?: string) =>
  readPlace({
    title: 'Acme',
    rows,
    isAddress: (row) => /\d/.test(row),
    target: null,
    ...(called && { called }),
  });

test.each([
  [['Café', '(512) 555-0100', '12 Main St'], 'Café', '12 Main St', '(512) 555-0100'],
  [['12 Main St · (512) 555-0100', 'Café'], 'Café', '12 Main St', '(512) 555-0100'],
])('of %j, %s is the category, %s the address and %s the number', (rows, category, snippet, phone) => {
  expect(read(rows)).toMatchObject({ category, snippet, phone });
});

test('the number behind a link is that of the place, and its row is not the address', () => {
  expect(read(['55 10 20', '12 Main St'], '55 10 20')).toMatchObject({
    phone: '55 10 20',
    snippet: '12 Main St',
  });
});
