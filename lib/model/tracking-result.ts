/** The result of a search with `domain`: the ranks of domains. */
import * as v from 'valibot';
import { component, described, keysOf, withWords } from './described.ts';
import { exampleUrl } from './overview.ts';
import { RawResult, ResultItem } from './result.ts';

const item = ResultItem.entries;

const Ranking = component(
  'Ranking',
  'The rank of a domain',
  v.object({
    /**
     * "1000" means not found although every planned page was read (Reading 6); "0" that the crawl ended
     * before (Reading 43).
     */
    position: described(
      v.string(),
      'The best rank of the domain. `1000`: it is not in the results, and every planned page was read. `0`: ' +
        'it was not ' +
        'found before `stop_on_match` ended the crawl',
      '4',
    ),
    type: described(
      v.string(),
      'The kind of the result: `organic`, `local_pack` or `ai_overview`; `unknown` as for the domain',
      'organic',
    ),
    title: item.title,
    url: item.url,
    snippet: item.snippet,
  }),
);
export type Ranking = v.InferOutput<typeof Ranking>;

const exampleRanking = (type: string): Ranking => ({
  position: '4',
  type,
  title: 'Coffee grinders compared',
  url: exampleUrl,
  snippet: 'Twelve grinders, one bag of beans.',
});

const domainTypes = {
  owner: 'the tracked domain',
  competitor: 'a domain that the request names',
  competitor_free: 'any other domain that was found',
  unknown: 'a domain that the request names and that was not found before `stop_on_match` ended the crawl',
};

const Rankings = v.record(
  v.string(),
  v.object({
    type: described(
      v.picklist(keysOf(domainTypes)),
      withWords('Why the domain is in the result', domainTypes),
      'owner',
    ),
    keyword_id: described(
      v.nullable(v.number()),
      'A number of your own for the keyword. It is returned with the task',
      42,
    ),
    results: described(
      v.object({
        organic: described(Ranking, 'The rank in the results', exampleRanking('organic')),
        local_pack: described(
          v.optional(Ranking),
          'The rank of `business_name` in the local pack',
          exampleRanking('local_pack'),
        ),
        /** Reading 42: absent also if the references of the overview are unknown. */
        ai_overview: described(
          v.optional(Ranking),
          'The first citation in the AI overview. Absent if no overview with references is shown',
          exampleRanking('ai_overview'),
        ),
      }),
      'The ranks of the domain',
      { organic: exampleRanking('organic') },
    ),
  }),
);

const mapKeys = <Value>(values: Record<string, Value>, newKey: (key: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [newKey(key), value]));

const AnyRankings: typeof Rankings = {
  ...Rankings,
  '~run': (dataset, config) => {
    if (typeof dataset.value !== 'object' || dataset.value === null) return Rankings['~run'](dataset, config);
    // Clients choose the keys, and `v.record` drops keys such as `__proto__` and `constructor`. So it gets
    // each key with a prefix.
    const parsed = Rankings['~run']({ value: mapKeys({ ...dataset.value }, (key) => `.${key}`) }, config);
    return parsed.typed ? { ...parsed, value: mapKeys(parsed.value, (key) => key.slice(1)) } : parsed;
  },
};

/**
 * No domain has the name `left` or `right`, so a response never has these fields. The schema has them, so
 * that `result.left` tells the two shapes of a result apart in generated types too. Their schema fits no
 * value. It is not `false`, which generators for Python refuse, and `allOf` has one schema, because a
 * generator for Go refuses two of different types.
 */
const never = { type: 'boolean', allOf: [{ type: 'string' }], examples: [] };
const onlyDomains = {
  left: {
    ...never,
    description:
      'Never there, because no domain has this name: `result.left` tells the two shapes of a result apart',
  },
  right: { ...never, description: 'Never there, as `left`' },
};

/**
 * The result of domain tracking: an entry for the tracked domain, each competitor and each other domain found
 * (Reading 17).
 */
export const TrackingResult = component(
  'TrackingResult',
  'The result of a search with `domain`: an entry for each domain, by its name',
  v.pipe(AnyRankings, v.metadata({ properties: onlyDomains })),
);
export type TrackingResult = v.InferOutput<typeof TrackingResult>;

/** The result of a task in either form. */
export const TaskResult = v.union([RawResult, TrackingResult]);

export const aboutResult =
  'The result after success: an object with `left` and `right`, or, if `domain` was given, one with an ' +
  'entry for each ' +
  'domain. No domain is named `left`, so `result.left` tells them apart';
