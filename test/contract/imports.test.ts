/** The rooms, and the only directions in which one may import another. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, root } from './imports.ts';

const services = [
  'lib/task',
  'lib/crawl',
  'lib/postback',
  'lib/access',
  'lib/keyword',
  'lib/keyword/ads',
  'lib/keyword/web',
  'lib/mcp',
  'lib/compat/dataforseo',
  'lib/compat/searxng',
  'lib/compat/serpapi',
  'lib/compat/serper',
  'lib/reporting',
  'lib/reporting/run',
  'lib/reporting/manage',
  'lib/reporting/report',
  'lib/place',
  'lib/status',
];
/** The tables of the engines, one row each, and what the engines share. */
const serp = ['lib/serp', 'lib/serp/address.ts', 'lib/serp/reader.ts', 'lib/serp/sites.ts'];
const engines = ['google', 'bing', 'yahoo', 'youtube'].map((name) => `lib/serp/${name}`);
const below = ['lib/store', 'lib/provider', 'lib/sandbox', 'lib/model', 'lib/runtime'];

/**
 * Room → the rooms and single files that it may import besides itself and packages. A file belongs to the
 * room with the longest matching name, so `infra` does not include `infra/local`.
 */
const allowed: Record<string, string[]> = {
  functions: ['lib/api', 'lib/reference', 'lib/runtime', 'lib/model', ...services],
  'lib/api': ['lib/access', 'lib/net', 'lib/place', 'lib/model', 'lib/runtime'],
  // It describes the interface, and no request needs it but those for the description.
  'lib/reference': ['lib/api', 'lib/model', 'lib/console/build.ts', 'lib/docs/build.ts'],
  // At build time it renders what `lib/reference` describes. What runs in the browser is in
  // `lib/docs/browser`.
  'lib/docs': ['lib/reference', 'lib/docs/browser', 'lib/console/bundle.ts'],
  'lib/docs/browser': ['lib/docs/section.ts'],
  // It runs in the browser, and knows the service by its interface only.
  'lib/console': ['lib/model'],
  'lib/access': ['lib/store', 'lib/model', 'lib/runtime'],
  'lib/task': ['lib/store', 'lib/access', 'lib/model', 'lib/runtime'],
  // The API functions bundle the part of `crawl` that creates and shows tasks, so links to pages are opened
  // here, by access.
  'lib/crawl': [
    'lib/task',
    'lib/pace',
    'lib/place',
    'lib/fetcher',
    ...serp,
    'lib/store',
    'lib/access',
    'lib/model',
    'lib/runtime',
  ],
  'lib/fetcher': [
    'lib/net',
    'lib/provider',
    'lib/sandbox',
    'lib/serp/address.ts',
    'lib/model',
    'lib/runtime',
  ],
  'lib/place': ['lib/model'],
  // What a run asks before it sends a request. What it must know of the task is handed in by its callers.
  'lib/pace': [
    'lib/fetcher/choose.ts',
    'lib/fetcher/settings.ts',
    'lib/task/deadline.ts',
    'lib/task/id.ts',
    'lib/store',
    'lib/model',
    'lib/runtime',
  ],
  'lib/status': ['lib/pace', 'lib/fetcher', 'lib/task', 'lib/store', 'lib/model', 'lib/runtime'],
  'lib/keyword': ['lib/task', 'lib/access', 'lib/store', 'lib/model', 'lib/runtime'],
  'lib/keyword/answer-in-sandbox.ts': ['lib/provider', 'lib/runtime'],
  'lib/keyword/ads': [
    'lib/access/wait-slot.ts',
    'lib/keyword/answer-in-sandbox.ts',
    'lib/pace',
    'lib/task',
    'lib/provider',
    'lib/net',
    'lib/store',
    'lib/model',
    'lib/runtime',
  ],
  'lib/keyword/web': [
    'lib/access/wait-slot.ts',
    'lib/keyword/answer-in-sandbox.ts',
    'lib/pace',
    'lib/provider',
    'lib/fetcher',
    'lib/net',
    'lib/store',
    'lib/model',
    'lib/runtime',
  ],
  // Its answers are those of the HTTP interface, in other words.
  'lib/mcp': [
    'lib/api',
    'lib/crawl',
    'lib/keyword',
    'lib/keyword/ads',
    'lib/keyword/web',
    'lib/task',
    'lib/access',
    'lib/fetcher/choose.ts',
    'lib/reporting',
    'lib/reporting/manage/projects.ts',
    'lib/reporting/report/summary.ts',
    'lib/serp/tree.ts',
    'lib/model',
    'lib/runtime',
  ],
  // Its answers are those of the HTTP interface, in the forms of other services.
  'lib/compat': [
    'lib/api',
    'lib/crawl',
    'lib/task',
    'lib/access',
    'lib/place',
    'lib/fetcher/choose.ts',
    'lib/serp/sites.ts',
    'lib/model',
    'lib/runtime',
  ],
  'lib/compat/dataforseo': [
    'lib/compat',
    'lib/api',
    'lib/access',
    'lib/crawl',
    'lib/keyword',
    'lib/keyword/ads',
    'lib/keyword/web',
    'lib/task',
    'lib/store',
    'lib/model',
    'lib/runtime',
  ],
  'lib/compat/searxng': ['lib/compat', 'lib/api', 'lib/access', 'lib/model', 'lib/runtime'],
  'lib/compat/serpapi': [
    'lib/compat',
    'lib/api',
    'lib/access',
    'lib/crawl',
    'lib/task',
    'lib/place',
    'lib/model',
  ],
  'lib/compat/serper': ['lib/compat', 'lib/api', 'lib/access', 'lib/keyword/web', 'lib/model', 'lib/runtime'],
  // It reads and deletes what all others have stored of a user. Only a command uses it.
  'lib/privacy': [
    'lib/reporting',
    'lib/reporting/manage',
    'lib/crawl',
    'lib/keyword',
    'lib/pace',
    'lib/provider/sources/volumes.ts',
    'lib/task',
    'lib/access',
    'lib/store',
    'lib/model',
    'lib/runtime',
  ],
  // What the three rooms of rank tracking share: finding, the fold of observations, due times, removals.
  'lib/reporting': ['lib/task/id.ts', 'lib/store', 'lib/model', 'lib/runtime'],
  'lib/reporting/run': [
    'lib/reporting',
    'lib/reporting/report/summary.ts',
    'lib/access/chart-link.ts',
    'lib/crawl/create.ts',
    'lib/keyword/ads',
    'lib/provider',
    ...serp,
    'lib/task',
    'lib/store',
    'lib/model',
    'lib/runtime',
  ],
  'lib/reporting/manage': [
    'lib/reporting',
    'lib/reporting/report',
    'lib/access',
    'lib/task',
    'lib/fetcher/present-order.ts',
    'lib/place',
    'lib/store',
    'lib/model',
    'lib/runtime',
  ],
  'lib/reporting/report': [
    'lib/reporting',
    'lib/access',
    'lib/place',
    'lib/store',
    'lib/model',
    'lib/runtime',
  ],
  // Except for v2 searches, a webhook is the task as its owner sees it.
  'lib/postback': [
    'lib/access',
    'lib/net',
    'lib/store',
    'lib/model',
    'lib/runtime',
    'lib/crawl/view.ts',
    'lib/keyword/view.ts',
    // The webhooks of that form.
    'lib/compat/dataforseo/webhook.ts',
    'lib/compat/dataforseo/webhook-address.ts',
  ],
  'lib/store': ['lib/model', 'lib/runtime'],
  'lib/provider': ['lib/model', 'lib/sandbox', 'lib/runtime/clock.ts'],
  'lib/serp': ['lib/model'],
  'lib/serp/address.ts': ['lib/serp', ...engines, 'lib/model'],
  'lib/serp/reader.ts': ['lib/serp', ...engines, 'lib/model'],
  'lib/serp/sites.ts': ['lib/serp', ...engines, 'lib/model'],
  // What Bing's and Yahoo's pages share. It knows neither of them.
  'lib/serp/list': ['lib/serp', 'lib/model'],
  'lib/serp/google': ['lib/serp', 'lib/model'],
  'lib/serp/bing': ['lib/serp', 'lib/serp/list', 'lib/model'],
  // Bing serves Yahoo's ads, whose links lead through Bing.
  'lib/serp/yahoo': ['lib/serp', 'lib/serp/list', 'lib/serp/bing/link.ts', 'lib/model'],
  // Google owns YouTube, which shows Google's refusals and consent form.
  'lib/serp/youtube': ['lib/serp', 'lib/serp/google/block-signs.ts', 'lib/model'],
  'lib/sandbox': ['lib/model'],
  'lib/net': ['lib/model', 'lib/runtime'],
  'lib/runtime': ['lib/model'],
  'lib/model': [],
  infra: [
    'infra/api',
    'infra/cost',
    'lib/model',
    'lib/api/routes.ts',
    'lib/task/timing.ts',
    'lib/postback/policy.ts',
    'lib/provider/sources/check.ts',
    'lib/store/schema.ts',
    'lib/store/layouts.ts',
    'lib/runtime/metrics.ts',
  ],
  'infra/api': ['infra', 'lib/model', 'lib/api/routes.ts'],
  'infra/cost': [
    'infra',
    'lib/model',
    'lib/pace/lines.ts',
    'lib/runtime/metrics.ts',
    'lib/store/partitions.ts',
  ],
  'infra/local': [
    'infra',
    'infra/api',
    'infra/cost',
    'lib/access',
    'lib/provider/sources/check.ts',
    'infra/local/demonstration-project.ts',
    'lib/task/requeue-lost.ts',
    'lib/store/clear-pace.ts',
    'lib/model',
    'lib/runtime/aws.ts',
    'lib/runtime/log.ts',
    'lib/runtime/calendar.ts',
    'lib/runtime/crash.ts',
    'lib/runtime/metrics.ts',
  ],
  'infra/local/demonstration-project.ts': [
    'lib/reporting',
    'lib/reporting/run',
    'lib/reporting/manage',
    'lib/fetcher',
    ...serp,
    'lib/store',
    'lib/model',
    'lib/runtime',
  ],
  'infra/commands': [
    'infra',
    'infra/api',
    'infra/cost',
    'infra/local',
    'lib',
    ...services,
    ...below,
    'lib/pace',
    'lib/privacy',
    'lib/api',
    'lib/reference',
    ...serp,
    'lib/net',
  ],
};

/** The packages that a pure room may use. */
const packages: Record<string, RegExp> = {
  'lib/model': /^(valibot|tldts)$/,
  'lib/serp': /^(domhandler|entities\/decode|tldts)$/,
  'lib/sandbox': /^node:(crypto|zlib|buffer)$/,
  'lib/provider': /^(valibot|fast-xml-parser|entities\/decode)$/,
};

const isIn = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);

const roomOf = (path: string): string =>
  Object.keys(allowed)
    .filter((folder) => isIn(folder, path))
    .sort((a, b) => b.length - a.length)[0] ?? 'no room';

/** Imports of our own files that the table refuses to a file. */
const refusedImports = (file: string, imports: readonly string[]): string[] =>
  imports.filter((from) => {
    const room = roomOf(file);
    const names = [room, ...(allowed[room] ?? [])];
    return !names.includes(roomOf(from)) && !names.includes(from);
  });

const files = ['functions', 'lib', 'infra'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`),
);

test.each(files)('%s', (file) => {
  const ours = importsOf(file).filter((from) => /^(functions|lib|infra|test)\//.test(from));
  const others = importsOf(file).filter((from) => !ours.includes(from));
  const pure = Object.entries(packages).find(([room]) => isIn(room, file))?.[1];

  expect(refusedImports(file, ours)).toEqual([]);
  expect(others.filter((from) => pure && !pure.test(from))).toEqual([]);
});

describe('the table refuses', () => {
  test.each([
    ['infra/dashboard.ts', 'infra/local/stack.ts'],
    ['infra/cost/bill.ts', 'infra/local/lambda/functions.ts'],
    ['infra/stack.ts', 'infra/commands/user.ts'],
    ['lib/task/sweep.ts', 'lib/crawl/create.ts'],
    ['lib/pace/engine-turn.ts', 'lib/crawl/take-turn.ts'],
    ['lib/keyword/ads/call-source.ts', 'lib/keyword/web/call-source.ts'],
    ['lib/keyword/create.ts', 'lib/keyword/ads/call-source.ts'],
    ['lib/provider/engine-suggestions.ts', 'lib/serp/yahoo/address.ts'],
    ['lib/reporting/report/keywords.ts', 'lib/reporting/manage/projects.ts'],
    ['lib/reporting/run/plan-searches.ts', 'lib/reporting/report/stats.ts'],
    ['lib/reporting/find.ts', 'lib/reporting/run/waiting.ts'],
    ['lib/api/area.ts', 'lib/reference/openapi.ts'],
    ['lib/task/sweep.ts', 'lib/serp/address.ts'],
    ['lib/net/post.ts', 'lib/store/tasks.ts'],
    ['lib/fetcher/http.ts', 'lib/serp/reader.ts'],
    ['functions/crawl/fetch-page.ts', 'lib/store/tasks.ts'],
  ])('%s → %s', (file, from) => {
    expect(refusedImports(file, [from])).toEqual([from]);
  });
});

/** Whether a file imports itself, directly or over other files. */
const isInCircle = (file: string, importsOf: ReadonlyMap<string, readonly string[]>): boolean => {
  const reached = new Set<string>();
  const next = [...(importsOf.get(file) ?? [])];
  for (let from = next.pop(); from !== undefined && !reached.has(file); from = next.pop()) {
    if (!reached.has(from)) next.push(...(importsOf.get(from) ?? []));
    reached.add(from);
  }
  return reached.has(file);
};

describe('a circle of imports, those of types included', () => {
  test('is in no file', () => {
    const ours = new Map(files.map((file) => [file, importsOf(file).filter((from) => files.includes(from))]));

    expect(files.filter((file) => isInCircle(file, ours))).toEqual([]);
  });

  test.each([
    ['of two files', { a: ['b'], b: ['a'] }, ['a', 'b']],
    [
      'of three files, which another one imports',
      { a: ['b'], b: ['c'], c: ['a'], d: ['a'] },
      ['a', 'b', 'c'],
    ],
    ['of one file', { a: ['a'] }, ['a']],
    ['is not two ways to a file', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ])('%s is seen', (_, imports, expected) => {
    const graph = new Map(Object.entries(imports));

    expect([...graph.keys()].filter((file) => isInCircle(file, graph))).toEqual(expected);
  });
});

test('only the fetcher, the providers and a command, which is never deployed, import the sandbox', () => {
  const users = files.filter(
    (file) => roomOf(file) !== 'lib/sandbox' && importsOf(file).some((from) => isIn('lib/sandbox', from)),
  );

  const rooms = ['lib/fetcher', 'lib/provider', 'infra/commands'];

  expect(users.filter((file) => !rooms.includes(roomOf(file)))).toEqual([]);
  expect(users.length).toBeGreaterThan(0);
});

test.each(files.filter((file) => /^functions\/.+\/.+\.ts$/.test(file)))(
  '%s uses one function of the service',
  (file) => {
    const used = importsOf(file).filter((from) => services.some((service) => isIn(service, from)));

    expect(used.length).toBeLessThanOrEqual(1);
  },
);

test('no file or folder has a name that says nothing', () => {
  const nameless = /(^|\/)(utils?|helpers?|common|shared|misc|managers?|services?)(\.tsx?|\/)/;

  expect(files.filter((file) => nameless.test(file))).toEqual([]);
});
