/** Accepts a batch of tasks, if the user's limit of pages allows it. */
import { countPages } from '../access/rate.ts';
import type { CrawlRequest, GoogleCrawlRequest } from '../model/crawl-request.ts';
import { defaultEngine, type EngineName, pageCount } from '../model/engine.ts';
import type { GoogleSerpTask } from '../model/google-serp-task.ts';
import type { SerpTask } from '../model/serp-task.ts';
import type { Account } from '../model/user.ts';
import { clock } from '../runtime/clock.ts';
import { type Acceptance, createSerpTasks, createTasks, depthOf } from './create.ts';

/**
 * Accepts all tasks of v2 or none, and returns them in the status `awaiting`.
 * @throws HttpError 429 if the user has queued too many pages in this minute, and as `createTasks`.
 */
export const createBatch = async (
  user: Account,
  requests: readonly GoogleCrawlRequest[],
  baseUrl: string,
  acceptance?: Acceptance,
): Promise<GoogleSerpTask[]> => {
  const pages = requests.reduce((sum, { depth }) => sum + pageCount(defaultEngine, depth), 0);
  const admit = () => countPages(user, pages);
  return createTasks(user, requests, baseUrl, clock(), { ...acceptance, admit });
};

/** As `createBatch`, for tasks of v1. */
export const createSerpBatch = async (
  user: Account,
  engine: EngineName,
  requests: readonly CrawlRequest[],
  baseUrl: string,
  acceptance?: Acceptance,
): Promise<SerpTask[]> => {
  const pages = requests.reduce((sum, request) => sum + pageCount(engine, depthOf(engine, request)), 0);
  const admit = () => countPages(user, pages);
  return createSerpTasks(user, engine, requests, baseUrl, clock(), { ...acceptance, admit });
};
