/**
 * The route table: one row per operation, one file per area, two for `serp` and four for `reporting`.
 * Validation, the handler's argument, the gateway, OpenAPI and the contract tests read it. The key of an
 * operation is the path of its file under `functions/api` and of its event under `events/api`.
 */
import type { Route } from './route.ts';
import { accountRoutes } from './routes/account.ts';
import { batchRoutes } from './routes/batches.ts';
import { compatRoutes } from './routes/compat.ts';
import { keywordRoutes } from './routes/keyword.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { noteRoutes } from './routes/notes.ts';
import { reportRoutes } from './routes/report.ts';
import { reportingRoutes } from './routes/reporting.ts';
import { serpRoutes } from './routes/serp.ts';
import { siteRoutes } from './routes/site.ts';
import { statusRoutes } from './routes/status.ts';
import { trackerRoutes } from './routes/tracker.ts';

export const routes = {
  ...accountRoutes,
  ...compatRoutes,
  ...keywordRoutes,
  ...mcpRoutes,
  ...noteRoutes,
  ...reportingRoutes,
  ...reportRoutes,
  ...serpRoutes,
  ...batchRoutes,
  ...siteRoutes,
  ...statusRoutes,
  ...trackerRoutes,
} as const satisfies Record<string, Route>;

export type Operation = keyof typeof routes;

/** The operations for clients, which the documents list. */
export const documentedRoutes = (Object.entries(routes) as [Operation, Route][]).filter(
  ([, { isForProvider, isForConsole, inFormOf }]) => !isForProvider && !isForConsole && !inFormOf,
);
