/** Lists the keywords for which several pages of the domain compete. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { noteRoutes as routes } from '../../../lib/api/routes/notes.ts';
import { listCompetingPages } from '../../../lib/reporting/manage/own-pages.ts';

export const handler = endpoint(routes['reporting/list-competing-pages'], ({ params, user }) =>
  listCompetingPages(user, params.project_id),
);
