/** Accepts a batch of tasks, if the user's limit of pages allows it. */
import { countPages } from '../access/rate.ts';
import type { GoogleCrawlRequest } from '../model/crawl-request.ts';
import { defaultEngine, pageCount } from '../model/engine.ts';
import type { GoogleSerpTask } from '../model/google-serp-task.ts';
import type { Account } from '../model/user.ts';
import { createTasks } from './create.ts';

/**
 * Accepts all tasks or none, and returns them in the status `awaiting`.
 * @throws HttpError 429 if the user has queued too many pages in this minute, and as `createTasks`.
 */
export const createBatch = async (
  user: Account,
  requests: readonly GoogleCrawlRequest[],
  baseUrl: string,
): Promise<GoogleSerpTask[]> => {
  const pages = requests.reduce((sum, { depth }) => sum + pageCount(defaultEngine, depth), 0);
  await countPages(user, pages);
  return createTasks(user, requests, baseUrl);
};
