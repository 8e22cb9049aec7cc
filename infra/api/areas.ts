/** Which area of the interface answers which paths. */

/**
 * The areas of the interface, each with the part of the stage's concurrency that it reserves
 * (`infra/stages.ts`).
 */
export const areaShares = {
  /** At 0.05 s a request, a tenth answers twice as many as the gateway accepts, and half of it may wait. */
  serp: 0.1,
  /** A live call waits for its turn at the source for up to 25 s. A source takes one call a second. */
  keyword: 0.03,
  /** A list of 10,000 keywords takes some 50 ms, and a person looks at few. */
  reporting: 0.01,
  /** A call waits for its task. */
  mcp: 0.03,
  /** A call waits for its searches. */
  compat: 0.02,
  /** Clients ask rarely for tokens. */
  account: 0.01,
  /** The answers are kept for some seconds, so a few functions serve all monitors. */
  status: 0.01,
  /** The answers take a few milliseconds. */
  site: 0.01,
} as const;

export type Area = keyof typeof areaShares;

/** Path → the area that answers it and every path below it. The area `site` answers all other paths. */
export const areaPaths: Record<string, Area> = {
  '/api/reporting': 'reporting',
  '/api/v1/admin': 'account',
  '/api/v1/common': 'keyword',
  '/api/v1/keyword-sv': 'keyword',
  '/api/v1/keyword-research': 'keyword',
  '/api/v1/projects': 'reporting',
  '/api/v1/serp': 'serp',
  '/api/v1/status': 'status',
  '/api/v1/usage': 'serp',
  '/api/v1/users': 'account',
  '/api/v1/webhooks': 'keyword',
  '/api/v2/serp': 'serp',
  '/charts': 'reporting',
  '/reports': 'reporting',
  '/compat': 'compat',
  // Of the same form, from the sources of keyword data.
  '/compat/dataforseo/v3/keywords_data': 'keyword',
  '/health': 'status',
  '/mcp': 'mcp',
  '/pages': 'serp',
  '/session': 'account',
  '/token': 'account',
  '/upstream': 'serp',
};

/** The area of a path: that of the longest path here which it is, or is below. */
export const areaAt = (path: string): Area => {
  const [longest] = Object.entries(areaPaths)
    .filter(([each]) => path === each || path.startsWith(`${each}/`))
    .sort(([one], [other]) => other.length - one.length);
  return longest?.[1] ?? 'site';
};
