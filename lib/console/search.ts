/** A search of the playground: what the form edits, what is sent, and the same as a command. */
import { engineTitle, engineTitles } from './engines.ts';
import { quoted } from './format.ts';
import type { Api } from './task.ts';

/** What a search is sent to: version 2, or version 1 with an engine. */
export type Target = 'v2' | `v1/${string}`;

const [firstEngine = ''] = Object.keys(engineTitles);

export const targets: readonly (readonly [Target, string])[] = [
  ['v2', engineTitle(firstEngine)],
  ...Object.entries(engineTitles).map(
    ([name, title]) => [`v1/${name}`, name === firstEngine ? `${title}, version 1` : title] as const,
  ),
];

export const isTarget = (text: string): text is Target => targets.some(([target]) => target === text);

export const apiOf = (target: Target): Api => (target === 'v2' ? 'v2' : 'v1');

export const pathOf = (target: Target): string =>
  target === 'v2' ? 'api/v2/serp/crawl' : `api/v1/serp/${target.slice('v1/'.length)}/crawl`;

/** The target that a task was sent to. */
export const targetOf = (api: Api, engineDomain: string): Target => {
  const engine = Object.keys(engineTitles).find((name) => engineDomain.split('.').includes(name));
  return api === 'v2' ? 'v2' : `v1/${engine ?? firstEngine}`;
};

/** The fields of a request. The form knows some of them; the JSON may have any. */
export type SearchBody = Record<string, unknown>;

export const firstBody: SearchBody = {
  keyword: 'coffee grinder',
  location_name: 'United States',
  iso_code: 'US',
  language_code: 'en',
  device: 'desktop',
  depth: 10,
};

/** The body with a field changed. An empty value removes the field. */
export const withField = (body: SearchBody, name: string, value: unknown): SearchBody => {
  const { [name]: _, ...others } = body;
  return value === '' || value === undefined ? others : { ...body, [name]: value };
};

/** The body for a target: only version 2 takes a depth. */
export const bodyFor = (target: Target, body: SearchBody): SearchBody => {
  const { depth, ...others } = body;
  return target === 'v2' && depth !== undefined ? { ...others, depth } : others;
};

/**
 * The request as a command. The key is the variable API_KEY of the shell, so that no key is copied by
 * accident.
 */
export const curlOf = (target: Target, body: SearchBody, baseUrl: string): string =>
  [
    `curl -s ${quoted(baseUrl + pathOf(target))}`,
    `  -H "Authorization: Bearer $API_KEY"`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(bodyFor(target, body)))}`,
  ].join(' \\\n');
