/** The answers of the interface about a project of 10,000 keywords, which no service has. */
import type { AlertDeliveries, AlertList } from '../../lib/model/alert-deliveries.ts';
import type { ComparedDays } from '../../lib/model/compared-days.ts';
import type { ManagedKeyword, ManagedKeywordList, TrackedHistory } from '../../lib/model/managed-keyword.ts';
import type { Note } from '../../lib/model/note.ts';
import type { CompetingPages, LandingPages } from '../../lib/model/own-pages.ts';
import type { ManagedProject } from '../../lib/model/project.ts';
import type { ProjectOverview } from '../../lib/model/project-overview.ts';
import type { TagList, Visibility } from '../../lib/model/visibility.ts';

const day = 86_400;
const now = Math.floor(Date.now() / 1000);
const dateOf = (ago: number) => new Date((now - ago * day) * 1000).toISOString().slice(0, 10);

const standing = {
  keywords: 9000,
  from_1_to_3: 1200,
  from_4_to_10: 2400,
  from_11_to_20: 1800,
  from_21_to_50: 1500,
  from_51_to_100: 1100,
  not_ranked: 1000,
  average_of_ranked: 18.4,
  average_of_all: 27.6,
};

const move = (n: number, before: number, position: number): ProjectOverview['winners'][number] => ({
  keyword_id: n,
  keyword: n === 1 ? '<img src=x onerror="top.owned=1">' : `keyword ${n} ${'with many words '.repeat(4)}`,
  engine: 'google',
  location_name: 'Berlin,Germany',
  iso_code: 'DE',
  device: 'desktop',
  before,
  position,
  movement: Math.min(before, 101) - Math.min(position, 101),
  since: dateOf(7),
});

const notesOf = (agos: readonly number[]): Note[] =>
  agos.map((ago, n) => ({
    note_id: 40 + ago,
    date: dateOf(ago),
    text: n === 0 ? '<img src=x onerror="top.owned=1"> is online' : `long ${'word '.repeat(150)}`,
    created_at: now - ago * day,
    changed_at: null,
  }));

/** A host may have 63 letters between two dots. */
const longDomain = `${'a'.repeat(63)}.${'b'.repeat(63)}.example`;

const cost = { keywords: 10_000, paused: 12, searches_per_day: 9988.5, monthly_cost_usd: 70.9 };

/** Some services have long keys in the address of a webhook. */
export const longHook = `https://hooks.example.com/${'long/'.repeat(200)}rankings`;

const alerts: AlertList = {
  data: [
    {
      alert_id: 6,
      alert_date: dateOf(1),
      created_at: now - day,
      changes: 1000,
      state: 'delivered',
      postback_url: longHook,
    },
    {
      alert_id: 5,
      alert_date: dateOf(2),
      created_at: now - 2 * day,
      changes: 3,
      state: 'parked',
      postback_url: 'https://hooks.example.com/rankings',
    },
    {
      alert_id: 4,
      alert_date: dateOf(30),
      created_at: now - 30 * day,
      changes: 1,
      state: null,
      postback_url: null,
    },
    {
      alert_id: 3,
      alert_date: dateOf(31),
      created_at: now - 31 * day,
      changes: null,
      state: 'delivered',
      postback_url: 'mailto:ranks@example.com',
    },
  ],
};

const deliveries: AlertDeliveries = {
  alert_id: 5,
  postback_url: 'https://hooks.example.com/rankings',
  delivery_id: 'msg_7_5_1',
  state: 'parked',
  attempts: [
    { time: now - 2 * day, status: 500, duration_ms: 84, error: 'the receiver answered 500' },
    {
      time: now - day,
      status: null,
      duration_ms: null,
      error: `unreachable: ${'x'.repeat(300)}`,
    },
  ],
};

const overview: ProjectOverview = {
  project_id: 7,
  now: standing,
  share: 0.25,
  share_change: { change: -0.0123, since: dateOf(7), keywords: 8000 },
  days: Array.from({ length: 31 }, (_, n) => ({
    date: dateOf(30 - n),
    ...(n === 3
      ? {
          ...(Object.fromEntries(Object.keys(standing).map((name) => [name, 0])) as typeof standing),
          average_of_ranked: null,
          average_of_all: null,
        }
      : standing),
  })),
  winners: [move(1, 1000, 3), move(2, 20, 4)],
  losers: [move(3, 1, 1000)],
  features: [
    { name: 'people_also_ask', keywords: 8123, owners: { own: 7, competitor: 1300, other: 8001 } },
    { name: 'related_search', keywords: 5000, owners: null },
    { name: 'ai_overview', keywords: 12, owners: { own: 9, competitor: 11, other: 12 } },
  ],
  cited: 9,
  cost,
  next_at: now + 5 * 3600 + 900,
};

export const project: ManagedProject = {
  project_id: 7,
  name: 'Coffee',
  domain: 'acme.example',
  competitors: ['rival.example'],
  locations: [],
  check_frequency: 24,
  paused: false,
  alerts: null,
  click_rates: null,
  created_at: now - 40 * day,
};

const owners: ManagedKeyword['owners'] = [
  { kind: 'local_pack', total: 3, own: 0, competitors: {}, other: 0, hidden: 3 },
  { kind: 'ai_overview', total: 6, own: 1, competitors: { 'rival.example': 2 }, other: 3, hidden: 0 },
];

/** A keyword whose crawl of ten days ago failed. */
export const keywordOf = (n: number): ManagedKeyword => ({
  keyword_id: n,
  project_id: 7,
  keyword: n === 1 ? '<img src=x onerror="top.owned=1">' : `keyword ${n}`,
  type: 'owner',
  domain: 'acme.example',
  engine: 'google',
  engine_domain: 'google.com',
  location_name: 'Frankfurt am Main,Hesse,Germany',
  iso_code: 'DE',
  language_code: 'de',
  device: n % 2 === 0 ? 'desktop' : 'mobile',
  google_business: null,
  update_frequency: n === 4 ? 48 : 24,
  paused: false,
  tags: n % 3 === 0 ? ['brand', 'a tag with many words', 'summer', 'shops', 'x'.repeat(64)] : [],
  created_at: now - 30 * day,
  status: 'updated',
  next_at: now + day,
  crawled_at: now,
  initial_position: 12,
  current_position: n % 7 === 0 ? 1000 : (n % 30) + 1,
  best_position: 1,
  previous_position: 3,
  movement: (n % 5) - 2,
  url: 'https://www.acme.example/page',
  cited: true,
  features: ['ai_overview'],
  owners,
  days: [20, 15, 12, 11, 9, 8, 1, 0].map((ago) => ({ date: dateOf(ago), position: ago + 1, cited: null })),
  competitors: {},
  gap: null,
  local_sv: 1200,
  global_sv: 9000,
  cpc: 1.5,
  chart_url: '/charts/a.svg',
});

const history: TrackedHistory = {
  data: [12, 11, 9, 8].map((ago) => ({
    created_at: now - ago * day,
    position: ago === 11 ? 1000 : ago,
    url: ago === 9 ? 'https://www.acme.example/other' : 'https://www.acme.example/page',
    title: 'A page',
    snippet: '',
    type: 'organic',
    features: ['people_also_ask', 'related_search', 'ai_overview'],
    owners,
    cited: false,
    own_urls:
      ago === 9
        ? [
            { position: 9, url: 'https://www.acme.example/other' },
            { position: 14, url: 'https://www.acme.example/page' },
          ]
        : [],
    url_changed: ago <= 9,
    competitors: { 'rival.example': 4, [longDomain]: 5 },
  })),
  gaps: [{ created_at: now - 10 * day, reason: 'captcha: the engine asks for proof of a person' }],
  notes: notesOf([9]),
};

const tagList: TagList = {
  data: [
    { tag: 'brand', all: 3333 },
    { tag: 'best & sellers', all: 2 },
    { tag: null, all: 6667 },
  ].map((each) => ({
    ...each,
    share: 0.1,
    keywords: each.all,
    ranked: each.all,
    top_3: 1,
    top_10: 2,
    average_of_ranked: 12.5,
    average_of_all: 20.1,
  })),
};

const ofKeyword = { keyword: 'moka pot', device: 'mobile', location: 'Berlin,Germany' };

const landingPages = (url: string): LandingPages => ({
  data: (url
    ? [url]
    : ['https://www.acme.example/page', `https://www.acme.example/${'long/'.repeat(40)}`]
  ).map((each) => ({
    url: each,
    keywords_count: 12,
    best_position: 2,
    keywords: [2, 14].map((position, n) => ({
      ...ofKeyword,
      keyword_id: n + 1,
      position,
      is_best: n === 0,
    })),
  })),
  total: url ? 1 : 120,
});

const competingPages: CompetingPages = {
  data: [10, 2].map((pages, n) => ({
    ...ofKeyword,
    keyword_id: n + 1,
    own_urls: Array.from({ length: pages }, (_, m) => ({
      position: 2 + m,
      url: `https://www.acme.example/<b>/${m}`,
    })),
  })),
  total: 2,
};

const comparedDays = (isLast: boolean): ComparedDays => ({
  data: [5, 1000, null].map((position, n) => ({
    keyword_id: n + 1,
    keyword: n === 0 ? '<img src=x onerror="top.owned=1">' : `keyword ${n + 1}`,
    engine: 'google',
    device: 'mobile',
    location: 'Berlin,Germany',
    domain: 'acme.example',
    before: { position, crawled_at: now - 9 * day, url: 'https://www.acme.example/old' },
    after: { position: 3, crawled_at: now, url: 'https://www.acme.example/page' },
    change: position === null ? null : Math.min(position, 101) - 3,
  })),
  cursor: isLast ? null : 'next',
  total: 6,
});

/** The answers of the interface about a project of 10,000 keywords. */
export const answerOf = ({ pathname, searchParams }: URL): unknown => {
  if (pathname.endsWith('/projects')) return { data: [project], cursor: null };
  if (pathname.endsWith('/history')) return history;
  if (pathname.endsWith('/export') || searchParams.has('format', 'jsonl')) {
    const first = Number(searchParams.get('cursor') ?? 0);
    const lines = [first, first + 1].map((n) => `2026-11-01,"<b>${n}</b>"\n`).join('');
    return `${searchParams.get('for') === 'excel' ? '\uFEFF' : ''}date,keyword\n${lines}`;
  }
  if (pathname.endsWith('/visibility')) {
    return {
      data: [
        {
          domain: 'acme.example',
          share: 0.25,
          keywords: 12,
          ranked: 10,
          top_3: 3,
          top_10: 9,
          average_of_ranked: 7.5,
          average_of_all: 23.1,
          citation_share: 0.1667,
        },
      ],
      volumes: { known: 10, unknown: 2, assumed: 320 },
      days: [3, 2, 1].map((ago) => ({
        date: dateOf(ago),
        shares: { 'acme.example': ago / 10 },
        citation_shares: { 'acme.example': ago === 2 ? null : ago / 6 },
      })),
      notes: notesOf([3, 2]),
    } satisfies Visibility;
  }
  if (pathname.endsWith('/summary')) {
    return '# Coffee: a week\n\n6 keywords of drifter\\.example.\n\n- \\<img src=x onerror="top.owned=1"\\>: 5 → 3\n- <img src=x onerror="top.owned=1">\n\n| domain | share |\n|---|---|\n| drifter\\.example | 7.8 % |\n';
  }
  if (pathname.endsWith('/overview')) return overview;
  if (pathname.endsWith('/alerts')) return alerts;
  if (/\/alerts\/5\/(deliveries|postback)$/.test(pathname)) return deliveries;
  if (pathname.endsWith('/cost')) return cost;
  if (pathname.endsWith('/notes')) return { data: notesOf([9, 3, 2]) };
  if (pathname.endsWith('/tags')) return tagList;
  if (pathname.endsWith('/pages')) return landingPages(searchParams.get('url') ?? '');
  if (pathname.endsWith('/pages/competing')) return competingPages;
  if (pathname.endsWith('/compare')) return comparedDays(searchParams.has('cursor', 'next'));
  if (/\/keywords\/\d+$/.test(pathname)) return keywordOf(2);
  if (pathname.endsWith('/keywords')) {
    // A filter leaves the first keywords, which have each kind of position, movement and tags.
    if (searchParams.has('moved')) {
      const data = Array.from({ length: 15 }, (_, n) => keywordOf(n + 1));
      return { data, cursor: null, prev_cursor: null, total: 15 } satisfies ManagedKeywordList;
    }
    const from = Number(searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: 50 }, (_, n) => keywordOf(from + n + 1));
    const prev_cursor = from === 0 ? null : String(from - 50);
    return { data, cursor: String(from + 50), prev_cursor, total: 10_000 } satisfies ManagedKeywordList;
  }
  return project;
};

/** An export has two pages. */
export const nextCursorOf = ({ pathname, searchParams }: URL): Record<string, string> =>
  pathname.endsWith('/export') ? { 'x-next-cursor': searchParams.has('cursor') ? '' : '2' } : {};
