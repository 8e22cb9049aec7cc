/**
 * Sends saved pages of real engines through the whole service, and compares what the forms of other services
 * show of them with the labels that people gave these pages: links, titles and positions. A page that is no
 * result is the error of the form.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locationOfCountry } from '../../lib/model/country-location.ts';
import type { Device } from '../../lib/model/crawl-request.ts';
import { type EngineName, engineNames, engines } from '../../lib/model/engine.ts';
import { inParallel } from '../../lib/runtime/in-parallel.ts';
import { readers } from '../../lib/serp/reader.ts';
import { startService } from '../e2e/service.ts';
import { htmlOf, type Row, root, savedPages } from './saved-pages.ts';

type Shown = { position: number; title: string; link: string };
type Page = Row & { engine: EngineName; organic: Shown[]; country: string; language: string };

const labelsOf = ({ path }: Row): Shown[] => {
  const file = join(root, path.replace(/\.html$/, '.labels.json'));
  if (!existsSync(file)) return [];
  const { organic } = JSON.parse(readFileSync(file, 'utf8')) as { organic: { title: string; url: string }[] };
  return organic.map(({ title, url }, n) => ({ position: n + 1, title, link: url }));
};

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s\u00a0…]+/g, ' ')
    .trim();

/** Pages that can be told apart by their queries, and whose labels can be told apart by their addresses. */
const pagesOf = (engine: EngineName): Page[] => {
  const pages = savedPages(engine).map((row) => {
    const { country = 'US', language = 'en' } = readers[engine].open(htmlOf(row)).market();
    return { ...row, engine, organic: labelsOf(row), country, language };
  });
  const usable = pages.filter(
    ({ query, verdict, organic }) =>
      query !== '' &&
      (verdict !== 'results' || (organic.length > 0 && new Set(organic.map(({ link }) => link)).size > 1)),
  );
  return [...new Map(usable.map((page) => [plain(page.query), page])).values()];
};

const servers: Server[] = [];
const queryNames = ['q', 'p', 'search_query'];

/** An engine that answers each query with its saved page. */
const startEngine = (pages: readonly Page[]): Promise<string> => {
  const byQuery = new Map(pages.map((page) => [plain(page.query), page]));
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://engine.example');
    const query = queryNames.map((name) => searchParams.get(name)).find((value) => value !== null);
    const page = byQuery.get(plain(query ?? ''));
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page ? htmlOf(page) : '');
  });
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
};

const pages = engineNames.flatMap(pagesOf);

let service: Awaited<ReturnType<typeof startService>>;
let login: string;

/** The browser would run the programs of saved pages. */
const withoutBrowser = async (dataDir: string): Promise<void> => {
  const child = spawn(process.execPath, ['infra/commands/fetchers.ts', 'set'], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  child.stdin.end(JSON.stringify(Object.fromEntries(engineNames.map((name) => [name, { order: ['http'] }]))));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('The fetchers were not set');
};

beforeAll(async () => {
  const origins = await Promise.all(
    engineNames.map(async (name) => [
      [`${name.toUpperCase()}_ORIGIN`, await startEngine(pages.filter(({ engine }) => engine === name))],
      [`${name.toUpperCase()}_RATE`, '0'],
    ]),
  );
  const settings = {
    ...Object.fromEntries(origins.flat()),
    RATE_LIMIT: '0',
    RESOLVE_LINKS: 'never',
    FETCH_OVERVIEWS: 'never',
  };
  service = await startService(settings);
  await withoutBrowser(service.dataDir);
  const me = await fetch(`${service.url}/api/v1/users/me`, {
    headers: { Authorization: `Bearer ${service.apiKey}` },
  });
  login = String(((await me.json()) as { id: number }).id);
});
afterAll(async () => {
  await service.stop();
  for (const server of servers) server.close();
});

type Answer = { status: number; verdict: string | null; body: Record<string, unknown> };

const ask = async (path: string, body?: unknown): Promise<Answer> => {
  const answer = await fetch(`${service.url}/compat/${path}`, {
    headers: {
      'X-API-KEY': service.apiKey,
      Authorization: path.startsWith('dataforseo')
        ? `Basic ${Buffer.from(`${login}:${service.apiKey}`).toString('base64')}`
        : `Bearer ${service.apiKey}`,
      'Content-Type': 'application/json',
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    verdict: answer.headers.get('x-search-verdict'),
    body: (await answer.json()) as Record<string, unknown>,
  };
};

type Items = Record<string, unknown>[];

type Form = {
  engines: readonly EngineName[];
  devices: readonly Device[];
  ask: (page: Page) => Promise<Answer>;
  /** The web results of an answer. */
  shown: (body: Record<string, unknown>) => Shown[] | undefined;
  /** The error of an answer; undefined if it is none. */
  error: (body: Record<string, unknown>) => string | undefined;
};

const shownAs = (items: unknown, position: string, link: string): Shown[] | undefined =>
  (items as Items | undefined)?.map((item, n) => ({
    position: Number([item[position] ?? n + 1].flat()[0]),
    title: String(item.title),
    link: String(item[link]),
  }));

/** The parameters of SerpApi. */
const namesOf: Record<EngineName, { query: string; country: string; language: string }> = {
  google: { query: 'q', country: 'gl', language: 'hl' },
  bing: { query: 'q', country: 'cc', language: 'setlang' },
  yahoo: { query: 'p', country: 'vc', language: 'vl' },
  youtube: { query: 'search_query', country: 'gl', language: 'hl' },
};

type Task = { status_code: number; status_message: string; result: { items: Items }[] | null };
const taskOf = (body: Record<string, unknown>): Task => (body.tasks as Task[])[0] as Task;
const isRanked = ({ type, is_shorts, is_movie }: Record<string, unknown>): boolean =>
  type === 'organic' || (type === 'youtube_video' && !is_shorts && !is_movie);

const forms: Record<string, Form> = {
  Serper: {
    engines: ['google'],
    devices: ['desktop'],
    ask: ({ query, country, language }) =>
      ask('serper/search', { q: query, gl: country.toLowerCase(), hl: language }),
    shown: ({ organic }) => shownAs(organic, 'position', 'link'),
    error: ({ message }) => message as string | undefined,
  },
  SearXNG: {
    engines: engineNames,
    devices: ['desktop'],
    ask: ({ query, engine, country, language }) =>
      ask(
        `searxng/search?${new URLSearchParams({ q: query, engines: engine, language: `${language.slice(0, 2)}-${country}`, format: 'json' })}`,
      ),
    shown: ({ results }) => shownAs(results, 'positions', 'url'),
    error: ({ error, unresponsive_engines: engines }) => (error ?? JSON.stringify(engines)) as string,
  },
  SerpApi: {
    engines: engineNames,
    devices: ['desktop', 'mobile'],
    ask: ({ query, engine, device, country, language }) => {
      const names = namesOf[engine];
      const asked = {
        [names.query]: query,
        [names.country]: country.toLowerCase(),
        [names.language]: language,
      };
      return ask(
        `serpapi/search.json?${new URLSearchParams({ engine, device, ...asked, api_key: service.apiKey })}`,
      );
    },
    shown: ({ organic_results, video_results }) =>
      shownAs(organic_results, 'position', 'link') ?? shownAs(video_results, 'position_on_page', 'link'),
    error: ({ error }) => error as string | undefined,
  },
  DataForSEO: {
    engines: engineNames,
    devices: ['desktop', 'mobile'],
    ask: ({ query, engine, device, country, language }) =>
      ask(`dataforseo/v3/serp/${engine}/organic/live/advanced`, [
        { keyword: query, location_code: locationOfCountry(country), language_code: language, device },
      ]),
    shown: (body) => {
      const items = taskOf(body).result?.[0]?.items.filter(isRanked);
      // Short videos of YouTube have numbers of the same kind.
      return shownAs(items, items?.some(({ type }) => type === 'organic') ? 'rank_group' : '', 'url');
    },
    error: (body) => (taskOf(body).status_code === 20000 ? undefined : taskOf(body).status_message),
  },
};

/** The host without `www.`, the path and the query: what tells two results apart. */
const keyOf = (link: string): string => {
  const url = URL.parse(link);
  return url ? `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${url.search}` : link;
};

/** The share of the labelled results that are shown with their position, link and title. */
const shareOf = (page: Page, shown: readonly Shown[]) => {
  const labels = page.organic.slice(0, engines[page.engine].resultsPerPage);
  const byKey = new Map(shown.map((each) => [keyOf(each.link), each]));
  const found = labels.map((label) => ({ label, item: byKey.get(keyOf(label.link)) }));
  const share = (isRight: (item: Shown, label: Shown) => boolean): number =>
    found.filter(({ item, label }) => item && isRight(item, label)).length / labels.length;
  return {
    links: share(() => true),
    positions: share((item, label) => item.position === label.position),
    titles: share((item, label) => plain(item.title).slice(0, 30) === plain(label.title).slice(0, 30)),
  };
};

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe.each(Object.entries(forms))('%s', (name, form) => {
  const asked = pages.filter(
    ({ engine, device }) => form.engines.includes(engine) && form.devices.includes(device),
  );

  test.each(form.engines)('shows what people see on the pages of %s', async (engine) => {
    const results = asked.filter((page) => page.engine === engine && page.verdict === 'results');
    expect(results.length).toBeGreaterThan(0);
    const shares: ReturnType<typeof shareOf>[] = [];
    await inParallel(results, 3, async (page) => {
      const { body } = await form.ask(page);
      shares.push(shareOf(page, form.shown(body) ?? []));
    });
    const figures = Object.fromEntries(
      (['links', 'positions', 'titles'] as const).map((kind) => [
        kind,
        mean(shares.map((each) => each[kind])),
      ]),
    );
    console.log(name, engine, results.length, JSON.stringify(figures));
    for (const value of Object.values(figures)) expect(value).toBeGreaterThan(0.97);
  });

  test('gives the error of the form for each page that is no result', async () => {
    const refused = asked.filter(({ verdict }) => !['results', 'empty'].includes(verdict));
    const wrong: unknown[] = [];
    await inParallel(refused, 3, async (page) => {
      const answer = await form.ask(page);
      const error = form.error(answer.body);
      if (answer.verdict !== page.verdict || !error || form.shown(answer.body))
        wrong.push([page.path, answer.verdict, error]);
    });
    expect(wrong).toEqual([]);
  });
});
