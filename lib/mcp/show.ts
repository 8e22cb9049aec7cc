/** Results of the service as the lines of a tool's answer. */

import type { KeywordDataSV } from '../model/keyword-metrics.ts';
import type { IdeasTask } from '../model/keyword-task.ts';
import type { RawResult, ResultItem } from '../model/result.ts';
import type { Ranking, TrackingResult } from '../model/tracking-result.ts';
import type { TrendsReply } from '../model/trends.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { type Answer, shortened } from './answer.ts';

/** A task of either version. */
export type SearchTask = V2Task | V1Task;

/** The error of a task that ended without a result. Its message is the sentence of the task. */
export class TaskFailed extends Error {}

/** A snippet of an engine is shorter. Generated overviews, which answer a question, are longer. */
const snippetLength = 300;
const overviewLength = 1200;
const titleLength = 200;

type Progress = Pick<SearchTask | IdeasTask, 'id' | 'status' | 'error_message'>;

const failureOf = ({ id, status, error_message }: Progress): TaskFailed | undefined =>
  status === 'error' || status === 'dead_letter'
    ? new TaskFailed(`Task ${id} ended without a result. ${error_message ?? 'The service failed.'}`)
    : undefined;

const unfinished = ({ id, status, error_message }: Progress): Answer => ({
  facts: [
    `Task ${id} is not finished: its status is ${status}.`,
    ...(error_message ? [error_message] : []),
    `Call read_task with task_id ${id} to wait for its result. Another call of the same tool would start a second task.`,
  ],
});

const isTracking = (task: SearchTask): boolean => Boolean(task.domain);

const titleOf = ({ type, position, title }: ResultItem): string =>
  `${position}. ${type}: ${shortened(title, titleLength)}`;

const detailsOf = (item: ResultItem): string[] => {
  const length =
    item.type === 'ai_overview' || item.type === 'featured_snippet' ? overviewLength : snippetLength;
  const sources = (item.sources ?? []).map(({ url }) => url);
  return [
    item.url,
    shortened(item.snippet, length),
    ...[item.date, item.rating, item.reviews, item.price, item.source, item.phone]
      .filter(Boolean)
      .map(String),
    ...(item.items?.length ? [item.items.join('; ')] : []),
    ...(sources.length > 0 ? [`sources: ${sources.join(' ')}`] : []),
    ...(item.facts ?? []).map(({ label, value }) => `${label}: ${value}`),
  ].filter(Boolean);
};

const lineOf = (item: ResultItem): string => [titleOf(item), ...detailsOf(item)].join(' | ');

const isRaw = (result: SearchTask['result']): result is RawResult =>
  typeof result === 'object' && result !== null && Array.isArray((result as RawResult).left);

const searchedIn = ({ keyword, location_name, iso_code, device }: SearchTask): string =>
  `${JSON.stringify(shortened(keyword, titleLength))} in ${location_name || iso_code} (${iso_code}), ${device}`;

const remarks = ({ complete, warnings }: SearchTask): string[] => [
  ...(complete === false
    ? ['The result is not complete: pages are missing, or they are not what was asked.']
    : []),
  ...warnings,
];

const notFound = '1000';

/** The crawl ended before it was found. */
const notKnown = '0';

const rankOf = (kind: string, { position }: Ranking): string => {
  if (position === notKnown) return `${kind}: unknown, because the crawl ended before`;
  return position === notFound
    ? `${kind}: not among the results that were read`
    : `${kind}: rank ${position}`;
};

/** The rank of the domain of a task, and the first ten domains. */
const showRank = (task: SearchTask): Answer => {
  const entry = Object.values(task.result as TrackingResult).find(({ type }) => type === 'owner');
  const { organic, local_pack, ai_overview } = entry?.results ?? {};
  const rankings = [
    ['organic results', organic],
    ['local results', local_pack],
    ['citations of the AI overview', ai_overview],
  ] as const;
  const known = rankings.flatMap(([kind, ranking]) => (ranking ? [{ kind, ranking }] : []));
  return {
    facts: [
      `Rank of ${task.domain} for ${searchedIn(task)}. Task ${task.id}.`,
      ...known.map(({ kind, ranking }) => rankOf(kind, ranking)),
      ...remarks(task),
    ],
    quoted: [
      ...known
        .filter(({ ranking }) => ranking.position !== notFound && ranking.position !== notKnown)
        .map(({ kind, ranking: { title, url, snippet } }) =>
          [`${kind}: ${shortened(title, titleLength)}`, url, shortened(snippet, snippetLength)]
            .filter(Boolean)
            .join(' | '),
        ),
      ...(task.top_10 ?? []).map((domain, n) => `domain ${n + 1} of the results: ${domain}`),
    ],
  };
};

/**
 * The result of a search task, or how to get it.
 * @throws TaskFailed if the task has ended without a result.
 */
export const showSearch = (task: SearchTask): Answer => {
  const failure = failureOf(task);
  if (failure) throw failure;
  if (task.status !== 'success') return unfinished(task);
  if (isTracking(task)) return showRank(task);
  const { left, right } = isRaw(task.result) ? task.result : { left: [], right: [] };
  return {
    facts: [
      `Results for ${searchedIn(task)}. Task ${task.id}: read_page gives the text of its pages.`,
      ...(left.length + right.length === 0 ? ['The engine shows no results.'] : []),
      ...remarks(task),
    ],
    quoted: [...left.map(lineOf), ...right.map((item) => `sidebar: ${lineOf(item)}`)],
  };
};

/** Metrics as words. The service gives 0 for what is unknown. */
const volumeOf = (volume: number, hasData: boolean): string =>
  hasData ? `${volume} searches a month` : 'search volume unknown';

/** The metrics of a keyword on one line, with its months, newest first. */
export const showVolumes = (results: readonly KeywordDataSV[]): Answer => ({
  facts: [
    'Google Ads figures: mean searches a month, competition of advertisers from 0 to 1, mean bid in currency units.',
  ],
  quoted: results.map(({ key, sv, cmp, cpc, ms, has_data }) => {
    const months = ms.map(({ year, month, count }) => `${year}-${String(month).padStart(2, '0')}: ${count}`);
    return [
      `${shortened(key, titleLength)}: ${volumeOf(sv, has_data)}`,
      ...(has_data ? [`competition ${cmp}`, `bid ${Math.round(cpc * 100) / 100}`] : []),
      ...(months.length > 0 ? [months.join(', ')] : []),
    ].join(' | ');
  }),
});

/**
 * The ideas of a task, or how to get them.
 * @throws TaskFailed if the task has ended without a result.
 */
export const showIdeas = (task: IdeasTask): Answer => {
  const failure = failureOf(task);
  if (failure) throw failure;
  if (task.status !== 'success') return unfinished(task);
  return {
    facts: [
      `${task.results.length} keyword ideas of Google Ads, in its order. Task ${task.id}.`,
      ...task.warnings,
    ],
    quoted: task.results.map(({ text, has_data, keyword_idea_metrics: metrics }) =>
      [
        `${shortened(text, titleLength)}: ${volumeOf(metrics.avg_monthly_searches, has_data)}`,
        `competition ${metrics.competition}`,
      ].join(' | '),
    ),
  };
};

export const showSuggestions = (suggestions: readonly string[]): Answer => ({
  facts: [
    suggestions.length > 0 ? 'Suggestions, in the order of the engine.' : 'The engine suggests nothing.',
  ],
  quoted: suggestions.map((text) => `- ${text}`),
});

/** Trends of a keyword or of a country. */
export const showTrends = (reply: TrendsReply): Answer => {
  if ('result' in reply) {
    return {
      facts: ['What people in the country search for more than usual.'],
      quoted: reply.result.map(({ title, traffic }) => `- ${title} (about ${traffic} searches)`),
    };
  }
  const { interest_over_time: points, related_queries: related } = reply;
  return {
    facts: [
      'Interest over twelve months by week: searches relative to the week with the most, which is 100. A rising query has its increase in percent.',
      points.length > 0
        ? points.map(({ date, value }) => `${date}: ${value}`).join(', ')
        : 'The source has too few searches to show the interest.',
    ],
    quoted: [
      ...related.top.map(({ query, value }) => `top query: ${query} (${value})`),
      ...related.rising.map(({ query, value }) => `rising query: ${query} (+${value} %)`),
    ],
  };
};

/** The lines of a stored page. */
export const showPage = (
  id: number,
  page: number,
  { lines, isWhole }: { lines: readonly string[]; isWhole: boolean },
): Answer => ({
  facts: [
    `Page ${page} of task ${id}: ${lines.length} lines of text.`,
    ...(isWhole ? [] : ['The page is too large to be read to its end.']),
  ],
  quoted: lines,
});
