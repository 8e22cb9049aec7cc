/**
 * Pages and hidden links of the sandbox, and the network faults that the sandbox plans for them: delays and
 * cut connections.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { timeoutReason } from '../net/get-html.ts';
import { calendar } from '../runtime/calendar.ts';
import { clock } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';
import { doubleOf } from '../sandbox/engines.ts';
import type { FetchResult, PageRequest } from './page.ts';

/**
 * Gets a page of the sandbox. `cookie` is the cookie header of a browser, `at` the time of the page (Unix
 * seconds): by default now, with the ranking of the day of the calendar.
 */
export const sandboxPage = async (
  { engine, url, device, continuation, isRetry = false }: PageRequest,
  deadlineMs: number,
  cookie = '',
  at?: number,
): Promise<FetchResult> => {
  const page = doubleOf(engine)({
    url,
    device,
    cookie,
    now: at ?? clock(),
    rankedAt: at ?? calendar(),
    isRetry,
    ...(continuation && { body: continuation.body }),
    misfortune: setting('SANDBOX_MISFORTUNE') || undefined,
  });
  await sleep(Math.min(page.delayMs, deadlineMs));
  if (page.delayMs > deadlineMs) return { ok: false, reason: timeoutReason };
  if (page.cut) {
    const end = page.body === '' ? 'was reset' : 'ended before the page did';
    return { ok: false, reason: `unreachable: the connection ${end}` };
  }
  return { ok: true, status: page.status, url, headers: page.headers, body: page.body };
};

/** The target of a hidden link on such a page; null if the sandbox does not reveal it. */
export const sandboxLocation = ({ engine, device }: PageRequest, link: string): string | null =>
  doubleOf(engine)({ url: link, device, now: clock() }).headers.location ?? null;
