/** Imports a file of keywords into a project of the user. */
import { checkLines } from '../../../lib/api/check-lines.ts';
import { endpoint } from '../../../lib/api/endpoint.ts';
import { readFileRows } from '../../../lib/api/read-file-rows.ts';
import { trackerRoutes as routes } from '../../../lib/api/routes/tracker.ts';
import { importKeywords } from '../../../lib/reporting/manage/import-keywords.ts';

export const handler = endpoint(
  routes['reporting/import-keywords'],
  async ({ params, query, body, user, request }) =>
    importKeywords(user, params.project_id, await checkLines(body), query, request.idempotency),
  {
    'text/csv': readFileRows,
    'text/tab-separated-values': readFileRows,
    'application/vnd.ms-excel': readFileRows,
  },
);
