/** The faults in answers of Google Ads: what they mean, and how long to wait. */
import * as v from 'valibot';
import type { Fault, Problem, ProviderAnswer } from '../contract.ts';

/** The JSON of a body; undefined if it is none. */
export const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Text of Google that clients may see: one line, and not longer than a sentence. */
export const shown = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, 200);

const ErrorOfGoogle = v.object({
  errorCode: v.optional(v.record(v.string(), v.unknown()), {}),
  message: v.optional(v.string(), ''),
  location: v.optional(
    v.object({
      fieldPathElements: v.optional(
        v.array(
          v.object({
            fieldName: v.string(),
            index: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number))),
          }),
        ),
        [],
      ),
    }),
  ),
  details: v.optional(
    v.object({ quotaErrorDetails: v.optional(v.object({ retryDelay: v.optional(v.string(), '') })) }),
  ),
});
type ErrorOfGoogle = v.InferOutput<typeof ErrorOfGoogle>;

const ErrorBody = v.object({
  error: v.object({
    status: v.optional(v.string(), ''),
    message: v.optional(v.string(), ''),
    details: v.optional(v.array(v.unknown()), []),
  }),
});

/** The errors of a GoogleAdsFailure. Other kinds of details are skipped. */
const errorsIn = (details: readonly unknown[]): ErrorOfGoogle[] =>
  details.flatMap((detail) => {
    const { success, output } = v.safeParse(v.object({ errors: v.array(ErrorOfGoogle) }), detail);
    return success ? output.errors : [];
  });

/** The wait if Google names none. */
const unknownWaitSeconds = 30;

const secondsIn = (text: string): number | undefined => {
  const [, delay] = /^(\d+(?:\.\d+)?)s$/.exec(text) ?? [];
  const [, words] = /Retry in (\d+) seconds?/i.exec(text) ?? [];
  const seconds = Number(delay ?? words);
  return Number.isFinite(seconds) ? Math.ceil(seconds) : undefined;
};

/** How long to wait, from the details of the errors, otherwise from a message or the header `Retry-After`. */
const waitOf = (errors: readonly ErrorOfGoogle[], message: string, retryAfter: string): number => {
  const given = [
    ...errors.map(({ details }) => details?.quotaErrorDetails?.retryDelay ?? ''),
    ...errors.map((error) => error.message),
    message,
    `${retryAfter}s`,
  ].map(secondsIn);
  return Math.max(1, given.find((seconds) => seconds !== undefined) ?? unknownWaitSeconds);
};

const familiesOf = (errors: readonly ErrorOfGoogle[]): string[] =>
  errors.flatMap(({ errorCode }) => Object.keys(errorCode));

const namesOf = (errors: readonly ErrorOfGoogle[]): string[] =>
  errors.flatMap(({ errorCode }) => Object.values(errorCode).map(String));

/** Which parts of the request are wrong. */
const placesOf = (errors: readonly ErrorOfGoogle[]): NonNullable<Fault['at']> =>
  errors.flatMap(({ location }) => {
    const path = location?.fieldPathElements ?? [];
    const [first] = path;
    if (!first) return [];
    const index = path.find((each) => Number.isSafeInteger(each.index))?.index;
    const field = /^geo_?target_?constants$/i.test(first.fieldName) ? 'location' : first.fieldName;
    return [{ field, ...(index !== undefined && { index }) }];
  });

/**
 * Google Ads knows the account of the service, so it does not take the service for a robot. The code that
 * sends the request reports timeouts.
 */
type AdsProblem = Exclude<Problem, 'blocked' | 'timeout'>;

/** The problem behind each answer. Null: an answer with this status is none of Google's errors. */
const problemOf = (status: number, word: string, errors: readonly ErrorOfGoogle[]): AdsProblem => {
  const families = familiesOf(errors);
  const isOf = (...names: string[]) => families.some((family) => names.includes(family));
  if (status === 429 || word === 'RESOURCE_EXHAUSTED' || isOf('quotaError')) return 'throttled';
  if (status === 401 || word === 'UNAUTHENTICATED' || isOf('authenticationError')) return 'credentials';
  if (status === 403 || word === 'PERMISSION_DENIED' || isOf('authorizationError')) return 'access';
  if (status >= 500 || word === 'UNAVAILABLE' || word === 'INTERNAL' || isOf('internalError')) return 'down';
  if (status >= 400) return 'rejected';
  return 'malformed';
};

export const sentences: Record<AdsProblem, string> = {
  credentials: 'Google Ads does not accept the credentials',
  access: 'Google Ads does not give this account access',
  throttled: 'Google Ads takes no more calls now',
  rejected: 'Google Ads refused the request',
  down: 'Google Ads failed',
  malformed: 'Google Ads gave an answer that cannot be read',
};

/** The stable words of `error_message` (Reading 4). */
const words: Record<AdsProblem, string> = {
  credentials: 'upstream',
  access: 'upstream',
  throttled: 'throttled',
  rejected: 'upstream',
  down: 'unreachable',
  malformed: 'upstream',
};

/** A fault of Google Ads, with its own sentence or the usual one. */
export const adsFault = (problem: AdsProblem, reason = sentences[problem]): Fault => ({
  ok: false,
  problem,
  word: words[problem],
  reason,
});

export const malformed: Fault = adsFault('malformed');

/** The fault in an answer that has no data. */
export const faultOf = ({ status, headers, body }: ProviderAnswer): Fault => {
  const given = jsonOf(body);
  // Streaming methods wrap an error in a list.
  const { success, output } = v.safeParse(ErrorBody, Array.isArray(given) ? given[0] : given);
  if (!success && status < 400) return malformed;
  const {
    status: word,
    message,
    details,
  } = success ? output.error : { status: '', message: '', details: [] };
  const errors = errorsIn(details);
  const problem = problemOf(status, word, errors);
  const [detail] = [...errors.map((error) => error.message), message].map(shown).filter(Boolean);
  const names = namesOf(errors).map(shown).slice(0, 3).join(', ');
  const explained = [names, detail].filter(Boolean).join(': ') || `status ${status}`;
  return {
    ...adsFault(problem, `${sentences[problem]} (${explained})`),
    ...(problem === 'throttled' && {
      retryAfterSeconds: waitOf(errors, message, headers['retry-after'] ?? ''),
    }),
    ...(problem === 'rejected' && { at: placesOf(errors) }),
  };
};
