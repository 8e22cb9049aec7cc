/** Invents what the engine says itself: overviews, boxes, questions, panels, other searches. */
import { people, phrase, slug, towns } from '../../words.ts';
import { address, blank, host, type Invent, sentence, sentences, titled } from './parts.ts';

const misspelt: Record<string, string> = { teh: 'the', recieve: 'receive', seperate: 'separate' };

export const spelling: Invent = ({ query }) => [
  {
    ...blank,
    type: 'spelling',
    title: query.replace(/\b(teh|recieve|seperate)\b/gi, (word) => misspelt[word.toLowerCase()]!),
  },
];

export const presentOverview: Invent = (scene, throws) => [
  {
    ...blank,
    type: 'ai_overview',
    state: 'present',
    snippet: sentences(scene, throws, 3),
    sources: [1, 2, 3].map((n) => ({
      title: titled(scene, throws, n),
      url: address(scene, throws, 'source', n),
    })),
  },
];

export const deferredOverview: Invent = () => [{ ...blank, type: 'ai_overview', state: 'deferred' }];

export const directAnswer: Invent = (_scene, throws) => [
  { ...blank, type: 'direct_answer', title: throws.pick(towns), snippet: `${throws.between(-5, 34)} °C` },
];

export const featuredSnippet: Invent = (scene, throws) => {
  const site = host(throws);
  return [
    {
      type: 'featured_snippet',
      title: titled(scene, throws, 1),
      url: `https://${site}/answers/${slug(scene.topic) || 'answer'}`,
      breadcrumb: `https://${site} › answers`,
      snippet: sentences(scene, throws, 2),
    },
  ];
};

const questions = [
  'What is * good for?',
  'Is * worth the money?',
  'How long does * last?',
  'Which * is best for a beginner?',
];

/** The first two questions bring their answers, as on the real engine; the others would be asked for when they are opened. */
export const peopleAlsoAsk: Invent = (scene, throws) =>
  throws.draw(questions, 4).map((question, i) => ({
    ...blank,
    type: 'people_also_ask',
    title: phrase(question, scene.topic),
    ...(i < 2 && { url: address(scene, throws, 'faq', i + 1), snippet: sentence(scene, throws) }),
  }));

export const knowledgePanel: Invent = (scene, throws) => [
  {
    ...blank,
    type: 'knowledge_panel',
    title: phrase('*', scene.topic),
    url: `https://encyclopedia.example/${slug(scene.topic) || 'entry'}`,
    subtitle: 'An invented subject',
    snippet: sentences(scene, throws, 2),
    facts: [
      { label: 'Founded', value: String(throws.between(1850, 2019)) },
      { label: 'Founder', value: throws.pick(people) },
    ],
    profiles: ['Chirper', 'Facelog'].map((title) => ({
      title,
      url: `https://${title.toLowerCase()}.example/${slug(scene.topic) || 'profile'}`,
    })),
  },
];

const tails = [
  'near the sea',
  'for two',
  'by hand',
  'for winter',
  'second hand',
  'at home',
  'for children',
  'explained',
];

export const relatedSearch: Invent = (scene, throws) => [
  {
    ...blank,
    type: 'related_search',
    items: throws.draw(tails, throws.between(4, 8)).map((tail) => `${scene.topic} ${tail}`),
  },
];
