/** A first request for a new user to try, as a shell command. */

export const firstRequest = (url: string, apiKey: string): string =>
  `curl -X POST ${url}/api/v2/serp/crawl -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' ` +
  `-d '{"keyword":"coffee","location_name":"United States","iso_code":"US"}'`;
