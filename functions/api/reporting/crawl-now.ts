/** Crawls keywords of a project of the user now. */
import { endpoint } from '../../../lib/api/endpoint.ts';
import { routes } from '../../../lib/api/routes.ts';
import { crawlNow } from '../../../lib/reporting/manage/crawl-now.ts';

export const handler = endpoint(routes['reporting/crawl-now'], ({ params, query, body, user }) =>
  crawlNow(user, params.project_id, body.keyword_ids, query.dry_run),
);
