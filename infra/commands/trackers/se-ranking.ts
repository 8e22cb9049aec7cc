/**
 * The exports of SE Ranking: its table of positions as CSV, with a column for each day, and the JSON of the
 * lists of keywords and of positions of its Project API. They have no country, which an option names.
 */
import { countIn, firstText, type Item, isRecord, listIn, type Tracker, tagsOf } from './tracker.ts';

const keywordNames = ['keyword', 'keywords', 'query', 'name'];
const tagNames = ['tags', 'tag', 'group', 'groups', 'group_name', 'keyword_group'];

const keywordOf = (item: Item): Record<string, unknown> => ({
  keyword: firstText(item, ...keywordNames),
  tags: tagNames.flatMap((name) => tagsOf(item.cells.get(name))),
});

/** A day as the heading of a column: 2026-11-20, 20.11.2026, 11/20/26, Nov 20, 2026. */
const day =
  /^(\d{4}[-_./]\d{1,2}[-_./]\d{1,2}|\d{1,2}[-_./]\d{1,2}[-_./]\d{2,4}|[a-z]{3,9}[_.]*\d{1,2},?_?\d{4})$/;

export const seRanking: Tracker = {
  fields: Object.fromEntries([
    ...keywordNames.map((name) => [name, 'keyword']),
    ...tagNames.map((name) => [name, 'tags']),
  ]),
  positionsIn: (name, value) => (/^positions?$/.test(name) || day.test(name) ? countIn(value) : 0),
  itemsIn: (value) =>
    listIn(value, 'data', 'keywords').flatMap((each) =>
      isRecord(each) && Array.isArray(each.keywords) ? each.keywords : [each],
    ),
  keywordOf,
};
