/**
 * Composes the request of one delivery attempt: the payload, built from the stored task for each attempt, and
 * its signature.
 */
import * as v from 'valibot';
import { pageLink } from '../access/page-link.ts';
import { batchOf, v1TaskOf } from '../crawl/view.ts';
import { ideasTaskOf, keywordTaskOf } from '../keyword/view.ts';
import { noCounts } from '../model/batch.ts';
import { Payload, webhookType } from '../model/delivery.ts';
import { type Account, secretsAt } from '../model/user.ts';
import type { Post } from '../net/post.ts';
import { readIdeasResult, readResult } from '../store/results.ts';
import type { AlertRow, ReportedRow, TaskRow } from '../store/task-row.ts';
import { readAccount } from '../store/users.ts';
import { signedHeaders } from './sign.ts';
import { v2Payload } from './v2-payload.ts';

/**
 * The key of a task's first page, and the base URL of the links to it. `html` is empty if that page is not
 * stored.
 */
export type StoredPage = { base_url: string; html: string };

export const storedPage = (row: ReportedRow): StoredPage => ({
  base_url: row.base_url,
  html: (row.kind === 'serp' && row.pages[0]?.html) || '',
});

/** A new `html_url` of a payload. */
export const htmlUrl = ({ base_url, html }: StoredPage, account: Account, now: number): string =>
  pageLink(base_url, html, account, now);

/** Reading 33: except for v2, the payload is the task as GET returns it. */
const taskPayload = async (row: TaskRow, account: Account, now: number): Promise<Payload> => {
  if (row.kind === 'keyword') return keywordTaskOf(row, now);
  if (row.kind === 'ideas') return ideasTaskOf(row, await readIdeasResult(row), now);
  const stored = await readResult(row);
  return row.api === 'v1'
    ? v1TaskOf(row, stored, now)
    : v2Payload(row, stored, htmlUrl(storedPage(row), account, now));
};

/** The payload of an alert, as it was stored: the same for each attempt. */
const alertPayload = async ({ object }: AlertRow): Promise<Payload> => {
  // Imported on demand: few deliveries are alerts, but the client of S3 would slow down every cold start.
  const { readAlert } = await import('../store/read-alert.ts');
  const alert = await readAlert(object);
  if (!alert?.payload) throw new Error('The payload of the alert is gone');
  return alert.payload;
};

const payloadOf = (row: ReportedRow, account: Account, now: number): Promise<Payload> | Payload => {
  if (row.kind === 'batch') return { type: 'batch.finished', ...batchOf(row, row.counts ?? noCounts) };
  return row.kind === 'alert' ? alertPayload(row) : taskPayload(row, account, now);
};

/**
 * The payload of a task, a batch or an alert, and the account whose secrets sign it.
 * @throws if the account no longer exists.
 */
export const composePayload = async (
  row: ReportedRow,
  now: number,
): Promise<{ payload: Payload; account: Account }> => {
  const account = await readAccount(row.user_id);
  if (!account) throw new Error('The user of this delivery no longer exists');
  return { payload: v.parse(Payload, await payloadOf(row, account, now)), account };
};

/** The body of a delivery and its headers, with the signatures. */
export const signedPost = (
  payload: Payload,
  account: Account,
  {
    kind,
    delivery,
    timestamp,
    sandbox,
  }: { kind: ReportedRow['kind']; delivery: string; timestamp: number; sandbox?: boolean | undefined },
): Omit<Post, 'url'> => {
  const body = JSON.stringify(payload);
  const signed = signedHeaders(secretsAt(account, timestamp), { delivery, timestamp, body });
  const source: Record<string, string> = sandbox ? { 'x-search-source': 'sandbox' } : {};
  const type = { 'content-type': 'application/json', 'webhook-type': webhookType(kind, payload) };
  return { headers: { ...type, ...source, ...signed }, body };
};
