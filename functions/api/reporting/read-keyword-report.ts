/** Returns a keyword of the caller with its positions. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportRoutes as routes } from '../../../lib/api/routes/report.ts';
import { showReportKeyword } from '../../../lib/reporting/report/keywords.ts';

export const handler = endpoint(routes['reporting/read-keyword-report'], ({ params, user }) =>
  showReportKeyword(user, params.id),
);
