/** Returns an import of keywords with its progress. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { trackerRoutes as routes } from '../../../lib/api/routes/tracker.ts';
import { readKeywordImport } from '../../../lib/reporting/manage/import-keywords.ts';

export const handler = endpoint(routes['reporting/read-import'], ({ params, user }) =>
  readKeywordImport(user, params),
);
