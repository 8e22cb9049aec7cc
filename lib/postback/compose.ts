/**
 * Composes the request of one delivery attempt: the payload, built from the stored task for each attempt, and
 * its signature.
 */
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { pageLink } from '../access/page-link.ts';
import { type FormRow, placedAddress } from '../compat/dataforseo/webhook-address.ts';
import { batchOf, v1TaskOf } from '../crawl/view.ts';
import { ideasTaskOf, keywordTaskOf } from '../keyword/view.ts';
import { noCounts } from '../model/batch.ts';
import { AnyPayload, Payload, webhookType } from '../model/delivery.ts';
import { type Account, secretsAt } from '../model/user.ts';
import type { Post } from '../net/post.ts';
import { readIdeasResult, readResult } from '../store/results.ts';
import type { AlertRow, FormWebhook, ReportedRow, TaskRow } from '../store/task-row.ts';
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

/** The payload of an alert, as it was stored, in the form of its delivery: the same for each attempt. */
const alertPayload = async ({ object, format, base_url }: AlertRow): Promise<AnyPayload> => {
  // Imported on demand: few deliveries are alerts, but the client of S3 would slow down every cold start.
  const { readAlert } = await import('../store/read-alert.ts');
  const { payload, summary } = (await readAlert(object)) ?? {};
  if (format === 'summary') {
    if (!summary) throw new Error('The summary of the week is gone');
    const { summaryMail } = await import('./mail-message.ts');
    return summaryMail(summary, base_url);
  }
  if (!payload) throw new Error('The payload of the alert is gone');
  if (!format) return payload;
  if (format === 'mail') {
    const { alertMail } = await import('./mail-message.ts');
    return alertMail(payload, base_url);
  }
  const { alertMessage } = await import('./chat-message.ts');
  return alertMessage(payload, format);
};

/** A task whose webhook has the form of another service. */
const isOfForm = (row: ReportedRow): row is FormRow =>
  (row.kind === 'serp' || row.kind === 'ideas') &&
  row.form_webhook !== undefined &&
  row.postback_url !== null;

/** Where the webhook goes: in the form of another service, the address contains values of the task. */
export const webhookAddress = (row: ReportedRow & { postback_url: string }): string =>
  isOfForm(row) ? placedAddress(row) : row.postback_url;

/** The form of another service that the webhook has; undefined for our own. */
export const formWebhookOf = (row: ReportedRow): FormWebhook | undefined =>
  isOfForm(row) ? row.form_webhook : undefined;

const payloadOf = async (row: ReportedRow, account: Account, now: number): Promise<AnyPayload> => {
  if (isOfForm(row)) {
    // Imported on demand: few deliveries have this form, but its code would slow down every cold start.
    const { dataforseoPayload } = await import('../compat/dataforseo/webhook.ts');
    return dataforseoPayload(row, account, now);
  }
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
): Promise<{ payload: AnyPayload; account: Account }> => {
  const account = await readAccount(row.user_id);
  if (!account) throw new Error('The user of this delivery no longer exists');
  const schema = isOfForm(row) || (row.kind === 'alert' && row.format) ? AnyPayload : Payload;
  return { payload: v.parse(schema, await payloadOf(row, account, now)), account };
};

type Signed = Omit<Post, 'url'>;

/**
 * A request in the form of another service: a GET, whose signature is that of an empty body, or the payload
 * in gzip, whose signature is that of the text.
 */
const formPost = (form: FormWebhook, text: string, headers: Record<string, string>): Signed =>
  form === 'pingback'
    ? { method: 'GET', headers, body: '' }
    : {
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', ...headers },
        body: gzipSync(text),
      };

/** The body of a delivery and its headers, with the signatures. */
export const signedPost = (
  payload: AnyPayload,
  account: Account,
  {
    kind,
    delivery,
    timestamp,
    sandbox,
    form_webhook: form,
  }: {
    kind: ReportedRow['kind'];
    delivery: string;
    timestamp: number;
    sandbox?: boolean | undefined;
    form_webhook?: FormWebhook | undefined;
  },
): Signed => {
  const body = form === 'pingback' ? '' : JSON.stringify(payload);
  const signed = signedHeaders(secretsAt(account, timestamp), { delivery, timestamp, body });
  const source: Record<string, string> = sandbox ? { 'x-search-source': 'sandbox' } : {};
  if (form) return formPost(form, body, { ...source, ...signed });
  const type = { 'content-type': 'application/json', 'webhook-type': webhookType(kind, payload) };
  return { headers: { ...type, ...source, ...signed }, body };
};
