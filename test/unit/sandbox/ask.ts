/** Asks the sandbox as the crawler does, with the engine's own address. */
import type { Device } from '../../../lib/model/crawl-request.ts';
import { answerRequest, type SandboxPage } from '../../../lib/sandbox/google/engine.ts';
import { type LayoutName, type PagePlan, planPage } from '../../../lib/sandbox/google/plan.ts';
import { readSearch } from '../../../lib/sandbox/google/search.ts';

export type Asked = {
  device?: Device;
  page?: number;
  hl?: string;
  gl?: string;
  misfortune?: string;
  cookie?: string;
  now?: number;
};

/** 2026-05-28, at noon. */
export const noon = 1_779_969_600;

const requestOf = (
  query: string,
  { device = 'desktop', page = 1, hl = 'en', gl = 'us', now = noon }: Asked,
) => ({
  url: `https://www.google.com/search?${new URLSearchParams({ q: query, hl, gl, uule: 'w+CAIQICIGUGFyaXM', start: String((page - 1) * 10) })}`,
  device,
  now,
});

export const ask = (query: string, asked: Asked = {}): SandboxPage =>
  answerRequest({
    ...requestOf(query, asked),
    ...(asked.misfortune !== undefined && { misfortune: asked.misfortune }),
    ...(asked.cookie !== undefined && { cookie: asked.cookie }),
  });

export const planFor = (query: string, asked: Asked = {}, layout?: LayoutName): PagePlan =>
  planPage(readSearch(requestOf(query, asked)), layout);
