/** Keyword data of the service as a tool's answer. */
import type { KeywordDataSV } from '../model/keyword-metrics.ts';
import type { IdeasTask } from '../model/keyword-task.ts';
import type { TrendsReply } from '../model/trends.ts';
import { type Answer, shortened } from './answer.ts';
import { type Origin, originFacts, originFields, originOfTask } from './origin.ts';
import { failureOf, titleLength, unfinished } from './progress.ts';

/** Metrics as words. The service gives 0 for what is unknown. */
const volumeOf = (volume: number, hasData: boolean): string =>
  hasData ? `${volume} searches a month` : 'search volume unknown';

const monthOf = ({ year, month }: { year: number; month: number }): string =>
  `${year}-${String(month).padStart(2, '0')}`;

const rounded = (amount: number): number => Math.round(amount * 100) / 100;

/**
 * The metrics of a keyword on one line, with its months, newest first. `provider`: whose figures they are.
 */
export const showVolumes = (results: readonly KeywordDataSV[], provider: string, origin: Origin): Answer => ({
  facts: [
    `${provider} figures: mean searches a month, competition of advertisers from 0 to 1, mean bid in currency units.`,
    ...originFacts(origin),
  ],
  quoted: results.map(({ key, sv, cmp, cpc, ms, has_data }) => {
    const months = ms.map(({ count, ...month }) => `${monthOf(month)}: ${count}`);
    return [
      `${shortened(key, titleLength)}: ${volumeOf(sv, has_data)}`,
      ...(has_data ? [`competition ${cmp}`, `bid ${rounded(cpc)}`] : []),
      ...(months.length > 0 ? [months.join(', ')] : []),
    ].join(' | ');
  }),
  fields: { ...originFields(origin), provider },
  lists: {
    volumes: results.map(({ key, sv, cmp, cpc, ms, has_data }) => ({
      keyword: shortened(key, titleLength),
      ...(has_data
        ? { searches_a_month: sv, competition: cmp, bid: rounded(cpc) }
        : { searches_a_month: null }),
      months: ms.map(({ count, ...month }) => ({ month: monthOf(month), searches: count })),
    })),
  },
});

/**
 * The ideas of a task, or how to get them. `provider`: the source of the ideas.
 * @throws TaskFailed if the task has ended without a result.
 */
export const showIdeas = (task: IdeasTask, provider: string, isSandbox: boolean): Answer => {
  const failure = failureOf(task);
  if (failure) throw failure;
  const origin = originOfTask(task, isSandbox);
  if (task.status !== 'success') return unfinished(task, origin);
  return {
    facts: [
      `${task.results.length} keyword ideas of ${provider}, in its order. Task ${task.id}.`,
      ...originFacts(origin),
      ...task.warnings,
    ],
    quoted: task.results.map(({ text, has_data, keyword_idea_metrics: metrics }) =>
      [
        `${shortened(text, titleLength)}: ${volumeOf(metrics.avg_monthly_searches, has_data)}`,
        `competition ${metrics.competition}`,
      ].join(' | '),
    ),
    fields: {
      task_id: task.id,
      status: task.status,
      ...originFields(origin),
      provider,
      warnings: task.warnings,
    },
    lists: {
      ideas: task.results.map(({ text, has_data, keyword_idea_metrics: metrics }) => ({
        keyword: shortened(text, titleLength),
        searches_a_month: has_data ? metrics.avg_monthly_searches : null,
        competition: metrics.competition,
      })),
    },
  };
};

export const showSuggestions = (suggestions: readonly string[], origin: Origin): Answer => ({
  facts: [
    suggestions.length > 0 ? 'Suggestions, in the order of the engine.' : 'The engine suggests nothing.',
    ...originFacts(origin),
  ],
  quoted: suggestions.map((text) => `- ${text}`),
  fields: originFields(origin),
  lists: { suggestions },
});

/** Trends of a keyword or of a country. */
export const showTrends = (reply: TrendsReply, origin: Origin): Answer => {
  const fields = originFields(origin);
  if ('result' in reply) {
    return {
      facts: ['What people in the country search for more than usual.', ...originFacts(origin)],
      quoted: reply.result.map(({ title, traffic }) => `- ${title} (about ${traffic} searches)`),
      fields,
      lists: { searches: reply.result.map(({ title, traffic }) => ({ title, traffic })) },
    };
  }
  const { interest_over_time: points, related_queries: related } = reply;
  return {
    facts: [
      'Interest over twelve months by week: searches relative to the week with the most, which is 100. A rising query has its increase in percent.',
      ...originFacts(origin),
      points.length > 0
        ? points.map(({ date, value }) => `${date}: ${value}`).join(', ')
        : 'The source has too few searches to show the interest.',
    ],
    quoted: [
      ...related.top.map(({ query, value }) => `top query: ${query} (${value})`),
      ...related.rising.map(({ query, value }) => `rising query: ${query} (+${value} %)`),
    ],
    fields,
    lists: { interest: points, top: related.top, rising: related.rising },
  };
};
