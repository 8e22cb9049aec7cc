/** Lists the pages of the domain of a project that rank. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { noteRoutes as routes } from '../../../lib/api/routes/notes.ts';
import { listLandingPages } from '../../../lib/reporting/manage/own-pages.ts';

export const handler = endpoint(routes['reporting/list-landing-pages'], ({ params, query, user }) =>
  listLandingPages(user, params.project_id, query),
);
