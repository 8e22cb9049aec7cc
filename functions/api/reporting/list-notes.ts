/** Lists the notes of a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { noteRoutes as routes } from '../../../lib/api/routes/notes.ts';
import { showNotes } from '../../../lib/reporting/manage/notes.ts';

export const handler = endpoint(routes['reporting/list-notes'], ({ params, query, user }) =>
  showNotes(user, params.project_id, query),
);
