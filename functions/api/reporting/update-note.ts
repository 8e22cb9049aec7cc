/** Changes a note of a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { noteRoutes as routes } from '../../../lib/api/routes/notes.ts';
import { changeNote } from '../../../lib/reporting/manage/notes.ts';

export const handler = endpoint(routes['reporting/update-note'], ({ params, body, user }) =>
  changeNote(user, params, body),
);
