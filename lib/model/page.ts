/** Lists that are read page by page, with a cursor. */
import * as v from 'valibot';
import { intBetween, Text } from './scalar.ts';

/** The query of a list. `things` is their name, in the plural. */
export const pageQuery = (things: string) =>
  v.object({
    per_page: v.pipe(
      v.optional(intBetween(1, 100), 25),
      v.description(`The largest number of ${things} of a page, 1 to 100`),
    ),
    cursor: v.pipe(
      v.optional(Text, ''),
      v.description('The `cursor` of the page before. Empty: the first page'),
    ),
  });

export const NextCursor = v.pipe(
  v.nullable(v.string()),
  v.description('Send it as `cursor` to get the next page. Null: there is none'),
);
