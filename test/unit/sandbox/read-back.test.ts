/** What the sandbox plans is what the service reads: page by page, layout by layout, kind by kind. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Device } from '../../../lib/model/crawl-request.ts';
import type { ItemType, ParsedPage, ResultItem, Verdict } from '../../../lib/model/result.ts';
import { hideLinks } from '../../../lib/sandbox/google/hidden-link.ts';
import { kinds } from '../../../lib/sandbox/google/kinds.ts';
import { drawPage } from '../../../lib/sandbox/google/layout/layouts.ts';
import { type LayoutName, type PagePlan, planned } from '../../../lib/sandbox/google/plan.ts';
import type { PlannedItem } from '../../../lib/sandbox/google/search-context.ts';
import { sandboxGoogle } from '../../../lib/sandbox/google.ts';
import { hiddenLinks, openFoundPage, readLocation } from '../../../lib/serp/google/hidden-link.ts';
import { readGooglePage } from '../../../lib/serp/google/reader.ts';
import { judgeGooglePage } from '../../../lib/serp/google/verdict.ts';
import { openPage } from '../../../lib/serp/page.ts';
import { ask, noon, planFor } from './ask.ts';

const layoutsOf: Record<Device, LayoutName[]> = {
  desktop: ['cards', 'classic', 'entity', 'basic'],
  mobile: ['feed', 'sheet'],
};

const everyLayout = (Object.keys(layoutsOf) as Device[]).flatMap((device) =>
  layoutsOf[device].map((layout) => ({ device, layout })),
);

const pageNumbers = Array.from({ length: 10 }, (_, i) => i + 1);

const verdictOf = (body: string, query: string, device: Device, status = 200) => {
  const page = openPage(body);
  return judgeGooglePage(page, readGooglePage(page, device), {
    query,
    device,
    fetchedAt: noon,
    status,
    url: '',
  });
};

/** As a crawl reads it: with hidden links, each asked once where it leads. */
const read = (plan: PagePlan): ParsedPage => {
  const { device } = plan.scene;
  const html = hideLinks(drawPage(plan), plan.scene);
  const links = hiddenLinks(readGooglePage(openPage(html), device));
  const find = (url: string) => {
    const { headers } = sandboxGoogle({ url, device, now: noon });
    return readLocation(headers.location ?? null) ?? undefined;
  };
  return readGooglePage(
    openFoundPage(html, (link) => (links.includes(link) ? find(link) : undefined)),
    device,
  );
};

const ofType = <Item extends { type: ItemType }>(items: Item[], type: ItemType) =>
  items.filter((item) => item.type === type);

/** The service reads a date twice: as such, and where it stands on the page, before the words. */
const asRead = (item: PlannedItem) => ({
  ...item,
  domain: new URL(item.url).hostname.replace(/^www\./, ''),
  snippet: item.date ? `${item.date} — ${item.snippet}` : item.snippet,
});

describe.each(everyLayout)('$layout on $device', ({ device, layout }) => {
  test.each(pageNumbers)('page %i: every web result, in order and whole', (number) => {
    const plan = planFor('garden chairs', { device, page: number }, layout);

    const page = read(plan);

    const results = ofType(page.left, 'organic');
    expect(results).toMatchObject(ofType(planned(plan).left, 'organic').map(asRead));
    expect(results.map(({ position }) => position)).toEqual(pageNumbers.map(String));
    expect(page.has_next).toBe(number < 10);
    expect(verdictOf(drawPage(plan), 'garden chairs', device)).toBe('results');
  });
});

test.each(everyLayout)('$layout on $device behind the last page is empty', ({ device, layout }) => {
  const plan = planFor('garden chairs', { device, page: 11 }, layout);

  expect(read(plan)).toMatchObject({ left: [], right: [], has_next: false });
  expect(verdictOf(drawPage(plan), 'garden chairs', device)).toBe('empty');
});

/** The fields that the vocabulary promises for each kind, beside the title; cards that lead to the engine itself promise no more. */
const promised: Partial<Record<ItemType, (keyof PlannedItem)[]>> = {
  ad: ['url', 'breadcrumb', 'snippet', 'block', 'sitelinks'],
  shopping_ad: ['url', 'price', 'source'],
  featured_snippet: ['url', 'breadcrumb', 'snippet'],
  ai_overview: ['snippet', 'sources', 'state'],
  people_also_ask: ['url', 'snippet'],
  related_search: ['items'],
  local_pack: ['url', 'snippet', 'rating', 'reviews', 'category', 'phone'],
  top_story: ['url', 'source', 'date'],
  video: ['url', 'source', 'date', 'duration', 'channel'],
  short: ['url', 'source'],
  image: ['url', 'image_url'],
  discussion: ['url', 'source', 'date'],
  knowledge_panel: ['url', 'snippet', 'subtitle', 'facts', 'profiles'],
  direct_answer: ['snippet'],
  recipe: ['url'],
  app: ['url'],
  book: ['url'],
  carousel: ['url'],
};

const told = (item: PlannedItem): Partial<ResultItem> =>
  Object.fromEntries(
    [...(promised[item.type] ?? []), 'title' as const]
      .filter((field) => item[field])
      .map((field) => [field, item[field]]),
  );

const kindsByLayout = everyLayout
  .filter(({ layout }) => layout !== 'basic')
  .flatMap((where) => kinds.map((kind) => ({ ...where, kind, word: kind.orderedBy[0]! })));

test.each(kindsByLayout)('"$word": $kind.type is read from $layout', ({ device, layout, kind, word }) => {
  const plan = planFor(`${word} lanterns`, { device }, layout);
  const expected = planned(plan);

  const page = read(plan);

  expect(ofType([...page.left, ...page.right], kind.type)).toMatchObject(
    ofType([...expected.left, ...expected.right], kind.type).map(told),
  );
  expect(page.left.map(({ type }) => type)).toEqual(expected.left.map(({ type }) => type));
  expect(page.unclaimed).toBe(0);
});

test('whatever is asked, the web results are read as planned', () => {
  const devices = fc.constantFrom<Device>('desktop', 'mobile');
  const query = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });

  fc.assert(
    fc.property(query, devices, fc.integer({ min: 1, max: 10 }), (asked, device, number) => {
      const plan = planFor(asked, { device, page: number });
      const urls = (items: PlannedItem[]) => ofType(items, 'organic').map(({ url }) => url);

      expect(urls(read(plan).left)).toEqual(urls(planned(plan).left));
    }),
    { numRuns: 100 },
  );
});

describe('misfortunes are what they look like', () => {
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

  test.each(verdicts)('%s is judged %s, on any device and in any language', (name, verdict) => {
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
