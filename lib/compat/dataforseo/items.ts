/** The elements of a page in the form of DataForSEO. Pure. */
import type { EngineName } from '../../model/engine.ts';
import type { RawResult, ResultItem } from '../../model/result.ts';
import { amountOf, countOf, decimalOf } from '../numbers.ts';
import { present, presentOrNone } from '../present.ts';
import type { Element, Shown, Single } from './element.ts';
import { videos } from './videos.ts';

const domainOf = ({ url }: Pick<ResultItem, 'url'>): string => URL.parse(url)?.hostname ?? '';

const ratingOf = ({ rating, reviews }: ResultItem) => {
  const value = decimalOf(rating);
  return value === undefined
    ? undefined
    : present({ rating_type: 'Max5', value, votes_count: countOf(reviews), rating_max: 5 });
};

const priceOf = ({ price }: ResultItem) =>
  price ? present({ current: amountOf(price), displayed_price: price }) : undefined;

const linksOf = (links: ResultItem['sitelinks'] = [], type = 'link_element') =>
  links.map((link) => present({ type, title: link.title, url: link.url, domain: domainOf(link) }));

const base = (item: ResultItem): Shown => ({
  domain: domainOf(item),
  title: item.title,
  description: item.snippet,
  url: item.url,
});

const organic = (item: ResultItem): Shown => ({
  ...base(item),
  breadcrumb: item.breadcrumb,
  pre_snippet: item.date,
  rating: ratingOf(item),
  price: priceOf(item),
  links: linksOf(item.sitelinks),
});

const overview = (item: ResultItem): Shown => ({
  asynchronous_ai_overview: item.state === 'deferred',
  items: (item.blocks ?? []).map(({ spans }) => ({
    type: 'ai_overview_element',
    text: spans.map(({ text }) => text).join(' '),
  })),
  references: (item.sources ?? []).map(({ title, url, domain }) =>
    present({ type: 'ai_overview_reference', title, url, domain }),
  ),
});

const panel = (item: ResultItem): Shown => ({
  title: item.title,
  subtitle: item.subtitle,
  description: item.snippet,
  url: item.url,
  image_url: item.image_url,
  items: (item.facts ?? []).map(({ label, value }) => ({
    type: 'knowledge_graph_row_item',
    title: label,
    text: value,
  })),
});

/** Our types that are an element each. */
const singles: Partial<Record<ResultItem['type'], Single>> = {
  organic: { type: 'organic', show: organic },
  ad: {
    type: 'paid',
    show: (item) => ({
      ...base(item),
      breadcrumb: item.breadcrumb,
      rating: ratingOf(item),
      price: priceOf(item),
      links: linksOf(item.sitelinks, 'ad_link_element'),
    }),
  },
  featured_snippet: {
    type: 'featured_snippet',
    show: (item) => ({ ...base(item), breadcrumb: item.breadcrumb }),
  },
  ai_overview: { type: 'ai_overview', show: overview },
  local_pack: {
    type: 'local_pack',
    show: (item) => ({ ...base(item), phone: item.phone, rating: ratingOf(item) }),
  },
  knowledge_panel: { type: 'knowledge_graph', show: panel },
  direct_answer: {
    type: 'answer_box',
    show: (item) => ({
      text: [item.title, item.snippet].filter(Boolean),
      links: item.url ? linksOf([item]) : [],
    }),
  },
};

type Group = { type: string; show: (item: ResultItem) => unknown[] };

const element =
  (type: string, show: (item: ResultItem) => Shown): Group['show'] =>
  (item) => [present({ type, title: item.title, url: item.url, ...show(item) })];

/** Our types that are parts of an element. */
const groups: Partial<Record<ResultItem['type'], Group>> = {
  people_also_ask: {
    type: 'people_also_ask',
    show: (item) => {
      const answer = presentOrNone({ url: item.url, domain: domainOf(item), description: item.snippet });
      return [
        present({
          type: 'people_also_ask_element',
          title: item.title,
          expanded_element: answer ? [{ type: 'people_also_ask_expanded_element', ...answer }] : [],
        }),
      ];
    },
  },
  related_search: { type: 'related_searches', show: ({ items = [] }) => items },
  top_story: {
    type: 'top_stories',
    show: element('top_stories_element', (item) => ({
      source: item.source,
      domain: domainOf(item),
      date: item.date,
      image_url: item.image_url,
    })),
  },
  video: { type: 'video', show: element('video_element', ({ source }) => ({ source })) },
  short: {
    type: 'short_videos',
    show: element('short_videos_element', (item) => ({ domain: domainOf(item), source: item.source })),
  },
  image: {
    type: 'images',
    show: (item) => [
      present({ type: 'images_element', alt: item.title, url: item.url, image_url: item.image_url }),
    ],
  },
  discussion: {
    type: 'discussions_and_forums',
    show: element('discussions_and_forums_element', (item) => ({
      domain: domainOf(item),
      source: item.source,
      description: item.snippet,
    })),
  },
  product: {
    type: 'popular_products',
    show: element('popular_products_element', (item) => ({
      domain: domainOf(item),
      seller: item.source,
      image_url: item.image_url,
      price: priceOf(item),
      rating: ratingOf(item),
    })),
  },
  shopping_ad: {
    type: 'shopping',
    show: element('shopping_element', (item) => ({
      source: item.source,
      description: item.snippet,
      price: priceOf(item),
      rating: ratingOf(item),
    })),
  },
  recipe: {
    type: 'recipes',
    show: element('recipes_element', (item) => ({
      domain: domainOf(item),
      source: item.source,
      description: item.snippet,
      rating: ratingOf(item),
    })),
  },
  job: { type: 'jobs', show: element('jobs_element', (item) => ({ author: item.source })) },
  event: { type: 'events', show: element('events_element', ({ snippet }) => ({ snippet })) },
  hotel: {
    type: 'hotels_pack',
    show: element('hotels_pack_element', (item) => ({
      domain: domainOf(item),
      price: priceOf(item),
      rating: ratingOf(item),
    })),
  },
  app: { type: 'app', show: element('app_element', ({ snippet }) => ({ description: snippet })) },
  carousel: {
    type: 'carousel',
    show: ({ title, subtitle, image_url }) => [
      present({ type: 'carousel_element', title, subtitle, image_url }),
    ],
  },
};

/** A page with its number, from 1. */
export type Page = { page: number; results: RawResult };

/**
 * The elements of a column: items of a kind that follow each other are one element, if the form has it so.
 */
const elementsOf = (engine: EngineName, items: readonly ResultItem[], place: Shown): Element[] => {
  const elements: Element[] = [];
  for (const item of items) {
    const single = engine === 'youtube' ? videos[item.type] : singles[item.type];
    const group = engine === 'youtube' ? undefined : groups[item.type];
    const last = elements.at(-1);
    if (single) elements.push({ type: single.type, ...place, ...present(single.show(item)) });
    else if (group && last?.type === group.type && Array.isArray(last.items))
      last.items.push(...group.show(item));
    else if (group) elements.push({ type: group.type, ...place, items: group.show(item) });
  }
  return elements;
};

/** Numbers elements within their type and in all, from 1. */
const ranked = (elements: readonly Element[]): Element[] => {
  const groups = new Map<string, number>();
  return elements.map(({ type, ...element }, n) => {
    const rank_group = (groups.get(type) ?? 0) + 1;
    groups.set(type, rank_group);
    return { type, rank_group, rank_absolute: n + 1, ...element };
  });
};

/** Whether it is ranked: as many of these as were asked for are shown. Short videos and films are extra. */
const isRanked = ({ type, is_shorts, is_movie }: Element): boolean =>
  type === 'organic' || (type === 'youtube_video' && !is_shorts && !is_movie);

/** The elements of the pages in their order, with `depth` ranked results at most. */
export const advancedItems = (engine: EngineName, pages: readonly Page[], depth: number): Element[] => {
  const all = pages.flatMap(({ page, results }) => {
    const where = engine === 'youtube' ? {} : { page };
    const side = (position: string) => (engine === 'youtube' ? {} : { position });
    return [
      ...elementsOf(engine, results.left, { ...where, ...side('left') }),
      ...elementsOf(engine, results.right, { ...where, ...side('right') }),
    ];
  });
  let left = depth;
  return ranked(
    all.filter((each) => {
      if (!isRanked(each)) return true;
      left -= 1;
      return left >= 0;
    }),
  );
};

const regularFields = [
  'type',
  'rank_group',
  'rank_absolute',
  'domain',
  'title',
  'description',
  'url',
  'breadcrumb',
];

/** Of these elements, web results and ads, with the fields that the short form has. */
export const regularItems = (elements: readonly Element[]): Element[] =>
  elements
    .filter(({ type }) => type === 'organic' || type === 'paid')
    .map(
      (element) =>
        Object.fromEntries(
          Object.entries(element).filter(([name]) => regularFields.includes(name)),
        ) as Element,
    );
