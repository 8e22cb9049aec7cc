/** Deletes a note of a project of the user. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { removeNote } from '../../../lib/reporting/manage/notes.ts';

export const handler = endpoint(routes['reporting/delete-note'], ({ params, user }) =>
  removeNote(user, params),
);
