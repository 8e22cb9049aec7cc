/** Returns the chart of a keyword, which is named and signed by the address. */
import { openEndpoint } from '../../../lib/api/open-endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { readChart } from '../../../lib/reporting/report/read-chart.ts';

export const handler = openEndpoint(routes['reporting/read-chart'], async ({ params, query }) => ({
  statusCode: 200,
  headers: {
    'Content-Type': 'image/svg+xml',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Cache-Control': 'private, max-age=300',
  },
  body: await readChart(params.token, query.days),
}));
