/** Crawls keywords of a project of the user now. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { trackerRoutes as routes } from '../../../lib/api/routes/tracker.ts';
import { crawlNow, idsToCrawl } from '../../../lib/reporting/manage/crawl-now.ts';

export const handler = endpoint(routes['reporting/crawl-now'], ({ params, query, body, user }) =>
  crawlNow(user, params.project_id, idsToCrawl(body), query.dry_run),
);
