/** A task in the form that its reader asks for. */
import type { FormHeaders, FormQuery } from '../model/forms.ts';
import { fieldNames, type TextReply } from '../model/forms.ts';
import type { GoogleSerpTask } from '../model/google-serp-task.ts';
import type { SerpTask } from '../model/serp-task.ts';
import type { Account } from '../model/user.ts';
import { readAwaitedTask } from './awaited.ts';
import { inForm } from './forms.ts';
import { readSerpTask } from './view.ts';

/** What a request says of the form of its response. */
type Wanted = { query: FormQuery; headers: FormHeaders };

/** The user's task of v2 as JSON or text, when it is final or at the end of the wait. Throws as `readAwaitedTask`. */
export const readTaskInForm = async (
  user: Account,
  id: number,
  { query, headers }: Wanted & { query: { wait?: number | undefined } },
): Promise<GoogleSerpTask | TextReply> => {
  const task = await readAwaitedTask(user, id, query.wait, fieldNames(query.fields));
  return inForm(task, query, headers.accept);
};

/** As `readTaskInForm`, for a task of v1. */
export const readSerpTaskInForm = async (
  user: Account,
  id: number,
  { query, headers }: Wanted,
): Promise<SerpTask | TextReply> => inForm(await readSerpTask(user, id), query, headers.accept);
