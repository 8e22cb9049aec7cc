/** The lists of results in the form of SerpApi. Pure. */
import type { ResultItem } from '../../model/result.ts';
import { type Found, ofKinds } from '../found.ts';
import { amountOf, countOf, decimalOf } from '../numbers.ts';
import { present, presentOrNone } from '../present.ts';
import { videoIdOf } from '../video-id.ts';

type Shown = Record<string, unknown>;

const listOf = (items: readonly ResultItem[], show: (item: ResultItem, position: number) => Shown): Shown[] =>
  items.map((item, n) => present(show(item, n + 1)));

const sitelinksOf = ({ sitelinks = [] }: ResultItem) =>
  presentOrNone({ inline: sitelinks.map(({ title, url }) => ({ title, link: url })) });

const ratingOf = ({ rating, reviews }: ResultItem) => ({
  rating: decimalOf(rating),
  reviews: countOf(reviews),
});

const priceOf = ({ price }: ResultItem) => ({ price, extracted_price: amountOf(price) });

const richSnippetOf = (item: ResultItem) => {
  const extensions = present({ ...ratingOf(item), ...priceOf(item) });
  return Object.keys(extensions).length > 0 ? { top: { detected_extensions: extensions } } : undefined;
};

const webResult = (item: ResultItem, position: number): Shown => ({
  position,
  title: item.title,
  link: item.url,
  displayed_link: item.breadcrumb,
  date: item.date,
  snippet: item.snippet,
  sitelinks: sitelinksOf(item),
  rich_snippet: richSnippetOf(item),
});

const ad = (item: ResultItem, position: number): Shown => ({
  position,
  block_position: item.block,
  title: item.title,
  link: item.url,
  displayed_link: item.breadcrumb,
  description: item.snippet,
  sitelinks: (item.sitelinks ?? []).map(({ title, url }) => ({ title, link: url })),
});

const place = (item: ResultItem, position: number): Shown => ({
  position,
  title: item.title,
  ...ratingOf(item),
  type: item.category,
  address: item.snippet,
  phone: item.phone,
  links: presentOrNone({ website: item.url }),
});

const story = ({ title, url, source, date, image_url }: ResultItem): Shown => ({
  title,
  link: url,
  source,
  date,
  thumbnail: image_url,
});

const clip = (item: ResultItem, position: number): Shown => ({
  position,
  title: item.title,
  link: item.url,
  channel: item.channel,
  platform: item.source,
  date: item.date,
  duration: item.duration,
  thumbnail: item.image_url,
});

const offer = (item: ResultItem, position: number): Shown => ({
  position,
  title: item.title,
  link: item.url,
  source: item.source,
  ...priceOf(item),
  ...ratingOf(item),
  thumbnail: item.image_url,
});

/** The number in front of a word: `1.2M subscribers`. */
const numberBefore = (text = ''): number | undefined => countOf(text.replace(/\s*\p{L}{2,}.*$/u, ''));

const video = (item: ResultItem, position: number): Shown => ({
  position_on_page: position,
  title: item.title,
  link: item.url,
  video_id: videoIdOf(item.url),
  channel: presentOrNone({ name: item.channel, link: item.channel_url }),
  published_date: item.date,
  views: numberBefore(item.views),
  length: item.duration,
  description: item.snippet,
  thumbnail: presentOrNone({ static: item.image_url }),
});

const short = (item: ResultItem): Shown => ({
  title: item.title,
  link: item.url,
  video_id: videoIdOf(item.url),
  thumbnail: item.image_url,
  views_original: item.views,
  views: numberBefore(item.views),
});

/** One row of short videos: the form has a list of rows. */
const shortsOf = (found: Found): Shown[] => {
  const shorts = listOf(ofKinds(found, 'short'), short);
  return shorts.length > 0 ? [{ shorts }] : [];
};

const channel = (item: ResultItem): Shown => ({
  title: item.title,
  link: item.url,
  subscribers: numberBefore(item.subscribers),
  video_count: numberBefore(item.videos_count),
  description: item.snippet,
  thumbnail: item.image_url,
});

const playlist = (item: ResultItem): Shown => ({
  title: item.title,
  link: item.url,
  playlist_id: URL.parse(item.url)?.searchParams.get('list'),
  channel: presentOrNone({ name: item.channel, link: item.channel_url }),
  video_count: numberBefore(item.videos_count),
  thumbnail: item.image_url,
});

const youtubeAd = (item: ResultItem, position: number): Shown => ({
  position_on_page: position,
  title: item.title,
  link: item.url,
  displayed_link: item.breadcrumb,
  description: item.snippet,
  thumbnail: item.image_url,
});

/** Kinds of answers in the words of the form. */
const answerTypes: Record<NonNullable<ResultItem['answer_kind']>, string> = {
  calculator: 'calculator_result',
  currency: 'currency_converter',
  dictionary: 'dictionary_results',
  finance: 'finance_results',
  translation: 'translation_result',
  unit: 'unit_converter',
  weather: 'weather_result',
};

const answerBoxOf = (found: Found): Shown | undefined => {
  const [box] = ofKinds(found, 'featured_snippet', 'direct_answer');
  if (!box) return undefined;
  if (box.type === 'featured_snippet') {
    return present({
      type: 'organic_result',
      title: box.title,
      link: box.url,
      displayed_link: box.breadcrumb,
      snippet: box.snippet,
    });
  }
  const result = box.answer_kind === 'calculator' ? { result: box.snippet } : { answer: box.snippet };
  const type = box.answer_kind ? answerTypes[box.answer_kind] : 'answer';
  return present({ type, title: box.title, link: box.url, ...result });
};

/** The name of a fact as a key: `Founded in` is `founded_in`. */
const keyOf = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

const knowledgeGraphOf = (found: Found): Shown | undefined => {
  const [panel] = ofKinds(found, 'knowledge_panel');
  if (!panel) return undefined;
  return present({
    ...Object.fromEntries((panel.facts ?? []).map(({ label, value }) => [keyOf(label), value])),
    title: panel.title,
    type: panel.subtitle,
    description: panel.snippet,
    source: presentOrNone({ name: panel.source, link: panel.url }),
    image: panel.image_url,
    profiles: (panel.profiles ?? []).map(({ title, url }) => ({ name: title, link: url })),
  });
};

type Block = NonNullable<ResultItem['blocks']>[number];

const textOf = (spans: Block['spans']) => ({
  snippet: spans.map(({ text }) => text).join(' '),
  reference_indexes: [...new Set(spans.flatMap(({ sources }) => sources.map((each) => each - 1)))],
});

/** Spans by their row, in page order. */
const rowsOf = (spans: Block['spans']): Block['spans'][] => [
  ...Map.groupBy(spans, ({ row = 0 }) => row).values(),
];

const textBlock = ({ type, spans }: Block): Shown => {
  if (type === 'list') return { type, list: rowsOf(spans).map((row) => present(textOf(row))) };
  if (type === 'table') return { type, table: rowsOf(spans).map((row) => row.map(({ text }) => text)) };
  return present({ type, ...textOf(spans) });
};

const overviewOf = (found: Found): Shown | undefined => {
  const overview = ofKinds(found, 'ai_overview').find(({ state }) => state === 'present');
  if (!overview) return undefined;
  return present({
    text_blocks: (overview.blocks ?? []).map(textBlock),
    references: (overview.sources ?? []).map(({ title, url, domain, position }) => ({
      title,
      link: url,
      source: domain,
      index: position - 1,
    })),
  });
};

const questionsOf = (found: Found): Shown[] =>
  listOf(ofKinds(found, 'people_also_ask'), ({ title, snippet, url, breadcrumb }) => ({
    question: title,
    snippet,
    link: url,
    displayed_link: breadcrumb,
  }));

/** The results of a list page. */
const webLists = (found: Found): Shown => ({
  organic_results: listOf(found.organic, webResult),
  ads: listOf(ofKinds(found, 'ad'), ad),
  answer_box: answerBoxOf(found),
  knowledge_graph: knowledgeGraphOf(found),
  ai_overview: overviewOf(found),
  local_results: presentOrNone({ places: listOf(ofKinds(found, 'local_pack'), place) }),
  related_questions: questionsOf(found),
  top_stories: listOf(ofKinds(found, 'top_story'), story),
  inline_videos: listOf(ofKinds(found, 'video'), clip),
  short_videos: listOf(ofKinds(found, 'short'), clip),
  inline_images: listOf(ofKinds(found, 'image'), ({ title, url, image_url, source }) => ({
    title,
    link: url,
    source,
    thumbnail: image_url,
  })),
  shopping_results: listOf(ofKinds(found, 'shopping_ad', 'product'), offer),
  discussions_and_forums: listOf(ofKinds(found, 'discussion'), story),
});

const youtubeLists = (found: Found): Shown => ({
  video_results: listOf(found.organic, video),
  ads_results: listOf(ofKinds(found, 'ad'), youtubeAd),
  channel_results: listOf(ofKinds(found, 'channel'), channel),
  playlist_results: listOf(ofKinds(found, 'playlist'), playlist),
  shorts_results: shortsOf(found),
  movie_results: listOf(ofKinds(found, 'movie'), video),
});

/** The lists of an engine's page. What the page does not show is absent. */
export const listsOf = (found: Found): Shown =>
  present(found.engine === 'youtube' ? youtubeLists(found) : webLists(found));
