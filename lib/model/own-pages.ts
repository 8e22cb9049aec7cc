/** The pages of a project's domain in the results of its keywords. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { OwnPage } from './managed-keyword.ts';
import { Count, intBetween, Text } from './scalar.ts';

const ofKeyword = {
  keyword_id: described(Count, 'The id of the keyword', 3767392204849161),
  keyword: described(v.string(), 'The keyword', 'coffee grinder'),
  device: described(v.string(), 'The device whose result page is read', 'mobile'),
  location: described(v.string(), 'The place of the search, or its country', 'Berlin,Germany'),
};

export const LandingPagesQuery = v.object({
  url: described(
    v.optional(Text, ''),
    'Only the page with this address, with all of its keywords. Empty: all pages',
    '',
  ),
  page: described(v.optional(intBetween(1, 20_000), 1), 'The number of the page of the list, from 1', 1),
  per_page: described(v.optional(intBetween(1, 500), 100), 'The most pages of the domain, 1 to 500', 100),
});
export type LandingPagesQuery = v.InferOutput<typeof LandingPagesQuery>;

export const LandingPages = component(
  'LandingPages',
  'The pages of the domain that rank, and for which keywords',
  v.object({
    data: described(
      v.array(
        v.object({
          url: OwnPage.entries.url,
          keywords_count: described(Count, 'Keywords in whose results the page is', 12),
          best_position: described(Count, 'Its best position', 2),
          keywords: described(
            v.array(
              v.object({
                ...ofKeyword,
                position: described(Count, 'The position of the page', 4),
                is_best: described(v.boolean(), 'Whether no page of the domain is above it', true),
              }),
            ),
            'The keywords, the best position first. In a list of all pages: the first ten',
            [],
          ),
        }),
      ),
      'The pages, those with most keywords first',
      [],
    ),
    total: described(Count, 'The number of pages that rank', 40),
  }),
);
export type LandingPages = v.InferOutput<typeof LandingPages>;

export const CompetingPages = component(
  'CompetingPages',
  'Keywords in whose results several pages of the domain compete',
  v.object({
    data: described(
      v.array(
        v.object({
          ...ofKeyword,
          own_urls: described(v.array(OwnPage), 'The pages, the best first: at most ten', []),
        }),
      ),
      'The keywords, those with most pages first: at most 1,000',
      [],
    ),
    total: described(Count, 'The number of such keywords', 3),
  }),
);
export type CompetingPages = v.InferOutput<typeof CompetingPages>;
