/** Exports the positions of keywords of a project of the caller, a row for each keyword and day. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { noteRoutes as routes } from '../../../lib/api/routes/notes.ts';
import { exportPositions } from '../../../lib/reporting/manage/compare-days.ts';

export const handler = endpoint(
  routes['reporting/export-positions'],
  async ({ params, query, headers, user, response }) => {
    const { reply, cursor } = await exportPositions(user, params.project_id, query, headers.accept);
    response.headers['x-next-cursor'] = cursor;
    return reply;
  },
);
