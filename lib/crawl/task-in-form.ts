/** A task in the form that its request asks for. */
import type { GoogleCrawlRequest } from '../model/crawl-request.ts';
import type { FormHeaders, FormQuery } from '../model/forms.ts';
import { fieldNames, type TextReply } from '../model/forms.ts';
import type { Account } from '../model/user.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { createAwaitedTask, readAwaitedTask } from './awaited.ts';
import type { Acceptance } from './create.ts';
import { inForm } from './forms.ts';
import { readV1Task } from './read-task.ts';

/** What a request says of the form of its response. */
type Wanted = { query: FormQuery; headers: FormHeaders };

type WantedOfV2 = Wanted & { query: { wait?: number | undefined } };

/**
 * The new task of v2 as JSON, or as text if `format` says so. The header `Accept` has no effect: clients send
 * it without a thought, and the answer to a request that creates something is documented as JSON. Throws as
 * `createAwaitedTask`.
 */
export const createV2TaskInForm = async (
  user: Account,
  request: GoogleCrawlRequest,
  baseUrl: string,
  query: WantedOfV2['query'],
  acceptance?: Acceptance,
): Promise<V2Task | TextReply> => {
  const names = fieldNames(query.fields);
  const task = await createAwaitedTask(user, request, baseUrl, query.wait, names, acceptance);
  return inForm(task, query, '');
};

/**
 * The user's task of v2 as JSON or text, when it is final or at the end of the wait. Throws as
 * `readAwaitedTask`.
 */
export const readV2TaskInForm = async (
  user: Account,
  id: number,
  { query, headers }: WantedOfV2,
): Promise<V2Task | TextReply> => {
  const task = await readAwaitedTask(user, id, query.wait, fieldNames(query.fields));
  return inForm(task, query, headers.accept);
};

/** As `readV2TaskInForm`, for a task of v1. */
export const readV1TaskInForm = async (
  user: Account,
  id: number,
  { query, headers }: Wanted,
): Promise<V1Task | TextReply> => inForm(await readV1Task(user, id), query, headers.accept);
