/** Lists the tags of the keywords of a project of the caller. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { noteRoutes as routes } from '../../../lib/api/routes/notes.ts';
import { listTags } from '../../../lib/reporting/manage/read-project.ts';

export const handler = endpoint(routes['reporting/list-tags'], ({ params, user }) =>
  listTags(user, params.project_id),
);
