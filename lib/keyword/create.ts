/** Accepts tasks of keyword data. The response is sent only after the rows and the messages are durable. */
import { countPages } from '../access/rate.ts';
import { HttpError } from '../model/http-error.ts';
import type { IdeasRequest, KeywordDataTaskRequest } from '../model/keyword-request.ts';
import type { IdeasTask, KeywordDataTask } from '../model/keyword-task.ts';
import { listOfQuotes } from '../model/quote.ts';
import { maxBatchResponseBytes, payloadBytes } from '../model/request-limits.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import type { IdeasRow, KeywordRow } from '../store/task-row.ts';
import { acceptTasks } from '../task/accept.ts';
import { taskId } from '../task/id.ts';
import { newTask } from '../task/new-task.ts';
import { ideasTaskOf, keywordTaskOf } from './view.ts';

type Asked = { postback_url: string | null; unknown_fields?: string[] };

const newRow = (userId: number, id: number, asked: Asked, baseUrl: string, now: number) => {
  const { postback_url, unknown_fields = [] } = asked;
  return {
    ...newTask({ userId, id, baseUrl }, now),
    postback_url,
    ...(unknown_fields.length > 0 && {
      warnings: [`Unknown fields are ignored: ${listOfQuotes(unknown_fields)}.`],
    }),
  };
};

type Acceptance = Pick<Parameters<typeof acceptTasks>[0], 'idempotency' | 'admit'>;

/** Accepts rows, and returns them with their ids. */
const accept = async <Row extends KeywordRow | IdeasRow>(
  user: Account,
  rowsAt: (createdAt: number) => Row[],
  acceptance: Acceptance,
  now: number,
): Promise<Row[]> => {
  const { rows, isNew } = await acceptTasks({ userId: user.id, rowsAt, ...acceptance }, now);
  if (isNew) {
    const fields = { first_task_id: rows[0]?.id, last_task_id: rows.at(-1)?.id, tasks: rows.length };
    log.info('tasks accepted', fields, { TasksAccepted: rows.length });
  }
  return rows;
};

/**
 * Accepts all keywords of a batch or none, and returns a waiting task for each, in their order.
 * @throws HttpError 413 if the response would exceed 5 MB (Reading 28), 429 if the user has queued too many
 * keywords in this minute: each counts as a page of a batch of searches. Nothing is written then.
 */
export const createKeywordTasks = async (
  user: Account,
  requests: readonly KeywordDataTaskRequest[],
  baseUrl: string,
  acceptance: Acceptance = {},
  now = clock(),
): Promise<KeywordDataTask[]> => {
  const rowsAt = (createdAt: number): KeywordRow[] => {
    const rows = requests.map((request) => ({
      ...newRow(user.id, taskId(createdAt, 0), request, baseUrl, createdAt),
      kind: 'keyword' as const,
      key: request.key,
      loc_id: request.loc_id,
      reused: false,
    }));
    if (payloadBytes(rows.map((row) => keywordTaskOf(row, createdAt))) > maxBatchResponseBytes) {
      throw new HttpError(413, 'The answer to this batch would pass 5 MB: send fewer tasks at once');
    }
    return rows;
  };
  const admit = () => countPages(user, requests.length, now);
  const rows = await accept(user, rowsAt, { ...acceptance, admit }, now);
  return rows.map((row) => keywordTaskOf(row, now));
};

/** What a task in the form of another service asks for: ideas, or the figures of its keywords. */
export type FormIdeas = Pick<
  IdeasRow,
  'keywords' | 'location_code' | 'language_code' | 'form' | 'figures_only' | 'tag' | 'form_webhook'
> &
  Partial<Pick<IdeasRow, 'postback_url'>>;

/** The keywords whose figures are asked for: each counts as a page. Ideas are one call. */
const countOf = ({ keywords, figures_only }: FormIdeas): number => (figures_only ? keywords.length : 1);

/**
 * Accepts all tasks of another form or none, and returns their rows.
 * @throws HttpError 429 as `createKeywordTasks`.
 */
export const createFormTasks = async (
  user: Account,
  asked: readonly FormIdeas[],
  baseUrl: string,
  now = clock(),
): Promise<IdeasRow[]> => {
  const rowsAt = (createdAt: number): IdeasRow[] =>
    asked.map((each) => ({
      ...newRow(user.id, taskId(createdAt, 0), { postback_url: null }, baseUrl, createdAt),
      kind: 'ideas',
      page_url: null,
      include_seed_keyword: true,
      ...each,
    }));
  const count = asked.reduce((sum, each) => sum + countOf(each), 0);
  return accept(user, rowsAt, { admit: () => countPages(user, count, now) }, now);
};

/** Accepts a request for keyword ideas, and returns the waiting task. */
export const createIdeasTask = async (
  user: Account,
  request: IdeasRequest,
  baseUrl: string,
  acceptance: Acceptance = {},
  now = clock(),
): Promise<IdeasTask> => {
  const { keywords, location_code, language_code, page_url, include_seed_keyword } = request;
  const rowAt = (createdAt: number): IdeasRow => ({
    ...newRow(user.id, taskId(createdAt, 0), request, baseUrl, createdAt),
    kind: 'ideas',
    keywords,
    location_code,
    language_code,
    page_url: page_url || null,
    include_seed_keyword,
  });
  const [row] = await accept(user, (createdAt) => [rowAt(createdAt)], acceptance, now);
  if (!row) throw new Error('The task has no row');
  return ideasTaskOf(row, null, now);
};
