/** Deletes a note of a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { noteRoutes as routes } from '../../../lib/api/routes/notes.ts';
import { removeNote } from '../../../lib/reporting/manage/notes.ts';

export const handler = endpoint(routes['reporting/delete-note'], ({ params, user }) =>
  removeNote(user, params),
);
