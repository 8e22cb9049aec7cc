/** Returns the report of a project, which is named and signed by the address. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { trackerRoutes as routes } from '../../../lib/api/routes/tracker.ts';
import { readReportFor } from '../../../lib/reporting/report/read-report.ts';

export const handler = openEndpoint(routes['reporting/read-report'], async ({ params, headers }) => {
  const { statusCode, page, policy } = await readReportFor(params.token, headers.accept);
  return {
    statusCode,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      // A link that has ended shows nothing any more.
      'Cache-Control': 'private, no-store',
    },
    body: page,
  };
});
