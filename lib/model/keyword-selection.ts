/** What a user does with several keywords of a project at once: crawls, changes and deletions. */
import * as v from 'valibot';
import { component, described, describedAs, statesOf, withWords } from './described.ts';
import { maxProjectKeywords } from './request-limits.ts';
import { Bool, Count, fields, Int, list } from './scalar.ts';
import { Tags } from './tag.ts';
import { KeywordChange } from './tracked-keyword.ts';
import { withUnknownFields } from './unknown-fields.ts';

const keywordIds = described(
  v.pipe(list(Int, maxProjectKeywords), v.minLength(1)),
  'The ids of keywords of the project, at most 20,000',
  [3767392204849161],
);

export const CrawlNowRequest = component(
  'CrawlNowRequest',
  'Which keywords to crawl now',
  withUnknownFields({ keyword_ids: describedAs(v.optional(v.nullable(keywordIds), null), keywordIds) }),
);
export type CrawlNowRequest = v.InferOutput<typeof CrawlNowRequest>;

export const CrawlNowQuery = v.object({
  dry_run: described(v.optional(Bool, false), 'Crawl nothing, and only say what would be crawled', false),
});

const leftReasons = {
  running: 'a crawl of its search runs, and its result is recorded for the keyword',
  due: 'its search waits for its crawl already',
  paused: 'the keyword or the project is paused',
  unknown: 'the project has no such keyword',
  limit: 'the limit of pages of this minute is reached: send the request again in the next one',
  later: 'the time of the request is up: send it again',
};

export const LeftReason = component(
  'LeftReason',
  withWords('Why a keyword is not crawled now', leftReasons),
  statesOf('Left', leftReasons),
);
export type LeftReason = v.InferOutput<typeof LeftReason>;

export const CrawlNow = component(
  'CrawlNow',
  'What is crawled now, and what is not',
  v.object({
    searches: described(Count, 'The searches whose crawl begins within a minute', 2),
    keywords: described(Count, 'The keywords that get the results of these searches', 3),
    pages: described(Count, 'The pages that these searches count in the limit of the user', 20),
    cost_usd: described(v.number(), 'What AWS bills for these searches, in dollars', 0.0004),
    dry_run: described(v.boolean(), 'Whether nothing is crawled', false),
    left: described(
      v.array(
        v.object({
          keyword_id: described(Count, 'The id of the keyword', 3767392204849161),
          reason: described(LeftReason, 'Why it is not crawled now', 'running'),
        }),
      ),
      'The keywords that are not crawled now',
      [],
    ),
  }),
);
export type CrawlNow = v.InferOutput<typeof CrawlNow>;

const { paused, update_frequency } = KeywordChange.entries;

export const KeywordsChange = component(
  'KeywordsChange',
  'A change of several keywords. A field that is absent stays as it is',
  fields({
    keyword_ids: keywordIds,
    paused,
    update_frequency,
    add_tags: v.optional(described(Tags, 'Tags that each keyword gets, if it lacks them', ['brand'])),
    remove_tags: v.optional(described(Tags, 'Tags that no keyword has any more', ['summer'])),
  }),
);
export type KeywordsChange = v.InferOutput<typeof KeywordsChange>;

export const KeywordsDeletion = component(
  'KeywordsDeletion',
  'The keywords to delete',
  fields({ keyword_ids: keywordIds }),
);

export const ChangedKeywords = component(
  'ChangedKeywords',
  'What became of several keywords',
  v.object({
    changed: described(Count, 'Keywords that were changed, or deleted', 250),
    unknown: described(v.array(Count), 'Ids that the project does not have', []),
    full: described(
      v.array(Count),
      'Keywords that would have more than 50 tags: their tags are as before',
      [],
    ),
    left: described(
      v.array(Count),
      'Ids that the time of the request was not enough for: send the request again with them',
      [],
    ),
  }),
);
export type ChangedKeywords = v.InferOutput<typeof ChangedKeywords>;
