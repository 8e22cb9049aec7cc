/** Adds a note to a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { noteRoutes as routes } from '../../../lib/api/routes/notes.ts';
import { createNote } from '../../../lib/reporting/manage/notes.ts';

export const handler = endpoint(routes['reporting/create-note'], ({ params, body, user }) =>
  createNote(user, params.project_id, body),
);
