/** The management of projects and tracked keywords: bodies, parameters and answers (Reading 40). */
import * as v from 'valibot';
import { entriesFor } from './crawl-request.ts';
import {
  defaultEngine,
  domainPattern,
  type EngineName,
  engineNames,
  isSite,
  languageCodePattern,
  rulesByEngine,
} from './engine.ts';
import { NextCursor, pageQuery } from './page.ts';
import {
  maxAddedKeywords,
  maxProjectCompetitors,
  maxProjectLocations,
  maxProjectText,
} from './request-limits.ts';
import {
  Bool,
  Count,
  choice,
  fields,
  intBetween,
  list,
  PathId,
  Seconds,
  Text,
  WebhookUrl,
} from './scalar.ts';
import { keywordTypes } from './tracking.ts';
import { withUnknownFields } from './unknown-fields.ts';

/** A site that some engine can track. */
const Site = v.pipe(
  Text,
  v.maxCodePoints(maxProjectText),
  v.check(isSite, 'value_error: Value error, not a host name under a public suffix'),
);

/** Hours between two crawls of a keyword: at most 30 days. */
const Frequency = intBetween(1, 720);

/** The numbers of positions whose boundary a rule can watch. */
const boundaries = [3, 10, 100] as const;

const Boundary = v.pipe(
  v.unknown(),
  v.check((input) => boundaries.some((each) => each === input), 'enum: Input should be 3, 10 or 100'),
  v.picklist(boundaries),
);

export const AlertRuleRequest = fields({
  postback_url: v.pipe(
    WebhookUrl,
    v.minLength(1),
    v.description(
      'The URL that receives one signed webhook a day with the changes. HTTPS, at a public address',
    ),
  ),
  moved_by: v.pipe(
    v.optional(intBetween(0, 100), 0),
    v.description('Report a keyword that moved by at least so many positions. 0: do not'),
  ),
  boundaries: v.pipe(
    v.optional(list(Boundary, boundaries.length), []),
    v.description('Report a keyword that entered or left the first 3, 10 or 100 positions'),
  ),
  lost_first_to: v.pipe(
    v.optional(list(Site, maxProjectCompetitors), []),
    v.description('Report a keyword whose first place one of these competitors has taken'),
  ),
  citations: v.pipe(
    v.optional(Bool, false),
    v.description('Report a keyword whose domain the AI overview cites now, or no longer cites'),
  ),
});

/** Everything that a client may set in a project, as required fields. */
const projectEntries = {
  name: v.pipe(
    Text,
    v.minLength(1),
    v.maxCodePoints(maxProjectText),
    v.description('A name for the project, 1 to 256 characters'),
  ),
  domain: v.pipe(
    Site,
    v.description('The site whose positions are tracked: a host, or on some engines a channel or a video'),
  ),
  competitors: v.pipe(
    list(Site, maxProjectCompetitors),
    v.description('Sites, at most 20, whose positions are recorded beside those of `domain`'),
  ),
  locations: v.pipe(
    list(v.pipe(Text, v.maxCodePoints(maxProjectText)), maxProjectLocations),
    v.description('Descriptions of the places of the project. They have no effect on its searches'),
  ),
  check_frequency: v.pipe(
    Frequency,
    v.description('Hours between two crawls of a keyword that has no `update_frequency`, 1 to 720'),
  ),
  alerts: v.pipe(
    v.nullable(AlertRuleRequest),
    v.description('Which changes are sent to a webhook, once a day. Null: none'),
  ),
};

const described = <Schema extends v.GenericSchema>(schema: Schema, of: v.GenericSchema) =>
  v.pipe(schema, v.description(v.getDescription(of) ?? ''));

export const ProjectRequest = fields({
  name: projectEntries.name,
  domain: projectEntries.domain,
  competitors: described(v.optional(projectEntries.competitors, []), projectEntries.competitors),
  locations: described(v.optional(projectEntries.locations, []), projectEntries.locations),
  check_frequency: described(v.optional(projectEntries.check_frequency, 24), projectEntries.check_frequency),
  alerts: described(v.optional(projectEntries.alerts, null), projectEntries.alerts),
});
export type ProjectRequest = v.InferOutput<typeof ProjectRequest>;

/** A change of a project: the fields that are absent stay as they are. */
export const ProjectChange = fields({
  name: v.optional(projectEntries.name),
  domain: v.optional(projectEntries.domain),
  competitors: v.optional(projectEntries.competitors),
  locations: v.optional(projectEntries.locations),
  check_frequency: v.optional(projectEntries.check_frequency),
  alerts: v.optional(projectEntries.alerts),
  paused: v.optional(v.pipe(Bool, v.description('Whether the keywords of the project are not crawled'))),
});
export type ProjectChange = v.InferOutput<typeof ProjectChange>;

const about = AlertRuleRequest.entries;

export const AlertRule = v.object({
  postback_url: described(v.string(), about.postback_url),
  moved_by: described(Count, about.moved_by),
  boundaries: described(v.array(v.picklist(boundaries)), about.boundaries),
  lost_first_to: described(v.array(v.string()), about.lost_first_to),
  citations: described(v.boolean(), about.citations),
});

export const ManagedProject = v.object({
  project_id: v.pipe(Count, v.description('The id of the project')),
  name: v.pipe(v.string(), v.description('The name of the project')),
  domain: v.pipe(v.string(), v.description('The site whose positions are tracked')),
  competitors: v.pipe(
    v.array(v.string()),
    v.description('Sites whose positions are recorded beside those of `domain`'),
  ),
  locations: v.pipe(v.array(v.string()), v.description('Descriptions of the places of the project')),
  check_frequency: v.pipe(
    Count,
    v.description('Hours between two crawls of a keyword that has no `update_frequency`'),
  ),
  paused: v.pipe(v.boolean(), v.description('Whether the keywords of the project are not crawled')),
  alerts: v.pipe(
    v.nullable(AlertRule),
    v.description('Which changes are sent to a webhook, once a day. Null: none'),
  ),
  created_at: v.pipe(Seconds, v.description('When the project was created, in Unix seconds')),
});
export type ManagedProject = v.InferOutput<typeof ManagedProject>;

export const ManagedProjectList = v.object({
  data: v.pipe(v.array(ManagedProject), v.description('The projects, oldest first')),
  cursor: NextCursor,
});
export type ManagedProjectList = v.InferOutput<typeof ManagedProjectList>;

export const ManagedProjectsQuery = pageQuery('projects');
export type ManagedProjectsQuery = v.InferOutput<typeof ManagedProjectsQuery>;

export const ProjectParams = v.object({
  project_id: v.pipe(PathId, v.description('The id of the project')),
});

const aboutFrequency = 'Hours between two crawls, 1 to 720';

/** The fields of a tracked keyword, as far as an engine takes them. The engine of the request is null if it is not known. */
const keywordEntriesFor = (name: EngineName | null) => {
  const { keyword, iso_code, domain, device, engine_domain, language_code } = entriesFor(name);
  return {
    keyword,
    engine: v.pipe(v.optional(choice(engineNames), defaultEngine), v.description('The search engine')),
    engine_domain,
    location_name: v.optional(Text, ''),
    iso_code,
    language_code,
    device,
    type: v.pipe(
      v.optional(choice(keywordTypes), 'owner'),
      v.description(
        'Whose position is followed: that of the owner, of a competitor, or, with `paid`, that of the ads of the domain',
      ),
    ),
    domain: v.pipe(
      domain,
      v.description('The domain whose position is followed. Null or empty: that of the project'),
    ),
    google_business: v.pipe(
      v.optional(v.nullable(v.pipe(Text, v.maxCodePoints(maxProjectText))), null),
      v.description('The name of a business whose position in the local results is followed. Null: none'),
    ),
    update_frequency: v.pipe(
      v.optional(v.nullable(Frequency), null),
      v.description(`${aboutFrequency}. Null: the \`check_frequency\` that the project has now`),
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

export const KeywordRequest = v.pipe(
  EngineKeyword,
  v.metadata(
    rulesByEngine('engine', (engine) => ({
      engine_domain: domainPattern([engine]),
      language_code: languageCodePattern([engine]),
    })),
  ),
);
export type KeywordRequest = v.InferOutput<typeof KeywordRequest>;

export const AddKeywordsRequest = list(KeywordRequest, maxAddedKeywords);

export const AddKeywordsQuery = v.object({
  dry_run: v.pipe(
    v.optional(Bool, false),
    v.description('Add nothing, and only say what the keywords would cost'),
  ),
});

export const AddedKeywords = v.object({
  added: v.pipe(Count, v.description('The number of keywords that were added, or that would be')),
  existing: v.pipe(
    Count,
    v.description(
      'Keywords that were left out, because the project or the request has the same search, type and domain already',
    ),
  ),
  keyword_ids: v.pipe(
    v.array(Count),
    v.description('The ids of the added keywords, in the order of the request: the first 100'),
  ),
  searches_per_day: v.pipe(
    v.number(),
    v.description(
      'Searches a day that these keywords cause. Searches that keywords of the project share are counted once',
    ),
  ),
  monthly_cost_usd: v.pipe(
    v.number(),
    v.description(
      'What AWS bills for these searches in 30 days, in dollars: the list prices of one region, by the cost model (`npm run cost`). Without proxies and the ' +
        'upstream provider',
    ),
  ),
  dry_run: v.pipe(v.boolean(), v.description('Whether nothing was added')),
  warnings: v.pipe(
    v.array(v.string()),
    v.description('What was accepted without effect, one sentence each: at most 100'),
  ),
});
export type AddedKeywords = v.InferOutput<typeof AddedKeywords>;

export const ProjectCost = v.object({
  keywords: v.pipe(Count, v.description('The number of keywords of the project')),
  paused: v.pipe(
    Count,
    v.description('Keywords that are not crawled: those that are paused, or all if the project is'),
  ),
  searches_per_day: v.pipe(
    v.number(),
    v.description(
      'Searches a day that the keywords cause. A search that keywords of the project share is counted once',
    ),
  ),
  monthly_cost_usd: described(v.number(), AddedKeywords.entries.monthly_cost_usd),
});
export type ProjectCost = v.InferOutput<typeof ProjectCost>;

/** A change of a tracked keyword: the fields that are absent stay as they are. */
export const KeywordChange = fields({
  paused: v.optional(v.pipe(Bool, v.description('Whether the keyword is not crawled'))),
  update_frequency: v.optional(v.pipe(Frequency, v.description(aboutFrequency))),
});
export type KeywordChange = v.InferOutput<typeof KeywordChange>;
