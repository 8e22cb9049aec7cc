/**
 * Webhooks in the form of DataForSEO: a pingback is a GET without a body, and a postback has the result as
 * `task_get` returns it. They are sent, repeated and parked as those of our own.
 */
import { v2TaskOf } from '../../crawl/view.ts';
import type { DataforseoPayload } from '../../model/delivery.ts';
import type { Account } from '../../model/user.ts';
import { stopwatch } from '../../runtime/clock.ts';
import { readResult } from '../../store/results.ts';
import { envelopeOf, type Outcome, statusOf } from './envelope.ts';
import { keywordDataOf, keywordOutcomeOf, nameOfRow } from './keyword-result.ts';
import { dataOf, outcomeOf, type Task } from './result.ts';
import { taskIdOf } from './task-id.ts';
import type { FormRow } from './webhook-address.ts';

type Ended = { path: string; data: Outcome['data']; read: () => Promise<{ outcome: Outcome }> };

const endedSearch = async (row: Extract<FormRow, { kind: 'serp' }>, account: Account, now: number) => {
  const task: Task = { ...v2TaskOf(row, await readResult(row), now), engine: row.engine };
  const form = row.form_webhook === 'pingback' ? 'regular' : row.form_webhook;
  return {
    path: `serp/${row.engine}/organic/task_get/${form}`,
    data: dataOf(task, row.form_webhook),
    read: () => outcomeOf(account, task, form),
  };
};

const endedKeywords = (row: Extract<FormRow, { kind: 'ideas' }>): Ended => ({
  path: `keywords_data/google_ads/${nameOfRow(row)}/task_get`,
  data: keywordDataOf(row),
  read: () => keywordOutcomeOf(row),
});

/** The envelope that a webhook has. That of a pingback is stored, and not sent. */
export const dataforseoPayload = async (
  row: FormRow,
  account: Account,
  now: number,
): Promise<DataforseoPayload> => {
  const { path, data, read } =
    row.kind === 'serp' ? await endedSearch(row, account, now) : endedKeywords(row);
  const id = taskIdOf(row.id);
  const { outcome } = row.form_webhook === 'pingback' ? { outcome: statusOf(20000) } : await read();
  return envelopeOf([{ ...outcome, id, ...(data && { data }) }], {
    path: `/v3/${path}/${id}`,
    began: stopwatch(),
  });
};
