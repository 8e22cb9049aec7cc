/** Requests pages from the sandbox as the crawler does, with the engine's own URL. */
import type { Device } from '../../../lib/model/crawl-request.ts';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { type LayoutName, type PagePlan, planPage } from '../../../lib/sandbox/google/plan.ts';
import { readSearch } from '../../../lib/sandbox/google/search.ts';
import type { SandboxPage } from '../../../lib/sandbox/misfortunes.ts';

export type RequestOptions = {
  device?: Device;
  page?: number;
  hl?: string;
  gl?: string;
  misfortune?: string;
  cookie?: string;
  now?: number;
  isRetry?: boolean;
  place?: string;
};

/** 2026-05-28, noon, in Unix seconds. */
export const noon = 1_779_969_600;

const requestOf = (
  query: string,
  {
    device = 'desktop',
    page = 1,
    hl = 'en',
    gl = 'us',
    now = noon,
    place = 'w+CAIQICIGUGFyaXM',
  }: RequestOptions,
) => ({
  url: `https://www.google.com/search?${new URLSearchParams({ q: query, hl, gl, uule: place, start: String((page - 1) * 10) })}`,
  device,
  now,
});

export const ask = (query: string, options: RequestOptions = {}): SandboxPage =>
  answerRequest({
    ...requestOf(query, options),
    ...(options.misfortune !== undefined && { misfortune: options.misfortune }),
    ...(options.cookie !== undefined && { cookie: options.cookie }),
    ...(options.isRetry !== undefined && { isRetry: options.isRetry }),
  });

export const planFor = (query: string, options: RequestOptions = {}, layout?: LayoutName): PagePlan =>
  planPage(readSearch(requestOf(query, options)), layout);
