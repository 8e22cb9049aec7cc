/** Returns the summary of the week of a project of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { reportingRoutes as routes } from '../../../lib/api/routes/reporting.ts';
import { readSummary } from '../../../lib/reporting/manage/read-project.ts';

export const handler = endpoint(routes['reporting/read-summary'], ({ params, user }) =>
  readSummary(user, params.project_id),
);
