/** The overview of a project: what a person looks at first. */
import * as v from 'valibot';
import { Device } from './crawl-request.ts';
import { component, described } from './described.ts';
import { defaultEngine, EngineName } from './engine.ts';
import { ProjectCost } from './project.ts';
import { Count, Seconds } from './scalar.ts';

/** The bands of positions: name, and the last position in it. What is behind the last one is not ranked. */
export const positionBands = [
  ['from_1_to_3', 3],
  ['from_4_to_10', 10],
  ['from_11_to_20', 20],
  ['from_21_to_50', 50],
  ['from_51_to_100', 100],
] as const;

const keywordsAt = (positions: string) => described(Count, `Keywords ${positions}`, 4);

const average = (words: string) => described(v.nullable(v.number()), words, 12.4);

const Standing = {
  keywords: described(
    Count,
    'Keywords that are measured: their newest crawl is not overdue. The others count nowhere',
    120,
  ),
  from_1_to_3: keywordsAt('at the positions 1 to 3'),
  from_4_to_10: keywordsAt('at the positions 4 to 10'),
  from_11_to_20: keywordsAt('at the positions 11 to 20'),
  from_21_to_50: keywordsAt('at the positions 21 to 50'),
  from_51_to_100: keywordsAt('at the positions 51 to 100'),
  not_ranked: keywordsAt('in whose results the domain is not'),
  average_of_ranked: average('The average position of the ranked keywords. Null: none is ranked'),
  average_of_all: average(
    'The average position of all measured keywords. Not ranked counts as 101. Null: none is measured',
  ),
};

const Move = component(
  'OverviewMove',
  'A movement of a keyword',
  v.object({
    keyword_id: described(Count, 'The id of the keyword', 3767392204849161),
    keyword: described(v.string(), 'The keyword', 'coffee grinder'),
    engine: described(EngineName, 'The search engine', defaultEngine),
    location_name: described(v.string(), 'The place of the search', 'Berlin,Germany'),
    iso_code: described(v.string(), 'The country of the search', 'DE'),
    device: described(Device, 'The device', 'desktop'),
    before: described(Count, 'The position a week ago, or the first one after that. 1000: not ranked', 9),
    position: described(Count, 'The position now. 1000: not ranked', 4),
    movement: described(Count, '`before` − `position`, so up is positive. Not ranked counts as 101', 5),
    since: described(v.string(), 'The day of `before`, UTC', '2026-11-15'),
  }),
);

export const ProjectOverview = component(
  'ProjectOverview',
  'What a person looks at first in a project. It counts the keywords of the type `owner` with the domain of the project',
  v.object({
    project_id: described(Count, 'The id of the project', 3767392204849160),
    now: described(v.object(Standing), 'How the keywords stand now'),
    share: described(
      v.nullable(v.number()),
      'The share of voice of the domain, as in `visibility`. Null: no keyword was measured',
      0.0966,
    ),
    share_change: described(
      v.nullable(
        v.object({
          change: described(v.number(), 'The present share − the former one', 0.013),
          since: described(v.string(), 'The day of the former one, UTC', '2026-11-15'),
          keywords: described(
            Count,
            'Keywords that were measured on both days. Only these are compared',
            118,
          ),
        }),
      ),
      'How the share of voice changed in a week. Null: no keyword was measured on two days of it',
    ),
    days: described(
      v.array(v.object({ date: described(v.string(), 'The day, UTC', '2026-11-22'), ...Standing })),
      'How the keywords stood at the end of each of the last 31 days, oldest first',
      [],
    ),
    winners: described(v.array(Move), 'The largest rises of the week, at most 10', []),
    losers: described(v.array(Move), 'The largest falls of the week, at most 10', []),
    features: described(
      v.array(
        v.object({
          name: described(v.string(), 'A kind of item besides the ranked ones', 'ai_overview'),
          keywords: described(Count, 'Keywords on whose newest result page it is', 38),
          owners: described(
            v.nullable(
              v.object({
                own: described(Count, 'Keywords for which the domain has one', 6),
                competitor: described(Count, 'Those for which a competitor has one', 14),
                other: described(Count, 'Those for which another site has one', 30),
              }),
            ),
            'Who has it. Null: not recorded for this kind',
          ),
        }),
      ),
      'The kinds of items on the newest result pages, the most frequent first',
      [],
    ),
    cited: described(Count, 'Keywords whose AI overview cites the domain', 6),
    cost: described(ProjectCost, 'What the keywords cost, as in `cost`'),
    next_at: described(
      v.nullable(Seconds),
      'When the next crawl is due, in Unix seconds. Null: none is, because the project is paused or has no keywords',
      1796083200,
    ),
  }),
);
export type ProjectOverview = v.InferOutput<typeof ProjectOverview>;
