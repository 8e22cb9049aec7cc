/** Adds keywords to a project of the user, or says what they would cost. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { readCsv } from '../../../lib/api/read-csv.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { addKeywords } from '../../../lib/reporting/manage/add-keywords.ts';

export const handler = endpoint(
  routes['reporting/add-keywords'],
  ({ params, query, body, user }) => addKeywords(user, params.project_id, body, query.dry_run),
  { 'text/csv': readCsv },
);
