/** Links to the report of a project that work without a key, so that a client of the user can read it. */
import { secondsOfDay } from '../model/day.ts';
import { makeLinkToken, type Reader, type Signer, verifyLinkToken } from './link-token.ts';

/** A report: its project, and how often links to it were ended. A link of an earlier number works no more. */
export type ReportOf = { project_id: number; ended: number };

/** When a link that is made at `now` and works for some days ends, in Unix seconds. */
export const reportEnd = (days: number, now: number): number => now + days * secondsOfDay;

/** The address of the report of a project, below the base URL, until `expires`. */
export const reportLink = (
  baseUrl: string,
  { project_id, ended }: ReportOf,
  account: Signer,
  expires: number,
): string =>
  `${baseUrl}/reports/${makeLinkToken('report-link', account, { subject: `${project_id}.${ended}`, expires })}`;

/**
 * The report in a token and its user; null if the token is forged, malformed or expired, or its account is
 * not usable.
 */
export const verifyReportToken = async (
  token: string,
  readAccount: Reader,
  now?: number,
): Promise<(ReportOf & { user: { id: number } }) | null> => {
  const found = await verifyLinkToken('report-link', token, readAccount, now);
  const [project_id = Number.NaN, ended = Number.NaN] = found?.subject.split('.').map(Number) ?? [];
  return found && { user: { id: found.user.id }, project_id, ended };
};
