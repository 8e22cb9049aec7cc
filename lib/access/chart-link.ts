/** Links to the chart of a tracked keyword that work without a key, so that a report can show the image. */
import { dayNumber, secondsOfDay } from '../model/day.ts';
import { makeLinkToken, type Reader, type Signer, verifyLinkToken } from './link-token.ts';

/** How long a link works: a report of this year still shows its charts next year. */
const linkDays = 400;

/**
 * The address of a keyword's chart, below the base URL. It is the same all day, so that clients can store the
 * image.
 */
export const chartLink = (baseUrl: string, keywordId: number, account: Signer, now: number): string => {
  const expires = (dayNumber(now) + linkDays) * secondsOfDay;
  return `${baseUrl}/charts/${makeLinkToken('chart-link', account, { subject: String(keywordId), expires })}.svg`;
};

/**
 * The keyword in a token and its user; null if the token is forged, malformed or expired, or its account is
 * not usable.
 */
export const verifyChartToken = async (
  token: string,
  readAccount: Reader,
  now?: number,
): Promise<{ user: { id: number }; keyword_id: number } | null> => {
  const found = await verifyLinkToken('chart-link', token, readAccount, now);
  return found && { user: found.user, keyword_id: Number(found.subject) };
};
