/**
 * The route table: one row an operation. Validation, the handler's argument, the gateway, OpenAPI and the contract test
 * all read it. An operation's key is the path of its file under `functions/api` and of its event under `events/api`.
 */
import * as v from 'valibot';
import { GoogleCrawlBatch, GoogleCrawlRequest } from '../model/crawl-request.ts';
import { GoogleSerpTask } from '../model/google-serp-task.ts';
import { PathId } from '../model/scalar.ts';
import { RawAnswer, type Route } from './route.ts';

/** The interface's own version (Reading 30). */
export const version = '0.1.0';

const TaskParams = v.object({ task_id: PathId });

export const routes = {
  'serp/create-google-task': {
    method: 'POST',
    path: '/api/v2/serp/crawl',
    auth: 'bearer',
    summary: 'Queue a Google crawl',
    description:
      'Answers at once with the waiting task; its result is polled by id, or delivered to `postback_url`.',
    body: GoogleCrawlRequest,
    delivers: true,
    reply: GoogleSerpTask,
  },
  'serp/create-google-batch': {
    method: 'POST',
    path: '/api/v2/serp/crawl/google/batch',
    auth: 'bearer',
    summary: 'Queue up to 1,000 Google crawls',
    description: 'Accepted or refused whole. The tasks come back in the order of the requests.',
    body: GoogleCrawlBatch,
    delivers: true,
    reply: v.array(GoogleSerpTask),
  },
  'serp/read-google-task': {
    method: 'GET',
    path: '/api/v2/serp/crawl/{task_id}',
    auth: 'bearer',
    summary: 'Read a Google task, with its result once it has one',
    params: TaskParams,
    reply: GoogleSerpTask,
  },
  'serp/open-page': {
    method: 'GET',
    path: '/pages/{token}',
    auth: 'none',
    summary: 'Open a stored page by the link of a webhook',
    description: 'Works without a key for 24 hours: leads to a short-lived link to the stored HTML.',
    params: v.object({ token: v.string() }),
    reply: RawAnswer,
    answers: { status: 302 },
  },
  'site/read-root': {
    method: 'GET',
    path: '/',
    auth: 'none',
    summary: 'Name, version and links of the service',
    reply: v.object({
      name: v.string(),
      version: v.string(),
      docs: v.string(),
      openapi: v.string(),
      search_source: v.picklist(['sandbox', 'live']),
      notice: v.string(),
    }),
  },
  'site/read-openapi': {
    method: 'GET',
    path: '/openapi.json',
    auth: 'none',
    summary: 'This document',
    reply: v.record(v.string(), v.unknown()),
  },
  'site/read-docs': {
    method: 'GET',
    path: '/docs',
    auth: 'none',
    summary: 'The interface as a page to read and try',
    reply: RawAnswer,
    answers: { status: 200, type: 'text/html' },
  },
  'site/read-docs-asset': {
    method: 'GET',
    path: '/docs/{asset}',
    auth: 'none',
    summary: 'A file of that page',
    params: v.object({ asset: v.string() }),
    reply: RawAnswer,
    answers: { status: 200, type: '*/*' },
  },
} as const satisfies Record<string, Route>;

export type Operation = keyof typeof routes;
