/** Results in the form of Serper: what a page shows, and nothing else. */
import { describe, expect, test } from 'vitest';
import { answerOf, answers, type Kind } from '../../../lib/compat/serper/answer.ts';
import { fitting } from '../../../lib/compat/serper/serper.ts';
import { foundWith, item } from './found.ts';

const parameters = { q: 'coffee grinder', type: 'search', engine: 'google' };

test('a page with every block has every list', () => {
  const found = foundWith(
    [
      item('organic', {
        date: 'Sep 8, 2026',
        rating: '4.6',
        reviews: '1,204',
        sitelinks: [{ title: 'More', url: 'https://organic.example/more' }],
      }),
      item('organic', { snippet: '' }),
      item('featured_snippet'),
      item('people_also_ask'),
      item('top_story', { source: 'Example News', date: '3 hours ago' }),
      item('related_search', { items: ['one', 'two', 'one'] }),
    ],
    [item('knowledge_panel', { subtitle: 'Appliance', facts: [{ label: 'Invented', value: '1798' }] })],
  );

  expect(answerOf('search', found, parameters)).toEqual({
    searchParameters: parameters,
    organic: [
      {
        title: 'A organic',
        link: 'https://organic.example/page',
        snippet: 'About a organic.',
        date: 'Sep 8, 2026',
        sitelinks: [{ title: 'More', link: 'https://organic.example/more' }],
        rating: 4.6,
        ratingCount: 1204,
        position: 1,
      },
      { title: 'A organic', link: 'https://organic.example/page', position: 2 },
    ],
    answerBox: {
      title: 'A featured_snippet',
      snippet: 'About a featured_snippet.',
      link: 'https://featured-snippet.example/page',
    },
    knowledgeGraph: {
      title: 'A knowledge_panel',
      type: 'Appliance',
      description: 'About a knowledge_panel.',
      descriptionLink: 'https://knowledge-panel.example/page',
      attributes: { Invented: '1798' },
    },
    topStories: [
      {
        title: 'A top_story',
        link: 'https://top-story.example/page',
        source: 'Example News',
        date: '3 hours ago',
      },
    ],
    peopleAlsoAsk: [
      {
        question: 'A people_also_ask',
        snippet: 'About a people_also_ask.',
        link: 'https://people-also-ask.example/page',
      },
    ],
    relatedSearches: [{ query: 'one' }, { query: 'two' }],
    credits: 1,
  });
});

test('a page that says that there are no results has an empty list, and no other', () => {
  expect(answerOf('search', foundWith([]), parameters)).toEqual({
    searchParameters: parameters,
    organic: [],
    credits: 1,
  });
});

describe('the other kinds have what the page shows of them', () => {
  test.each([
    ['news', item('top_story'), 'news'],
    ['images', item('image', { image_url: 'https://pictures.example/1.jpg' }), 'images'],
    ['videos', item('short', { channel: 'Acme' }), 'videos'],
    ['places', item('local_pack', { phone: '+1 555 010' }), 'places'],
    ['shopping', item('product', { price: '$9.90' }), 'shopping'],
  ] as const)('%s', (kind, one, list) => {
    const shown = answers[kind as Kind](foundWith([item('organic'), one])) as Record<string, object[]>;

    expect(Object.keys(shown)).toEqual([list]);
    expect(shown[list]).toEqual([expect.objectContaining({ title: one.title, position: 1 })]);
    expect(answers[kind as Kind](foundWith([item('organic')]))).toEqual({ [list]: [] });
  });
});

test('the answer of a calculator is an answer, not a snippet', () => {
  const box = item('direct_answer', { url: '', title: '6 × 7 =', snippet: '42' });

  expect(answers.search(foundWith([box]))).toEqual({ answerBox: { title: '6 × 7 =', answer: '42' } });
});

test('of a list that is too large for a response, each further answer is an error', () => {
  const answerWith = (size: number) => ({ searchParameters: { q: 'x' }, organic: ['x'.repeat(size)] });
  const [first, second, third] = [answerWith(400), answerWith(800), answerWith(100)];
  const refused = { searchParameters: { q: 'x' }, message: expect.stringContaining('6 MB'), statusCode: 413 };

  expect(fitting([first, second, third], 1000)).toEqual([first, refused, third]);
  expect(fitting([first, second, third])).toEqual([first, second, third]);
});
