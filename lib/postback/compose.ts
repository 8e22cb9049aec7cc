/** What one attempt at a delivery sends: the payload of a task's row, made anew each time from what is stored. */
import * as v from 'valibot';
import { makePageToken } from '../access/page-link.ts';
import { GooglePayload } from '../model/delivery.ts';
import type { Account } from '../model/user.ts';
import { readResult } from '../store/results.ts';
import type { TaskRow } from '../store/tasks.ts';
import { readAccount } from '../store/users.ts';
import { googlePayload } from './payload.ts';
import { linkSeconds } from './policy.ts';

const pageUrl = (row: TaskRow, account: Account, now: number): string => {
  const html = row.pages[0]?.html;
  return html ? `${row.base_url}/pages/${makePageToken(account, { html, expires: now + linkSeconds })}` : '';
};

/** The payload, and the account whose secrets sign it. */
export const compose = async (
  row: TaskRow,
  now: number,
): Promise<{ payload: GooglePayload; account: Account }> => {
  const [account, stored] = await Promise.all([readAccount(row.user_id), readResult(row)]);
  if (!account) throw new Error('The user of this delivery is gone');
  return { payload: v.parse(GooglePayload, googlePayload(row, stored, pageUrl(row, account, now))), account };
};
