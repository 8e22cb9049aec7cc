/**
 * The tables of `docs/api/existing-clients.md` name the fields that answers have: each field of an answer is
 * in its row, and each field of a row is in an answer.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeOf, statusOf } from '../../lib/compat/dataforseo/envelope.ts';
import { volumeOf } from '../../lib/compat/dataforseo/figures.ts';
import { trendItems } from '../../lib/compat/dataforseo/keywords.ts';
import { outcomeOf } from '../../lib/compat/dataforseo/result.ts';
import { parseTaskId } from '../../lib/compat/dataforseo/task-id.ts';
import type { Found } from '../../lib/compat/found.ts';
import { csvOf, rssOf } from '../../lib/compat/searxng/answer.ts';
import { type EngineName, engineNames } from '../../lib/model/engine.ts';
import type { Metrics } from '../../lib/model/keyword-metrics.ts';
import type { RawResult } from '../../lib/model/result.ts';
import { dataforseoLists, type Lists, searxngLists, serpapiLists, serperLists } from '../form-answers.ts';
import { foundWith, taskWith } from '../unit/compat/found.ts';
import { type Service, startService } from './service.ts';

type Envelope = { tasks: { id: string; result: unknown }[] };

const page = readFileSync(new URL('../../docs/api/existing-clients.md', import.meta.url), 'utf8');

const under = (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`);

/** The paths that a cell names: `a` (`b`, `c`) is `a`, `a.b` and `a.c`. */
const pathsIn = (cell: string): Set<string> => {
  const paths = new Set<string>();
  const parents: string[] = [];
  let last = '';
  for (const [, name, mark] of cell.matchAll(/`([^`]+)`|([()])/g)) {
    if (mark === '(') parents.push(last);
    else if (mark === ')') last = parents.pop() ?? '';
    else {
      last = under(parents.at(-1) ?? '', name ?? '');
      paths.add(last);
    }
  }
  return paths;
};

type Row = { names: string[]; paths: Set<string> };

const answer = 'an answer';

/** The rows of the table of lists in a section. */
const rowsOf = (heading: string): Row[] => {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? '';
  const [, body = ''] = /^\| list \| given \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(section) ?? [];
  return body
    .trim()
    .split('\n')
    .map((line) => {
      const [, name = '', given = ''] = line.split('|');
      const names = name.replaceAll('`', '').trim().split(', ');
      return { names: names.map((each) => each.replace(/ of \/.*$/, '')), paths: pathsIn(given) };
    });
};

const addPaths = (value: unknown, parent: string, paths: Set<string>): Set<string> => {
  if (Array.isArray(value)) for (const each of value) addPaths(each, parent, paths);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      const path = under(parent, name);
      paths.add(path);
      addPaths(each, path, paths);
    }
  }
  return paths;
};

/** List → the paths of all its items, in all answers. */
const pathsByList = (answers: readonly Lists[]): Map<string, Set<string>> => {
  const lists = new Map<string, Set<string>>();
  for (const each of answers) {
    for (const [name, value] of Object.entries(each)) {
      lists.set(name, addPaths(value, '', lists.get(name) ?? new Set()));
    }
  }
  return lists;
};

const isNamed = (path: string, names: ReadonlySet<string>): boolean =>
  names.has(path) || path.split('.').some((_, n, parts) => names.has([...parts.slice(0, n), '*'].join('.')));

/** The fields of answers that no row names, and the fields of rows that no answer has. */
const faultsOf = (heading: string, answers: readonly Lists[], shared = /^$/): string[] => {
  const rows = rowsOf(heading);
  const lists = pathsByList(answers);
  const named = new Set(rows.flatMap(({ names }) => names));
  const faults = [...lists.keys()].filter((name) => !named.has(name)).map((name) => `no row: ${name}`);
  for (const { names, paths } of rows) {
    const seen = new Set(names.flatMap((name) => [...(lists.get(name) ?? [])]));
    if (!names.some((name) => lists.has(name))) faults.push(`no answer: ${names}`);
    const unnamed = [...seen].filter((path) => !isNamed(path, paths) && !shared.test(path));
    const missing = [...paths].filter((path) => !path.endsWith('*') && !seen.has(path));
    faults.push(...unnamed.map((path) => `${names}: ${path} is not in the table`));
    faults.push(...missing.map((path) => `${names}: ${path} is in no answer`));
  }
  return faults;
};

const corpus = join(import.meta.dirname, '../corpus');

/** What is read from the example pages of an engine. */
const pagesOf = (engine: EngineName): RawResult[] =>
  ['desktop', 'mobile'].flatMap((device) =>
    readdirSync(join(corpus, engine, device)).map((name) =>
      JSON.parse(readFileSync(join(corpus, engine, device, name, 'golden.json'), 'utf8')),
    ),
  );

const founds = engineNames.flatMap((engine) =>
  pagesOf(engine).map(({ left, right }) => foundWith(left, right, engine)),
);

/** An answer as the lists of its table: what has no list is a part of the answer. */
const asLists = (value: Lists, parts: readonly string[]): Lists => ({
  ...Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'error' && name !== 'credits')),
  [answer]: Object.fromEntries(parts.flatMap((name) => (name in value ? [[name, '']] : []))),
});

let service: Service;
let call: (path: string, body?: unknown) => Promise<unknown>;
let user: Parameters<typeof outcomeOf>[0];

beforeAll(async () => {
  service = await startService();
  const { account, apiKey } = await service.createAccount({ rate_limit: 50 });
  user = account;
  const Authorization = `Basic ${Buffer.from(`${account.id}:${apiKey}`).toString('base64')}`;
  call = async (path, body) => {
    const { body: text } = await service.call({
      method: body === undefined ? 'GET' : 'POST',
      path: `/compat/${path}${path.startsWith('serpapi') ? `?api_key=${apiKey}&q=austin` : ''}`,
      body: body === undefined ? null : JSON.stringify(body),
      headers: { Authorization },
    });
    return JSON.parse(text);
  };
});
afterAll(() => service.stop());

test('Serper', () => {
  const answers = founds.filter(({ engine }) => engine === 'google').map(serperLists);
  const sent = { q: 'x', gl: 'us', num: 10, page: 1, type: 'search', engine: 'google' };
  // Completions and the parameters that are repeated are not read from pages.
  const others = { searchParameters: sent, suggestions: [{ value: 'x' }] };

  expect(
    faultsOf('Serper', [...answers.map((each) => asLists(each, ['searchParameters', 'credits'])), others]),
  ).toEqual([]);
});

const feedOf = (rss: string): Lists => {
  const [, item = ''] = /<item>(.*?)<\/item>/s.exec(rss) ?? [];
  return Object.fromEntries([...item.matchAll(/<(\w+)>/g)].map(([, name = '']) => [name, '']));
};

test('SearXNG', () => {
  const parts = founds.slice(0, 20).map((found) => ({ engine: found.engine, found }));
  const [head = ''] = csvOf(parts).split(/\r?\n/);
  const columns = Object.fromEntries(head.split(',').map((name) => [name, '']));
  const top = Object.keys(searxngLists(founds[0] as Found));

  const answers = founds.map((found) => {
    const { query: _, number_of_results: __, ...lists } = asLists(searxngLists(found), top);
    return lists;
  });
  expect(
    faultsOf('SearXNG', [...answers, { 'format=csv': columns, 'format=rss': feedOf(rssOf('x', parts)) }]),
  ).toEqual([]);
});

test('SerpApi', async () => {
  const parts = ['search_metadata', 'search_parameters', 'search_information', 'pagination'];
  const task = taskWith({
    location_name: 'Austin,Texas,United States',
    total_results: 'About 1,230 results',
    search_time: 0.42,
    html_url: 'https://service.example/pages/1',
    ...{ tbs: 'qdr:y', safe: 'active', nfpr: 1, filter: 0, lr: 'lang_de', cr: 'countryDE' },
  });
  const answers = founds.flatMap((found) => [
    serpapiLists({ ...found, task }),
    serpapiLists({ ...found, task }, { size: 1, from: 1 }),
    serpapiLists({ ...found, engine: 'yahoo', task: { ...task, engine_domain: 'fr.search.yahoo.com' } }),
  ]);
  const account = { '/account.json': await call('serpapi/account.json') };
  const locations = { '/locations.json': await call('serpapi/locations.json') };

  expect(
    faultsOf('SerpApi', [
      ...answers.map((each) => asLists(each, [...parts, 'serpapi_pagination', 'error'])),
      account,
      locations,
    ]),
  ).toEqual([]);
});

describe('DataForSEO', () => {
  const figures: Metrics = {
    volume: 10,
    competition: 'LOW',
    competitionIndex: 1,
    lowBidMicros: 1_000_000,
    highBidMicros: 2_000_000,
    months: [{ year: 2026, month: 1, searches: 10 }],
  } as Metrics;
  const trend = {
    interest_over_time: [{ date: '2026-01-04', value: 5 }],
    related_queries: { top: [{ query: 'x', value: 1 }], rising: [{ query: 'x', value: 1 }] },
  };
  const shared =
    /^(?:type|rank_group|rank_absolute|page|position|items\.type)$|(?:^|\.)(?:rating|price)\.\w+$/;

  /** The results of tasks that have read these pages. */
  const results = async (): Promise<unknown[]> => {
    const found = pagesOf('google').map(async (page) => {
      const task = taskWith({
        total_results: 'About 1,230 results',
        pages: [
          { page: 1, url: 'https://www.google.com/search?q=x', status: 'parsed', results: page },
        ] as never,
      });
      const { outcome } = await outcomeOf(user, { ...task, engine: 'google' }, 'advanced');
      return outcome.result?.map((each) => ({ ...each, items: [] })) ?? [];
    });
    return (await Promise.all(found)).flat();
  };

  /** The list of a task that has failed. */
  const readyAfter = async (path: string, task: object): Promise<unknown> => {
    const posted = (await call(`${path}/task_post`, [task])) as Envelope;
    const { failTask, failures } = await import('../../lib/task/fail.ts');
    await failTask({ user_id: user.id, id: parseTaskId(posted.tasks[0]?.id ?? '') ?? 0 }, failures.late);
    return ((await call(`${path}/tasks_ready`)) as Envelope).tasks[0]?.result;
  };
  const listOf = async (path: string) => ((await call(`dataforseo/v3/${path}`)) as Envelope).tasks[0]?.result;
  const place = { location_code: 2840, language_code: 'en', tag: 'x' };

  test('names all fields', async () => {
    const ads = 'dataforseo/v3/keywords_data/google_ads/search_volume';
    const [graph, queries] = trendItems('x', trend as never);
    const asking = { path: '/v3/serp/google/organic/task_get/regular/x', began: 0 };
    const others: Lists = {
      [answer]: envelopeOf([statusOf(40602)], asking),
      'result of a search': await results(),
      html: [{ page: 1, date: '', html: '' }],
      search_volume: volumeOf('x', figures, { location_code: 2840, language_code: 'en' }),
      google_trends_graph: graph,
      google_trends_queries_list: queries,
      'tasks_ready of searches': await readyAfter('dataforseo/v3/serp/google/organic', {
        keyword: 'x',
        ...place,
      }),
      'tasks_ready of keyword data': await readyAfter(ads, { keywords: ['x'], ...place }),
      locations: await listOf('serp/google/locations/us'),
      languages: await listOf('serp/google/languages'),
      user_data: await listOf('appendix/user_data'),
    };

    expect(faultsOf('DataForSEO', [...founds.map(dataforseoLists), others], shared)).toEqual([]);
  });
});
