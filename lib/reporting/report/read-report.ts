/** The report behind a link that needs no key. */
import { verifyReportToken } from '../../access/report-link.ts';
import { isoDay } from '../../model/day.ts';
import { HttpError } from '../../model/http-error.ts';
import { calendar } from '../../runtime/calendar.ts';
import { listNotes } from '../../store/notes.ts';
import { readProject } from '../../store/projects.ts';
import { readAccount } from '../../store/users.ts';
import { keywordsOf } from '../find.ts';
import { comparedKeywords } from './compared-sites.ts';
import { noReportPage } from './no-report-page.ts';
import { keptOverviewOf } from './overview.ts';
import { reportPage, reportPolicy } from './report-page.ts';
import { keptVisibilityOf } from './visibility.ts';

/** The report shows no cost. */
const noCost = { keywords: 0, paused: 0, searches_per_day: 0, monthly_cost_usd: 0 };

/**
 * The HTML document of the project in a token, and its Content-Security-Policy.
 * @throws HttpError 404 if the token is forged, malformed, expired or ended, or if its user is disabled or
 * has no such project any more.
 */
export const readReport = async (
  token: string,
  now = calendar(),
): Promise<{ page: string; policy: string }> => {
  const claims = await verifyReportToken(token, readAccount);
  const project = claims && (await readProject(claims.user.id, claims.project_id));
  if (!project || (project.report_links_ended ?? 0) !== claims.ended)
    throw new HttpError(404, 'Report not found');
  const all = await keywordsOf(project.project_id);
  const overview = keptOverviewOf(project, all, { now, cost: noCost });
  const [first] = overview.days;
  const notes = (await listNotes(project.project_id)).filter(
    ({ date }) => date >= (first?.date ?? '') && date <= isoDay(now),
  );
  const page = reportPage({
    project,
    overview,
    visibility: keptVisibilityOf(project, all, now),
    keywords: comparedKeywords(all, project),
    notes,
    now,
  });
  return { page, policy: reportPolicy };
};

/**
 * As `readReport`, with the status of the response. A person who opens a link that does not work gets a page.
 * `accept`: the media types that the client takes.
 * @throws HttpError 404 as `readReport`, if the client does not ask for HTML.
 */
export const readReportFor = async (
  token: string,
  accept: string,
): Promise<{ statusCode: number; page: string; policy: string }> => {
  try {
    return { statusCode: 200, ...(await readReport(token)) };
  } catch (error) {
    if (!(error instanceof HttpError && /\btext\/html\b/i.test(accept))) throw error;
    return { statusCode: error.statusCode, page: noReportPage, policy: reportPolicy };
  }
};
