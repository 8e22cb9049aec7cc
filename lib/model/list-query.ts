/** The parameters that the lists of tasks have in common. */
import * as v from 'valibot';
import { described } from './described.ts';
import { listPageSize, maxListPageSize } from './request-limits.ts';
import { intBetween, Text } from './scalar.ts';

export const listQuery = {
  limit: described(
    v.optional(intBetween(1, maxListPageSize), listPageSize),
    `The number of tasks on a page, 1 to ${maxListPageSize}`,
    listPageSize,
  ),
  fields: described(
    v.optional(Text, ''),
    'The names of the fields of each task to return, separated by commas. Unknown names are ignored. Empty: ' +
      'all',
    'id,status,keyword',
  ),
  cursor: described(v.optional(Text, ''), 'The `cursor` of the previous page; empty for the first page', ''),
};
