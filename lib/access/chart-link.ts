/** Links to the chart of a tracked keyword that work without a key, so that a report can show the image. */
import { dayNumber, secondsOfDay } from '../model/day.ts';
import { makeLinkToken, type Reader, type Signer, verifyLinkToken } from './link-token.ts';

/** How long a link works: a report of this year still shows its charts next year. */
const linkDays = 400;

/**
 * A chart: its keyword, and how often the links to it were ended. A link of an earlier number works no more.
 */
export type Chart = { keyword_id: number; ended: number };

/** Links that were given before a keyword had a number of ended links have no number. */
const subjectOf = ({ keyword_id, ended }: Chart): string =>
  ended === 0 ? String(keyword_id) : `${keyword_id}.${ended}`;

/**
 * The address of a keyword's chart, below the base URL. It is the same all day, so that clients can store the
 * image.
 */
export const chartLink = (baseUrl: string, chart: Chart, account: Signer, now: number): string => {
  const expires = (dayNumber(now) + linkDays) * secondsOfDay;
  return `${baseUrl}/charts/${makeLinkToken('chart-link', account, { subject: subjectOf(chart), expires })}.svg`;
};

/**
 * The chart in a token and its user; null if the token is forged, malformed or expired, or its account is
 * not usable.
 */
export const verifyChartToken = async (
  token: string,
  readAccount: Reader,
  now?: number,
): Promise<(Chart & { user: { id: number } }) | null> => {
  const found = await verifyLinkToken('chart-link', token, readAccount, now);
  const [keyword, ended = 0] = found?.subject.split('.').map(Number) ?? [];
  return found && { user: found.user, keyword_id: Number(keyword), ended };
};
