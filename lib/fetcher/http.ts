/** Where pages come from: an origin set for this engine, the sandbox, or the engine itself. */
import type { Device } from '../model/crawl-request.ts';
import { getHtml } from '../net/get-html.ts';
import { withOrigin } from '../net/origin.ts';
import { clock } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import { misfortuneNames, sandboxGoogle } from '../sandbox/google.ts';
import { identityFor } from './identity.ts';
import { proxyFor } from './proxy.ts';

// A mistyped order would break every page, one by one: it stops the start instead.
const ordered = setting('SANDBOX_MISFORTUNE');
if (ordered && !misfortuneNames.includes(ordered)) {
  throw new Error(`SANDBOX_MISFORTUNE must be one of ${misfortuneNames.join(', ')}`);
}

export type Search = { url: string; device: Device; language_code: string; iso_code: string };

/** A page as it came, or why none came: a stable word, a colon, a sentence. */
export type Got =
  | { ok: true; status: number; url: string; headers?: Record<string, string>; body: string }
  | { ok: false; reason: string };

/** One total deadline for a page over HTTP, from dialling to the last byte, redirects included. */
export const deadlineMs = 12_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A page of the sandbox, with all that befalls it. `cookie`: what a browser brings along. */
export const fromSandbox = async ({ url, device }: Search, cookie = ''): Promise<Got> => {
  const page = sandboxGoogle({
    url,
    device,
    cookie,
    now: clock(),
    misfortune: setting('SANDBOX_MISFORTUNE') || undefined,
  });
  await pause(Math.min(page.delayMs, deadlineMs));
  if (page.delayMs > deadlineMs) return { ok: false, reason: 'timeout: the page did not arrive in time' };
  if (page.cut) {
    const end = page.body === '' ? 'was reset' : 'ended before the page did';
    return { ok: false, reason: `unreachable: the connection ${end}` };
  }
  return { ok: true, status: page.status, url, body: page.body };
};

/** Where a hidden link of such a page leads; null where that is not told. */
export const locationInSandbox = ({ device }: Search, link: string): string | null =>
  sandboxGoogle({ url: link, device, now: clock() }).headers.location ?? null;

/** Where the network is asked, and by which way; undefined where the sandbox answers. */
export const routeOf = async (search: Search, session: string) => {
  const origin = setting('GOOGLE_ORIGIN');
  if (!origin && setting('SEARCH_SOURCE') !== 'live') return undefined;
  const proxyUrl = await proxyFor(search, session);
  return {
    url: origin ? withOrigin(search.url, origin) : search.url,
    ...(origin && { exempt: origin }),
    ...(proxyUrl && { proxyUrl }),
  };
};

/** Fetches a page once. `session` tells apart the proxies of two tries. */
export const getPage = async (search: Search, session: string): Promise<Got> => {
  const route = await routeOf(search, session);
  if (!route) return fromSandbox(search);
  const { headers } = identityFor(search.device, search.language_code);
  return getHtml({ ...route, headers, deadlineMs });
};
