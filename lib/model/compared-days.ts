/** The positions of the keywords of a project on two days, and those of every day in long form. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { defaultEngine, EngineName } from './engine.ts';
import { rowForm } from './forms.ts';
import { NextCursor } from './page.ts';
import { checkedRange, dateRange, keywordFilter } from './report-query.ts';
import { Count, choice, Day, intBetween, Seconds, Text } from './scalar.ts';
import { positionField } from './tracked-fields.ts';

const { search, type, device, tag } = keywordFilter;

/** Which keywords, and how many of them at a time: each is a query of its history. */
const part = {
  search,
  type,
  device,
  tag,
  per_page: described(v.optional(intBetween(1, 500), 100), 'The most keywords of a page, 1 to 500', 100),
  cursor: described(
    v.optional(Text, ''),
    'The `cursor` of the page before, with the same filter. Empty: the first page',
    '',
  ),
};

const ofKeyword = {
  keyword_id: described(Count, 'The id of the keyword', 3767392204849161),
  keyword: described(v.string(), 'The keyword', 'coffee grinder'),
  engine: described(EngineName, 'The search engine', defaultEngine),
  device: described(v.string(), 'The device whose result page is read', 'mobile'),
  location: described(v.string(), 'The place of the search, or its country', 'Berlin,Germany'),
  domain: described(v.string(), 'The domain whose position is followed', 'example.com'),
};

const onDay = (which: string) => ({
  position: positionField(`The last position of ${which}, or of the crawl that covers it`, 6),
  crawled_at: described(
    v.nullable(Seconds),
    'When it was crawled, in Unix seconds. Null: not known',
    1795996800,
  ),
  url: described(v.string(), 'The page at the position. Empty: none', 'https://www.example.com/a'),
});

export const ComparedDaysQuery = v.object({
  from: described(
    v.optional(Day),
    'The first day, UTC, as `YYYY-MM-DD`. Without it: seven days before `to`',
    '2026-11-01',
  ),
  to: described(v.optional(Day), 'The other day, UTC, as `YYYY-MM-DD`. Without it: today', '2026-11-22'),
  ...part,
});
export type ComparedDaysQuery = v.InferOutput<typeof ComparedDaysQuery>;

export const ComparedDays = component(
  'ComparedDays',
  'The positions of keywords on two days',
  v.object({
    data: described(
      v.array(
        v.object({
          ...ofKeyword,
          before: described(v.object(onDay('the day `from`')), 'On the day `from`'),
          after: described(v.object(onDay('the day `to`')), 'On the day `to`'),
          change: described(
            v.nullable(Count),
            'Position before − position after, so up is positive. Not ranked counts as 101. Null: one of them is ' +
              'not known',
            2,
          ),
        }),
      ),
      'The keywords',
      [],
    ),
    cursor: NextCursor,
    total: described(Count, 'The number of keywords that pass the filter', 1),
  }),
);
export type ComparedDays = v.InferOutput<typeof ComparedDays>;

/** `positions`: a row for each keyword and day. `own_urls`: a row for each page of the domain. */
const exportKinds = ['positions', 'own_urls'] as const;

export const PositionsExportQuery = checkedRange({
  ...dateRange,
  rows: described(
    v.optional(choice(exportKinds), 'positions'),
    '`positions`: a row for each keyword and day. `own_urls`: a row for each page of the domain in the results',
    'positions',
  ),
  ...rowForm,
  ...part,
});
export type PositionsExportQuery = v.InferOutput<typeof PositionsExportQuery>;

export const ExportedPosition = component(
  'ExportedPosition',
  'A position of a keyword on a day',
  v.object({
    date: described(v.string(), 'The day, UTC', '2026-11-22'),
    ...ofKeyword,
    crawled_at: described(Seconds, 'When it was crawled, in Unix seconds', 1795996800),
    position: described(v.nullable(Count), 'The position. 1000: not ranked. Null: the crawl failed', 4),
    url: described(v.string(), 'The page at the position. Empty: none', 'https://www.example.com/a'),
    reason: described(v.string(), 'Why the crawl gave no position. Empty: it gave one', ''),
  }),
);
export type ExportedPosition = v.InferOutput<typeof ExportedPosition>;

export const PositionsExport = component(
  'PositionsExport',
  'The positions of keywords, a row for each keyword and day',
  v.object({
    data: described(v.array(ExportedPosition), 'The rows, by keyword and day', []),
    cursor: NextCursor,
  }),
);
export type PositionsExport = v.InferOutput<typeof PositionsExport>;
