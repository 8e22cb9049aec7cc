/** Tells an answer of a source that is no data: a block, a request to come back later, an error. */
import { clockMs } from '../runtime/clock.ts';
import type { Fault, Problem, ProviderAnswer } from './contract.ts';

/** The wait that is passed on is never longer. */
const longestWaitSeconds = 3600;

/**
 * How long to wait after a refusal that does not say so. Blocks of an address last minutes to tens of
 * minutes.
 */
const usualWaitSeconds = { throttled: 60, blocked: 300 };

const challengeWords = /captcha|unusual traffic|\/sorry\/|are you a robot|verify you are (?:a )?human/i;
const challengeAddress = /\/sorry\b|captcha|challenge|consent\./i;

/**
 * The seconds in a `Retry-After` header, which has a number or a date of HTTP; undefined if it has neither.
 * `Date.parse` alone takes other words with a figure for a date, too.
 */
const waitIn = (header = '', now: number): number | undefined => {
  const date = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : Math.ceil((date - now) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), longestWaitSeconds) : undefined;
};

const fault = (problem: Problem, word: string, reason: string): Fault => ({
  ok: false,
  problem,
  word,
  reason,
});

/** An answer that is not the data it should be. */
export const malformed = (what: string): Fault => fault('malformed', 'malformed', what);

const isHtml = (body: string): boolean =>
  /^\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)\b/is.test(body);

const challenge = (): Fault => ({
  ...fault('blocked', 'captcha', 'the source suspects a robot and asks for a person'),
  retryAfterSeconds: usualWaitSeconds.blocked,
});

/**
 * Why an answer is no data; null if it may be data. A redirect is never followed: it leads to a challenge or
 * to another service.
 */
export const refusalOf = ({ status, headers, body }: ProviderAnswer, now = clockMs()): Fault | null => {
  const wait = waitIn(headers['retry-after'], now);
  const hasHtml = isHtml(body) || /^text\/html\b/i.test(headers['content-type'] ?? '');
  if (status === 429 || (status === 503 && wait !== undefined)) {
    return {
      ...fault('throttled', 'throttled', `the source answers ${status}, too many requests`),
      retryAfterSeconds: wait ?? usualWaitSeconds.throttled,
    };
  }
  if (status >= 300 && status < 400) {
    return challengeAddress.test(headers.location ?? '')
      ? challenge()
      : fault('malformed', 'redirected', `the source answers ${status} instead of data`);
  }
  if (hasHtml && challengeWords.test(body)) return challenge();
  if (status === 403) {
    return {
      ...fault('blocked', 'refused', 'the source answers 403'),
      retryAfterSeconds: wait ?? usualWaitSeconds.blocked,
    };
  }
  if (status !== 200) {
    const problem = status >= 500 ? 'down' : status >= 400 ? 'rejected' : 'malformed';
    return fault(problem, 'upstream', `the source answers ${status}`);
  }
  return isHtml(body) ? malformed('the source answers a page instead of data') : null;
};
