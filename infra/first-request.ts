/** First requests for a new user to try, as shell commands. */

const authorization = (apiKey: string): string => `-H "Authorization: Bearer ${apiKey}"`;

export const firstRequest = (url: string, apiKey: string): string =>
  `curl -X POST ${url}/api/v2/serp/crawl ${authorization(apiKey)} -H 'Content-Type: application/json' ` +
  `-d '{"keyword":"coffee","location_name":"United States","iso_code":"US"}'`;

/** Reads a task. Without an id, the command has a placeholder. */
export const readRequest = (url: string, apiKey: string, id: number | string = '<id>'): string =>
  `curl ${url}/api/v2/serp/crawl/${id} ${authorization(apiKey)}`;

/** Reads the keywords of a project. */
export const projectRequest = (url: string, apiKey: string, projectId: number): string =>
  `curl ${url}/api/v1/projects/${projectId}/keywords ${authorization(apiKey)}`;
