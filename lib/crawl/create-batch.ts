/** Accepts a batch of tasks, if the user's limit of pages allows it. */
import { countPages } from '../access/rate.ts';
import type { BatchHeaders } from '../model/batch.ts';
import type { CrawlRequest, GoogleCrawlRequest } from '../model/crawl-request.ts';
import { defaultEngine, type EngineName, pageCount } from '../model/engine.ts';
import type { Account } from '../model/user.ts';
import type { V1Task } from '../model/v1-task.ts';
import type { V2Task } from '../model/v2-task.ts';
import { clock } from '../runtime/clock.ts';
import { batchIdOf } from '../task/id.ts';
import { type Acceptance, createV1Tasks, createV2Tasks, depthOf } from './create.ts';

/** The headers of a request for a batch: the URL of its webhook, and its `Idempotency-Key`. */
type BatchRequest = { headers?: BatchHeaders } & Pick<Acceptance, 'idempotency'>;

const acceptanceOf = ({ headers, idempotency }: BatchRequest, admit: () => Promise<void>): Acceptance => ({
  idempotency,
  admit,
  // Empty is none.
  batch: { postbackUrl: headers?.['x-batch-postback-url'] || null },
});

/** The header with the id of a batch. The id follows from that of the first task. */
export const batchHeaders = ([first]: readonly { id: number }[]): Record<string, string> =>
  first ? { 'x-batch-id': String(batchIdOf(first.id)) } : {};

/**
 * Accepts all tasks of v2 or none, and returns them in the status `awaiting`.
 * @throws HttpError 429 if the user has queued too many pages in this minute, and as `createV2Tasks`.
 */
export const createV2Batch = async (
  user: Account,
  requests: readonly GoogleCrawlRequest[],
  baseUrl: string,
  batch: BatchRequest = {},
): Promise<V2Task[]> => {
  const pages = requests.reduce((sum, { depth }) => sum + pageCount(defaultEngine, depth), 0);
  return createV2Tasks(
    user,
    requests,
    baseUrl,
    clock(),
    acceptanceOf(batch, () => countPages(user, pages)),
  );
};

/** As `createV2Batch`, for tasks of v1. */
export const createV1Batch = async (
  user: Account,
  engine: EngineName,
  requests: readonly CrawlRequest[],
  baseUrl: string,
  batch: BatchRequest = {},
): Promise<V1Task[]> => {
  const pages = requests.reduce((sum, request) => sum + pageCount(engine, depthOf(engine, request)), 0);
  const acceptance = acceptanceOf(batch, () => countPages(user, pages));
  return createV1Tasks(user, engine, requests, baseUrl, clock(), acceptance);
};
