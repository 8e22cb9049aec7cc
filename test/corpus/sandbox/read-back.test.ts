/**
 * The service reads from the sandbox's pages what the sandbox planned, for every page, layout and kind of
 * result.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Device } from '../../../lib/model/crawl-request.ts';
import type { ParsedPage, Verdict } from '../../../lib/model/parsed-page.ts';
import type { ItemType, ResultItem } from '../../../lib/model/result.ts';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { hideLinks } from '../../../lib/sandbox/google/hidden-link.ts';
import { kinds } from '../../../lib/sandbox/google/kinds.ts';
import { drawPage } from '../../../lib/sandbox/google/layout/layouts.ts';
import type { LayoutName, PagePlan } from '../../../lib/sandbox/google/plan.ts';
import { plannedItems } from '../../../lib/sandbox/plan.ts';
import type { PlannedItem } from '../../../lib/sandbox/search-context.ts';
import { reader } from '../../../lib/serp/google/reader.ts';
import { ask, noon, planFor } from '../../unit/sandbox/ask.ts';

const layoutsOf: Record<Device, LayoutName[]> = {
  desktop: ['cards', 'classic', 'entity', 'basic'],
  mobile: ['feed', 'sheet'],
};

const everyLayout = (Object.keys(layoutsOf) as Device[]).flatMap((device) =>
  layoutsOf[device].map((layout) => ({ device, layout })),
);

const pageNumbers = Array.from({ length: 10 }, (_, i) => i + 1);

const verdictOf = (body: string, query: string, device: Device, status = 200) => {
  const page = reader.open(body);
  return page.judge(page.read(device), {
    query,
    device,
    fetchedAt: noon,
    status,
    url: '',
  });
};

/** Reads a page as a crawl does: with hidden links, each of them resolved once. */
const read = (plan: PagePlan): ParsedPage => {
  const { device } = plan.context;
  const html = hideLinks(drawPage(plan), plan.context);
  const links = reader.hiddenLinks.of(reader.open(html).read(device));
  const find = (url: string) => {
    const { headers } = answerRequest({ url, device, now: noon });
    return reader.hiddenLinks.readLocation(headers.location ?? null) ?? undefined;
  };
  return reader.open(html, (link) => (links.includes(link) ? find(link) : undefined)).read(device);
};

const ofType = <Item extends { type: ItemType }>(items: Item[], type: ItemType) =>
  items.filter((item) => item.type === type);

/**
 * The service reads a date twice: as `date`, and as part of the snippet, since the page shows it before the
 * text.
 */
const asRead = (item: PlannedItem) => ({
  ...item,
  domain: new URL(item.url).hostname.replace(/^www\./, ''),
  snippet: item.date ? `${item.date} — ${item.snippet}` : item.snippet,
});

describe.each(everyLayout)('$layout on $device', ({ device, layout }) => {
  test.each(pageNumbers)('page %i: every web result, in order and complete', (number) => {
    const plan = planFor('garden chairs', { device, page: number }, layout);

    const page = read(plan);

    const results = ofType(page.left, 'organic');
    expect(results).toMatchObject(ofType(plannedItems(plan).left, 'organic').map(asRead));
    expect(results.map(({ position }) => position)).toEqual(pageNumbers.map(String));
    // Mobile and basic pages have no links to earlier pages, so none proves to be the last.
    expect(page.has_next).toBe(number < 10 || device === 'mobile' || layout === 'basic');
    expect(verdictOf(drawPage(plan), 'garden chairs', device)).toBe('results');
  });
});

test.each(everyLayout)('$layout on $device: a page after the last one is empty', ({ device, layout }) => {
  const plan = planFor('garden chairs', { device, page: 11 }, layout);

  expect(read(plan)).toMatchObject({ left: [], right: [], has_next: false });
  expect(verdictOf(drawPage(plan), 'garden chairs', device)).toBe('empty');
});

/**
 * The fields that the service promises for each type, besides the title. Cards that link to the engine itself
 * promise only the title.
 */
const promisedFields: Partial<Record<ItemType, (keyof PlannedItem)[]>> = {
  ad: ['url', 'breadcrumb', 'snippet', 'block', 'sitelinks'],
  shopping_ad: ['url', 'price', 'source'],
  featured_snippet: ['url', 'breadcrumb', 'snippet'],
  ai_overview: ['snippet', 'sources', 'state', 'blocks'],
  people_also_ask: ['url', 'snippet'],
  related_search: ['items'],
  local_pack: ['url', 'snippet', 'rating', 'reviews', 'category', 'phone'],
  top_story: ['url', 'source', 'date'],
  video: ['url', 'source', 'date', 'duration', 'channel'],
  short: ['url', 'source'],
  image: ['url', 'image_url'],
  discussion: ['url', 'source', 'date'],
  post: ['url', 'source', 'channel', 'date'],
  things_to_know: ['subtitle'],
  refinements: ['options'],
  product_panel: ['offers'],
  sports: ['teams', 'date'],
  showtimes: ['times'],
  knowledge_panel: ['url', 'snippet', 'subtitle', 'facts', 'profiles'],
  direct_answer: ['snippet'],
  recipe: ['url'],
  app: ['url'],
  book: ['url'],
  carousel: ['url'],
};

const promisedPart = (item: PlannedItem): Partial<ResultItem> =>
  Object.fromEntries(
    [...(promisedFields[item.type] ?? []), 'title' as const]
      .filter((field) => item[field])
      .map((field) => [field, item[field]]),
  );

const kindsByLayout = everyLayout
  .filter(({ layout }) => layout !== 'basic')
  .flatMap((pair) => kinds.map((kind) => ({ ...pair, kind, word: kind.triggers[0]! })));

test.each(kindsByLayout)('"$word": $kind.type is read from $layout', ({ device, layout, kind, word }) => {
  const plan = planFor(`${word} lanterns`, { device }, layout);
  const expected = plannedItems(plan);

  const page = read(plan);

  expect(ofType([...page.left, ...page.right], kind.type)).toMatchObject(
    ofType([...expected.left, ...expected.right], kind.type).map(promisedPart),
  );
  expect(page.left.map(({ type }) => type)).toEqual(expected.left.map(({ type }) => type));
  expect(page.unread_blocks).toEqual([]);
});

test('for any query, the service reads the planned web results', () => {
  const devices = fc.constantFrom<Device>('desktop', 'mobile');
  const query = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });

  fc.assert(
    fc.property(query, devices, fc.integer({ min: 1, max: 10 }), (text, device, number) => {
      const plan = planFor(text, { device, page: number });
      const urls = (items: PlannedItem[]) => ofType(items, 'organic').map(({ url }) => url);

      expect(urls(read(plan).left)).toEqual(urls(plannedItems(plan).left));
    }),
    { numRuns: 100 },
  );
});

describe('the verdict on each misfortune', () => {
  const verdicts: [string, Verdict][] = [
    ['captcha', 'captcha'],
    ['script_wall', 'script_wall'],
    ['consent', 'consent'],
    ['soft_block', 'soft_block'],
    ['slow', 'results'],
    ['cut', 'unknown_layout'],
    ['decoy', 'decoy'],
    ['empty', 'empty'],
    ['canned', 'soft_block'],
    ['opaque_links', 'results'],
    ['drift', 'unknown_layout'],
    ['http_500', 'unknown_layout'],
    ['http_429', 'soft_block'],
  ];

  test.each(verdicts)('%s is judged %s on any device and in any language', (name, verdict) => {
    for (const device of ['desktop', 'mobile'] as const) {
      for (const hl of ['en', 'de', 'fr', 'es']) {
        const query = `${name}: coffee beans`;
        const { body, status } = ask(query, { device, hl });

        expect(verdictOf(body, query, device, status)).toBe(verdict);
        const { body: forAll } = ask('coffee beans', { device, hl, misfortune: name });
        expect(verdictOf(forAll, 'coffee beans', device, status)).toBe(verdict);
      }
    }
  });

  test.each([
    ['slow: tea', 'results'],
    ['captcha@2: tea', 'results'],
    ['once_opaque_links@2: tea', 'results'],
    ['once_captcha: tea', 'captcha'],
    ['slow: why summarize rain', 'results'],
    ['decoy: site:acme.example shoes', 'decoy'],
    ['decoy: umbrella pizza violin guide', 'decoy'],
    ['empty: "exact words" -bag', 'empty'],
    ['captcha: 東京 ラーメン', 'captcha'],
  ])('%s is judged %s', (query, verdict) => {
    const { body, status } = ask(query);

    expect(verdictOf(body, query, 'desktop', status)).toBe(verdict);
  });
});
