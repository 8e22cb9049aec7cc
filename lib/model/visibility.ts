/** The share of voice of a project: of its domain and competitors, and by tag. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { rowForm } from './forms.ts';
import { Notes } from './note.ts';
import { Count, Text } from './scalar.ts';

const share = described(
  v.nullable(v.number()),
  'The share of all clicks on web results for the keywords that the domain is expected to get, 0 to 1: by ' +
    'volume and position. Null: no keyword was measured',
  0.0966,
);

const citation_share = described(
  v.nullable(v.number()),
  'The part of all citations in AI overviews that leads to the domain, 0 to 1. Null: there were none',
  0.1667,
);

/** The figures of a domain over some keywords. */
const figures = {
  share,
  keywords: described(Count, 'Keywords that are measured now: their newest crawl is not overdue', 120),
  ranked: described(Count, 'Those in whose results the domain is', 96),
  top_3: described(Count, 'Keywords at the positions 1 to 3', 9),
  top_10: described(Count, 'Keywords at the positions 1 to 10', 34),
  average_of_ranked: described(
    v.nullable(v.number()),
    'The average position of the ranked keywords. Null: none is ranked',
    18.4,
  ),
  average_of_all: described(
    v.nullable(v.number()),
    'The average position of all measured keywords. Not ranked counts as 101. Null: none is measured',
    34.9,
  ),
};

export const Visibility = component(
  'Visibility',
  'The visibility of a project and of its competitors',
  v.object({
    data: described(
      v.array(
        v.object({
          domain: described(v.string(), 'The domain of the project or of a competitor', 'example.com'),
          ...figures,
          citation_share,
        }),
      ),
      'The visibility of each domain now, the project’s own first',
      [],
    ),
    volumes: described(
      v.object({
        known: described(Count, 'Keywords with a known volume', 110),
        unknown: described(Count, 'Keywords without one', 10),
        assumed: described(
          v.nullable(v.number()),
          'The volume that an unknown one is taken to be: the median of the known ones. Null: none is known, so ' +
            'all keywords count alike',
          320,
        ),
      }),
      'The monthly searches by which keywords count',
    ),
    days: described(
      v.array(
        v.object({
          date: described(v.string(), 'The day, UTC', '2026-11-22'),
          shares: described(v.record(v.string(), share), 'The shares of the domains on the day', {
            'example.com': 0.0966,
            'rival.example': 0.1818,
          }),
          citation_shares: described(
            v.record(v.string(), citation_share),
            'The same of citations in AI overviews',
            { 'example.com': 0.1667, 'rival.example': 0.3333 },
          ),
        }),
      ),
      'The last 31 days, oldest first. A keyword keeps its position until its next crawl is 12 hours late',
      [],
    ),
    notes: Notes,
  }),
);
export type Visibility = v.InferOutput<typeof Visibility>;

export const VisibilityQuery = v.object({
  tag: described(
    v.optional(Text, ''),
    'Only keywords with this tag, in either case. Empty: all keywords',
    'brand',
  ),
  ...rowForm,
});
export type VisibilityQuery = v.InferOutput<typeof VisibilityQuery>;

export const TagList = component(
  'TagList',
  'The tags of the keywords of a project, with the figures of its domain',
  v.object({
    data: described(
      v.array(
        v.object({
          tag: described(v.nullable(v.string()), 'The tag. Null: the keywords without a tag', 'brand'),
          all: described(Count, 'Keywords with the tag', 130),
          ...figures,
        }),
      ),
      'The tags, those with most keywords first. The figures are of keywords of the type `owner`',
      [],
    ),
  }),
);
export type TagList = v.InferOutput<typeof TagList>;
