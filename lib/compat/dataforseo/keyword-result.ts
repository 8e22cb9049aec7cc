/** The outcome of a task of keyword data in the form of DataForSEO. */
import { hasData } from '../../model/keyword-metrics.ts';
import { readIdeasResult } from '../../store/results.ts';
import type { IdeasRow } from '../../store/task-row.ts';
import { isFinal } from '../../task/status.ts';
import type { Parameters } from '../read.ts';
import { type Outcome, statusOf } from './envelope.ts';
import { volumeOf } from './figures.ts';
import { webhookDataOf } from './webhook-address.ts';

export const functionNames = ['search_volume', 'keywords_for_keywords'] as const;
export type FunctionName = (typeof functionNames)[number];

/** The function of the form that has made a task. */
export const nameOfRow = ({ figures_only }: IdeasRow): FunctionName =>
  figures_only ? 'search_volume' : 'keywords_for_keywords';

/** The figures of all keywords of a task. */
export const resultOf = async (row: IdeasRow): Promise<{ result: object[]; isEmpty: boolean }> => {
  const { ideas = [] } = (await readIdeasResult(row)) ?? {};
  const about = { location_code: row.location_code, language_code: row.language_code };
  return {
    result: ideas.map(({ text, metrics }) => volumeOf(text, metrics, about)),
    isEmpty: !ideas.some(({ metrics }) => hasData(metrics)),
  };
};

/** The outcome of a task, and whether its source knows nothing about its keywords. */
export const keywordOutcomeOf = async (row: IdeasRow): Promise<{ outcome: Outcome; isEmpty: boolean }> => {
  if (!isFinal(row.status)) return { outcome: statusOf(40602), isEmpty: false };
  if (row.status !== 'success')
    return { outcome: statusOf(40103, row.error_message ?? 'machinery: the task failed'), isEmpty: false };
  const { result, isEmpty } = await resultOf(row);
  return { outcome: result.length > 0 ? { ...statusOf(20000), result } : statusOf(40102), isEmpty };
};

/** What the task was asked for, in the names of the form. */
export const keywordDataOf = (row: IdeasRow): Parameters => ({
  se: 'google_ads',
  keywords: row.keywords,
  location_code: row.location_code,
  ...(row.language_code && { language_code: row.language_code }),
  ...(row.tag && { tag: row.tag }),
  ...webhookDataOf(row, row.form_webhook),
});
