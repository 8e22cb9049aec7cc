/**
 * Whether the parts answer without which the service cannot work. Needs no key, so the answer is kept: a
 * flood of requests costs no calls.
 */
import { HttpError } from '../model/http-error.ts';
import { type Health, type HealthPart, healthParts } from '../model/service-status.ts';
import { resource } from '../runtime/env.ts';
import { keepFor } from '../runtime/keep-for.ts';
import { log } from '../runtime/log.ts';
import { readSecret } from '../runtime/secret.ts';
import { checkBucket } from '../store/bucket.ts';
import { readAccount } from '../store/users.ts';
import { countQueue } from '../task/queue-counts.ts';

/** How long a function keeps the answer. */
const keptSeconds = 5;

/** The time that a part has for its answer. */
const limitMs = 3000;

const tokenKey = resource('TOKEN_KEY_SECRET');

const checks: Record<HealthPart, () => Promise<unknown>> = {
  // No user has the id 0, so the read is short.
  table: () => readAccount(0),
  queue: () => countQueue('crawl'),
  bucket: checkBucket,
  secrets: async () => {
    if ((await readSecret(tokenKey)) === '') throw new Error('There is no key to sign tokens with');
  },
};

const answersInTime = async (part: HealthPart): Promise<boolean> => {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`No answer in ${limitMs} ms`)), limitMs);
  try {
    await Promise.race([checks[part](), limit.promise]);
    return true;
  } catch (error) {
    log.error('a part does not answer', { part, reason: String(error) });
    return false;
  } finally {
    clearTimeout(timer);
  }
};

const failingParts = keepFor(keptSeconds, async () => {
  const answers = await Promise.all(healthParts.map(answersInTime));
  return healthParts.filter((_, n) => !answers[n]);
});

/** @throws HttpError 503 that names the parts that do not answer. */
export const checkHealth = async (now?: number): Promise<Health> => {
  const failing = await failingParts(now);
  if (failing.length > 0) {
    throw new HttpError(503, `Not available: ${failing.join(', ')}`, { 'Retry-After': String(keptSeconds) });
  }
  return { status: 'ok', parts: { table: 'ok', queue: 'ok', bucket: 'ok', secrets: 'ok' } };
};
