/** Invents the engine's own answers: overviews, answer boxes, questions, panels, related searches. */
import type { PlannedItem } from '../search-context.ts';
import { people, phrase, slug, towns, vocabulary } from '../words.ts';
import { address, blank, host, type Invent, sentence, sentences, titled } from './parts.ts';

const misspelt: Record<string, string> = { teh: 'the', recieve: 'receive', seperate: 'separate' };

export const spelling: Invent = ({ query }) => [
  {
    ...blank,
    type: 'spelling',
    title: query.replace(/\b(teh|recieve|seperate)\b/gi, (word) => misspelt[word.toLowerCase()]!),
  },
];

/** Two sentences with a source each, and a list with the third one. */
const overviewOf = ([first = '', second = '', third = '']: string[]): Pick<
  PlannedItem,
  'snippet' | 'blocks'
> => ({
  snippet: [first, second, third].join(' '),
  blocks: [
    {
      type: 'paragraph',
      spans: [
        { text: first, sources: [1] },
        { text: second, sources: [2] },
      ],
    },
    { type: 'list', spans: [{ text: third, sources: [2, 3], row: 1 }] },
  ],
});

export const presentOverview: Invent = (context, random) => [
  {
    ...blank,
    type: 'ai_overview',
    state: 'present',
    ...overviewOf(random.draw(vocabulary.sentences, 3).map((one) => phrase(one, context.topic))),
    sources: [1, 2, 3].map((n) => {
      // The documented site is always the second reference, so that citations can be tracked.
      const url = n === 2 ? `https://www.acme.example/cited/${n}` : address(context, random, 'source', n);
      return {
        position: n,
        title: titled(context, random, n),
        url,
        domain: new URL(url).hostname.replace(/^www\./, ''),
      };
    }),
  },
];

export const deferredOverview: Invent = () => [{ ...blank, type: 'ai_overview', state: 'deferred' }];

export const directAnswer: Invent = (_context, random) => [
  { ...blank, type: 'direct_answer', title: random.pick(towns), snippet: `${random.between(-5, 34)} °C` },
];

export const featuredSnippet: Invent = (context, random) => {
  const site = host(random);
  return [
    {
      type: 'featured_snippet',
      title: titled(context, random, 1),
      url: `https://${site}/answers/${slug(context.topic) || 'answer'}`,
      breadcrumb: `https://${site} › answers`,
      snippet: sentences(context, random, 2),
    },
  ];
};

const questions = [
  'What is * good for?',
  'Is * worth the money?',
  'How long does * last?',
  'Which * is best for a beginner?',
];

/**
 * As on the real engine, the page contains the answers to the first two questions. The engine loads the
 * others when they are opened.
 */
export const peopleAlsoAsk: Invent = (context, random) =>
  random.draw(questions, 4).map((question, i) => ({
    ...blank,
    type: 'people_also_ask',
    title: phrase(question, context.topic),
    ...(i < 2 && { url: address(context, random, 'faq', i + 1), snippet: sentence(context, random) }),
  }));

export const knowledgePanel: Invent = (context, random) => [
  {
    ...blank,
    type: 'knowledge_panel',
    title: phrase('*', context.topic),
    url: `https://encyclopedia.example/${slug(context.topic) || 'entry'}`,
    subtitle: 'An invented subject',
    snippet: sentences(context, random, 2),
    facts: [
      { label: 'Founded', value: String(random.between(1850, 2019)) },
      { label: 'Founder', value: random.pick(people) },
    ],
    profiles: ['Chirper', 'Facelog'].map((title) => ({
      title,
      url: `https://${title.toLowerCase()}.example/${slug(context.topic) || 'profile'}`,
    })),
  },
];

const suffixes = [
  'near the sea',
  'for two',
  'by hand',
  'for winter',
  'second hand',
  'at home',
  'for children',
  'explained',
];

export const relatedSearch: Invent = (context, random) => [
  {
    ...blank,
    type: 'related_search',
    items: random.draw(suffixes, random.between(4, 8)).map((suffix) => `${context.topic} ${suffix}`),
  },
];
