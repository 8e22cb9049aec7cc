/** The management of projects and tracked keywords: bodies, parameters and answers (Reading 40). */
import * as v from 'valibot';
import { AlertRule, AlertRuleRequest, Site } from './alert-rule.ts';
import { component, described, describedAs } from './described.ts';
import { withWords } from './keyword.ts';
import { NextCursor, pageQuery } from './page.ts';
import { maxProjectCompetitors, maxProjectLocations, maxProjectText } from './request-limits.ts';
import { Bool, Count, fields, KeptText, leastPart, list, Part, PathId, Seconds } from './scalar.ts';
import { aboutCost, Frequency } from './tracked-keyword.ts';

/** Everything that a client may set in a project, as required fields. */
const projectEntries = {
  name: described(
    v.pipe(KeptText, v.minLength(1), v.maxCodePoints(maxProjectText), withWords),
    'A name for the project, 1 to 256 characters',
    'Coffee shop',
  ),
  domain: described(
    Site,
    'The site whose positions are tracked: a host, or on some engines a channel or a video',
    'example.com',
  ),
  competitors: described(
    list(Site, maxProjectCompetitors),
    'Sites, at most 20, whose positions are recorded beside those of `domain`',
    ['rival.example'],
  ),
  locations: described(
    list(v.pipe(KeptText, v.maxCodePoints(maxProjectText)), maxProjectLocations),
    'Descriptions of the places of the project. They have no effect on its searches',
    ['Berlin,Germany'],
  ),
  check_frequency: described(
    Frequency,
    'Hours between two crawls of a keyword that has no `update_frequency`, 1 to 720',
    24,
  ),
  alerts: described(
    v.nullable(AlertRuleRequest),
    'Which changes are sent, once a day, and to whom. Null: none',
  ),
  click_rates: described(
    v.nullable(
      v.pipe(
        list(Part, 100),
        v.minLength(1),
        v.check((rates) => rates.some((rate) => rate > 0), 'value_error: Value error, every rate is 0'),
        v.metadata({ contains: { minimum: leastPart } }),
      ),
    ),
    'Clicks per search on a result at each position, from the first on, 0 to 1. They weigh the share of voice ' +
      'and `revenue`. Null: the rates of Backlinko’s study of 2023',
    [0.3, 0.15, 0.1],
  ),
};

export const ProjectRequest = component(
  'ProjectRequest',
  'A new project',
  fields({
    name: projectEntries.name,
    domain: projectEntries.domain,
    competitors: describedAs(v.optional(projectEntries.competitors, []), projectEntries.competitors),
    locations: describedAs(v.optional(projectEntries.locations, []), projectEntries.locations),
    check_frequency: describedAs(
      v.optional(projectEntries.check_frequency, 24),
      projectEntries.check_frequency,
    ),
    alerts: describedAs(v.optional(projectEntries.alerts, null), projectEntries.alerts),
    click_rates: describedAs(v.optional(projectEntries.click_rates, null), projectEntries.click_rates),
  }),
);
export type ProjectRequest = v.InferOutput<typeof ProjectRequest>;

/** A change of a project: the fields that are absent stay as they are. */
export const ProjectChange = component(
  'ProjectChange',
  'A change of a project. A field that is absent stays as it is',
  fields({
    name: v.optional(projectEntries.name),
    domain: v.optional(projectEntries.domain),
    competitors: v.optional(projectEntries.competitors),
    locations: v.optional(projectEntries.locations),
    check_frequency: v.optional(projectEntries.check_frequency),
    alerts: v.optional(projectEntries.alerts),
    click_rates: v.optional(projectEntries.click_rates),
    paused: v.optional(described(Bool, 'Whether the keywords of the project are not crawled', false)),
  }),
);
export type ProjectChange = v.InferOutput<typeof ProjectChange>;

export const ManagedProject = component(
  'ManagedProject',
  'A project as its owner manages it',
  v.object({
    project_id: described(Count, 'The id of the project', 3767392204849160),
    name: described(v.string(), 'The name of the project', 'Coffee shop'),
    domain: described(v.string(), 'The site whose positions are tracked', 'example.com'),
    competitors: described(
      v.array(v.string()),
      'Sites whose positions are recorded beside those of `domain`',
      ['rival.example'],
    ),
    locations: described(v.array(v.string()), 'Descriptions of the places of the project', [
      'Berlin,Germany',
    ]),
    check_frequency: described(
      Count,
      'Hours between two crawls of a keyword that has no `update_frequency`',
      24,
    ),
    paused: described(v.boolean(), 'Whether the keywords of the project are not crawled', false),
    alerts: describedAs(v.nullable(AlertRule), projectEntries.alerts),
    click_rates: describedAs(v.nullable(v.array(v.number())), projectEntries.click_rates),
    created_at: described(Seconds, 'When the project was created, in Unix seconds', 1795996800),
  }),
);
export type ManagedProject = v.InferOutput<typeof ManagedProject>;

export const ManagedProjectList = component(
  'ManagedProjectList',
  'A page of the list of projects',
  v.object({
    data: described(v.array(ManagedProject), 'The projects, oldest first', []),
    cursor: NextCursor,
  }),
);
export type ManagedProjectList = v.InferOutput<typeof ManagedProjectList>;

export const ManagedProjectsQuery = pageQuery('projects');
export type ManagedProjectsQuery = v.InferOutput<typeof ManagedProjectsQuery>;

export const ProjectParams = v.object({
  project_id: described(PathId, 'The id of the project', 3767392204849160),
});

export const ProjectCost = component(
  'ProjectCost',
  'What the keywords of a project cost',
  v.object({
    keywords: described(Count, 'The number of keywords of the project', 250),
    paused: described(
      Count,
      'Keywords that are not crawled: those that are paused, or all if the project is',
      0,
    ),
    searches_per_day: described(
      v.number(),
      'Searches a day that the keywords cause. A search that keywords of the project share is counted once',
      2,
    ),
    monthly_cost_usd: described(v.number(), aboutCost, 0.0142),
  }),
);
export type ProjectCost = v.InferOutput<typeof ProjectCost>;
