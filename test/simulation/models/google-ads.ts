/**
 * Google Ads, where it does what the double of the sandbox does not: it refuses keywords, its answer cannot
 * be handled, and it takes some time for a question that users ask together, as the source of suggestions
 * does.
 */
import type { SourceAnswer, SourceRequest } from '../code/instance.ts';
import { askedTogether } from '../plan/live-calls.ts';
import type { Scheduler } from '../world/scheduler.ts';

/** How long the source takes for a question that users ask together. */
const togetherMs = 1500;

/** A keyword that is refused by its place in the call, and one for which the whole call is refused. */
const named = /^refused: /;
const unnamed = /^forbidden: /;

/** A keyword whose answer ends the work on the call with an error. */
const broken = '"broken: ';

/** An answer that says which keywords of the call are wrong; without `places`, that the request is. */
const refusal = (places: readonly number[]): SourceAnswer => {
  const locations = places.length === 0 ? [undefined] : places;
  const errors = locations.map((index) => ({
    errorCode: { stringFormatError: 'ILLEGAL_CHARS' },
    message: 'The keyword has characters that are not allowed.',
    ...(index !== undefined && { location: { fieldPathElements: [{ fieldName: 'keywords', index }] } }),
  }));
  const type = 'type.googleapis.com/google.ads.googleads.v26.errors.GoogleAdsFailure';
  const error = { code: 400, status: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' };
  return {
    status: 400,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify({ error: { ...error, details: [{ '@type': type, errors }] } }),
  };
};

/** Answers a request in the place of the double; undefined: the double answers. */
export const newGoogleAds =
  ({ sleep }: Scheduler) =>
  async ({ url, body }: SourceRequest): Promise<SourceAnswer | undefined> => {
    if (`${body} ${new URL(url).searchParams.get('q')}`.includes(askedTogether)) await sleep(togetherMs);
    if (body.includes(broken)) throw new Error('The answer cannot be handled');
    if (!body.includes('"refused: ') && !body.includes('"forbidden: ')) return undefined;
    const { keywords = [] } = JSON.parse(body) as { keywords?: string[] };
    const places = [...keywords.keys()].filter((n) => named.test(keywords[n] ?? ''));
    return places.length > 0 || keywords.some((keyword) => unnamed.test(keyword))
      ? refusal(places)
      : undefined;
  };
