/** Adding and changing the tracked keywords of a project (Reading 40). */
import * as v from 'valibot';
import { entriesFor } from './crawl-request.ts';
import { component, described, describedAs } from './described.ts';
import {
  defaultEngine,
  domainRule,
  type EngineName,
  engineNames,
  languageCodeRule,
  rulesByEngine,
} from './engine.ts';
import { maxAddedKeywords, maxProjectText } from './request-limits.ts';
import { Bool, Count, choice, fields, intBetween, KeptText, list } from './scalar.ts';
import { Tags } from './tag.ts';
import { keywordTypes } from './tracking.ts';
import { withUnknownFields } from './unknown-fields.ts';

/** Hours between two crawls of a keyword: at most 30 days. */
export const Frequency = intBetween(1, 720);

const aboutFrequency = 'Hours between two crawls, 1 to 720';

const keywordTags = described(
  Tags,
  'Words by which you group keywords, at most 20. In CSV, the sign `|` separates them',
  ['brand', 'summer'],
);

/**
 * The fields of a tracked keyword, as far as an engine takes them. The engine of the request is null if it is
 * not known.
 */
const keywordEntriesFor = (name: EngineName | null) => {
  const { keyword, location_name, iso_code, domain, device, engine_domain, language_code } = entriesFor(name);
  return {
    keyword,
    engine: described(v.optional(choice(engineNames), defaultEngine), 'The search engine', defaultEngine),
    engine_domain,
    location_name: describedAs(v.optional(KeptText, ''), location_name),
    iso_code,
    language_code,
    device,
    type: described(
      v.optional(choice(keywordTypes), 'owner'),
      'Whose position is followed: that of the owner, of a competitor, or, with `paid`, that of the ads of ' +
        'the domain',
      'owner',
    ),
    domain: described(
      domain,
      'The domain whose position is followed. Null or empty: that of the project',
      'example.com',
    ),
    google_business: described(
      v.optional(v.nullable(v.pipe(KeptText, v.maxCodePoints(maxProjectText))), null),
      'The name of a business whose position in the local results is followed. Null: none',
      null,
    ),
    tags: v.optional(keywordTags),
    update_frequency: described(
      v.optional(v.nullable(Frequency), null),
      `${aboutFrequency}. Null: the \`check_frequency\` that the project has now`,
      24,
    ),
  };
};

const AnyKeyword = withUnknownFields(keywordEntriesFor(null));
const keywordsByEngine = new Map(
  engineNames.map((engine) => [engine as unknown, withUnknownFields(keywordEntriesFor(engine))]),
);

/** The schema of a keyword, by the engine that it names. */
const keywordSchemaOf = (value: unknown): typeof AnyKeyword => {
  const engine = typeof value === 'object' && value !== null && 'engine' in value ? value.engine : undefined;
  return keywordsByEngine.get(engine === undefined ? defaultEngine : engine) ?? AnyKeyword;
};

const EngineKeyword: typeof AnyKeyword = {
  ...AnyKeyword,
  '~run': (dataset, config) => keywordSchemaOf(dataset.value)['~run'](dataset, config),
};

export const KeywordRequest = component(
  'KeywordRequest',
  'A new keyword of a project',
  v.pipe(
    EngineKeyword,
    v.metadata(
      rulesByEngine('engine', (engine) => ({
        engine_domain: domainRule(engine),
        language_code: languageCodeRule(engine),
      })),
    ),
  ),
);
export type KeywordRequest = v.InferOutput<typeof KeywordRequest>;

export const AddKeywordsRequest = list(KeywordRequest, maxAddedKeywords);

export const AddKeywordsQuery = v.object({
  dry_run: described(
    v.optional(Bool, false),
    'Add nothing, and only say what the keywords would cost',
    false,
  ),
});

export const aboutCost =
  'What AWS bills for these searches in 30 days, in dollars, by the cost model (`npm run cost`). Without ' +
  'proxies and the upstream provider';

export const AddedKeywords = component(
  'AddedKeywords',
  'How many keywords were added, and what they cost',
  v.object({
    added: described(Count, 'The number of keywords that were added, or that would be', 1),
    existing: described(
      Count,
      'Keywords that were left out, because the project or the request has the same search, type and ' +
        'domain already',
      0,
    ),
    keyword_ids: described(
      v.array(Count),
      'The ids of the added keywords, in the order of the request: the first 100',
      [3767392204849161],
    ),
    searches_per_day: described(
      v.number(),
      'Searches a day that these keywords cause. Searches that keywords of the project share are counted ' +
        'once',
      1,
    ),
    monthly_cost_usd: described(v.number(), aboutCost, 0.0071),
    dry_run: described(v.boolean(), 'Whether nothing was added', false),
    warnings: described(
      v.array(v.string()),
      'What was accepted without effect, one sentence each: at most 100',
      [],
    ),
  }),
);
export type AddedKeywords = v.InferOutput<typeof AddedKeywords>;

/** A change of a tracked keyword: the fields that are absent stay as they are. */
export const KeywordChange = component(
  'KeywordChange',
  'A change of a tracked keyword. A field that is absent stays as it is',
  fields({
    paused: v.optional(described(Bool, 'Whether the keyword is not crawled', false)),
    update_frequency: v.optional(described(Frequency, aboutFrequency, 24)),
    tags: v.optional(keywordTags),
    new_chart_url: v.optional(
      described(Bool, 'Whether `chart_url` becomes another one, and those before it end at once', true),
    ),
  }),
);
export type KeywordChange = v.InferOutput<typeof KeywordChange>;
