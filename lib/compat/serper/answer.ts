/** The results of a page in the form of Serper. Pure. */
import type { ResultItem } from '../../model/result.ts';
import { type Found, ofKinds, relatedIn } from '../found.ts';
import { countOf, decimalOf } from '../numbers.ts';
import { present, presentOrNone } from '../present.ts';

type Answer = Record<string, unknown>;

const linksOf = (links: ResultItem['sitelinks'] = []) =>
  links.map(({ title, url }) => ({ title, link: url }));

const ratingOf = ({ rating, reviews }: ResultItem) => ({
  rating: decimalOf(rating),
  ratingCount: countOf(reviews),
});

const listOf = (
  items: readonly ResultItem[],
  show: (item: ResultItem, position: number) => Answer,
): Answer[] => items.map((item, n) => present(show(item, n + 1)));

const answerBoxOf = (found: Found): Answer | undefined => {
  const [box] = ofKinds(found, 'featured_snippet', 'direct_answer');
  if (!box) return undefined;
  const isAnswer = box.type === 'direct_answer';
  return presentOrNone({
    title: box.title,
    ...(isAnswer ? { answer: box.snippet } : { snippet: box.snippet }),
    link: box.url,
  });
};

const knowledgeGraphOf = (found: Found): Answer | undefined => {
  const [panel] = ofKinds(found, 'knowledge_panel');
  if (!panel) return undefined;
  const facts = (panel.facts ?? []).map(({ label, value }) => [label, value]);
  return presentOrNone({
    title: panel.title,
    type: panel.subtitle,
    imageUrl: panel.image_url,
    description: panel.snippet,
    descriptionSource: panel.source,
    descriptionLink: panel.url,
    attributes: facts.length > 0 ? Object.fromEntries(facts) : undefined,
  });
};

const organicOf = ({ organic }: Found): Answer[] =>
  listOf(organic, (item, position) => ({
    title: item.title,
    link: item.url,
    snippet: item.snippet,
    date: item.date,
    sitelinks: linksOf(item.sitelinks),
    ...ratingOf(item),
    price: item.price,
    position,
  }));

const storiesOf = (found: Found): Answer[] =>
  listOf(ofKinds(found, 'top_story'), ({ title, url, source, date, image_url }) => ({
    title,
    link: url,
    source,
    date,
    imageUrl: image_url,
  }));

const numbered = (items: Answer[]): Answer[] => items.map((item, n) => ({ ...item, position: n + 1 }));

/** Kind of search → its lists. A list that its page does not show is empty for its own kind only. */
export const answers = {
  search: (found) =>
    present({
      answerBox: answerBoxOf(found),
      knowledgeGraph: knowledgeGraphOf(found),
      topStories: storiesOf(found),
      peopleAlsoAsk: listOf(ofKinds(found, 'people_also_ask'), ({ title, snippet, url }) => ({
        question: title,
        snippet,
        link: url,
      })),
      relatedSearches: relatedIn(found).map((query) => ({ query })),
    }),
  news: (found) => ({ news: numbered(storiesOf(found)) }),
  images: (found) => ({
    images: listOf(ofKinds(found, 'image'), ({ title, image_url, url, source }, position) => ({
      title,
      imageUrl: image_url,
      link: url,
      source,
      position,
    })),
  }),
  videos: (found) => ({
    videos: listOf(
      ofKinds(found, 'video', 'short'),
      ({ title, url, snippet, image_url, duration, source, channel, date }, position) => ({
        title,
        link: url,
        snippet,
        imageUrl: image_url,
        duration,
        source,
        channel,
        date,
        position,
      }),
    ),
  }),
  places: (found) => ({
    places: listOf(ofKinds(found, 'local_pack'), (item, position) => ({
      position,
      title: item.title,
      address: item.snippet,
      ...ratingOf(item),
      category: item.category,
      phoneNumber: item.phone,
      website: item.url,
    })),
  }),
  shopping: (found) => ({
    shopping: listOf(ofKinds(found, 'shopping_ad', 'product'), (item, position) => ({
      title: item.title,
      source: item.source,
      link: item.url,
      price: item.price,
      imageUrl: item.image_url,
      ...ratingOf(item),
      position,
    })),
  }),
} as const satisfies Record<string, (found: Found) => Answer>;

export type Kind = keyof typeof answers;

/** Whether the service answers this kind of search. */
export const isKind = (name: string): name is Kind => Object.hasOwn(answers, name);

/** The answer to a search. `organic` is there even if it is empty, because the page itself says so. */
export const answerOf = (kind: Kind, found: Found, searchParameters: Answer): Answer => ({
  searchParameters,
  ...(kind === 'search' && { organic: organicOf(found) }),
  ...answers[kind](found),
  credits: Math.max(1, found.task.pages.filter(({ status }) => status === 'parsed').length),
});
