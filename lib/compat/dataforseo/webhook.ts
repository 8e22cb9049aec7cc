/**
 * Webhooks in the form of DataForSEO: a pingback is a GET without a body, and a postback has the result as
 * `task_get` returns it. They are sent, repeated and parked as those of our own.
 */
import { v2TaskOf } from '../../crawl/view.ts';
import type { DataforseoPayload } from '../../model/delivery.ts';
import type { Account } from '../../model/user.ts';
import { stopwatch } from '../../runtime/clock.ts';
import type { StoredResult } from '../../store/results.ts';
import { envelopeOf, statusOf } from './envelope.ts';
import { dataOf, outcomeOf, type Task } from './result.ts';
import { taskIdOf } from './task-id.ts';
import type { FormRow } from './webhook-address.ts';

/** The envelope that a webhook has. That of a pingback is stored, and not sent. */
export const dataforseoPayload = async (
  row: FormRow,
  stored: StoredResult | null,
  account: Account,
  now: number,
): Promise<DataforseoPayload> => {
  const task: Task = { ...v2TaskOf(row, stored, now), engine: row.engine };
  const form = row.form_webhook === 'pingback' ? 'regular' : row.form_webhook;
  const id = taskIdOf(row.id);
  const path = `/v3/serp/${row.engine}/organic/task_get/${form}/${id}`;
  const outcome =
    row.form_webhook === 'pingback' ? statusOf(20000) : (await outcomeOf(account, task, form)).outcome;
  return envelopeOf([{ ...outcome, id, data: dataOf(task, row.form_webhook) }], { path, began: stopwatch() });
};
