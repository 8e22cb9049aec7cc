/** Lists that are read page by page, with a cursor. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { Count, intBetween, Text } from './scalar.ts';

/** The query of a list. `things` is their name, in the plural. */
export const pageQuery = (things: string) =>
  v.object({
    per_page: described(
      v.optional(intBetween(1, 100), 25),
      `The largest number of ${things} of a page, 1 to 100`,
      25,
    ),
    cursor: described(v.optional(Text, ''), 'The `cursor` of the page before. Empty: the first page', ''),
  });

export const NextCursor = described(
  v.nullable(v.string()),
  'Send it as `cursor` to get the next page. Null: there is none',
  null,
);

const address = (text: string, example: string | null) =>
  described(v.nullable(v.string()), `${text}. Null: there is none`, example);

/** Links to other pages of a list. */
export const ListLinks = component(
  'ListLinks',
  'The addresses of other pages of a list',
  v.object({
    first: address(
      'The address of the first page',
      'https://api.example.com/api/reporting/projects?per_page=25',
    ),
    last: address(
      'The address of the last page',
      'https://api.example.com/api/reporting/projects?per_page=25&cursor=eyJzIjoiYiJ9',
    ),
    prev: address('The address of the page before', null),
    next: address('The address of the next page', null),
  }),
);
export type ListLinks = v.InferOutput<typeof ListLinks>;

export const hasMore = described(v.boolean(), 'Whether there is a next page', false);

export const CursorMeta = component(
  'CursorMeta',
  'The place of a page in a list',
  v.object({
    per_page: described(
      v.pipe(v.array(Count), v.length(2)),
      'The largest number of items of a page, and the number of items of this page',
      [25, 1],
    ),
    next_cursor: NextCursor,
    prev_cursor: described(
      v.nullable(v.string()),
      'Send it as `cursor` to get the page before. Null: there is none',
      null,
    ),
    has_more: hasMore,
    path: described(
      v.string(),
      'The address of the list, without a query',
      'https://api.example.com/api/reporting/projects',
    ),
  }),
);
export type CursorMeta = v.InferOutput<typeof CursorMeta>;

export const listOf = <Item extends v.GenericSchema, Meta extends v.GenericSchema>(
  item: Item,
  meta: Meta,
  text: string,
) =>
  v.object({
    data: described(v.array(item), text),
    meta: described(meta, 'About this page of the list'),
    links: described(ListLinks, 'Links to other pages of the list'),
  });
