/** Compares the positions of keywords of a project of the caller on two days. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { noteRoutes as routes } from '../../../lib/api/routes/notes.ts';
import { compareDays } from '../../../lib/reporting/manage/compare-days.ts';

export const handler = endpoint(routes['reporting/compare-days'], ({ params, query, user }) =>
  compareDays(user, params.project_id, query),
);
