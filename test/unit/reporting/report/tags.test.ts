/** The figures of a project by tag. */
import { describe, expect, test } from 'vitest';
import type { Project } from '../../../../lib/model/tracking.ts';
import { tagFiguresOf, withTag } from '../../../../lib/reporting/report/tags.ts';
import { day, movedOf } from '../keywords.ts';

const project = { domain: 'example.com', competitors: [] } as unknown as Project;
const now = day + 60;
const volumesOf = (local_sv: number) => ({ local_sv, global_sv: 0, cpc: 0, at: 0 });

describe('the keywords with a tag', () => {
  test.each<[string, number[]]>([
    ['new', [1, 3]],
    ['old', [3]],
    ['New', []],
    ['', []],
  ])('%j, as its key spells it', (key, expected) => {
    const keywords = [['New'], undefined, ['old', 'NEW'], ['newer']].map((tags, n) =>
      movedOf([1], { keyword_id: n + 1, ...(tags && { tags }) }),
    );

    expect(withTag(keywords, key).map(({ keyword_id }) => keyword_id)).toEqual(expected);
  });
});

describe('the figures of tags', () => {
  test('are those of their keywords, the tag with most keywords first', () => {
    const keywords = [
      movedOf([4], { tags: ['Few', 'Many'] }),
      movedOf([8], { tags: ['many'] }),
      movedOf([2]),
      movedOf([1], { tags: ['many'], domain: 'other.com' }),
      movedOf([], { tags: ['few'] }),
    ];
    const figures = tagFiguresOf(project, keywords, now);

    expect(figures.map(({ tag, all, keywords: measured }) => [tag, all, measured])).toEqual([
      ['Many', 3, 2],
      ['Few', 2, 1],
      [null, 1, 1],
    ]);
    expect(figures[0]).toEqual({
      tag: 'Many',
      all: 3,
      keywords: 2,
      share: expect.any(Number),
      ranked: 2,
      top_3: 0,
      top_10: 2,
      average_of_ranked: 6,
      average_of_all: 6,
    });
  });

  test('of the same number of keywords are in the order of the keywords', () => {
    const keywords = [['b'], [], ['a']].map((tags) => movedOf([1], { tags }));

    expect(tagFiguresOf(project, keywords, now).map(({ tag }) => tag)).toEqual(['b', null, 'a']);
  });

  test('take an unknown volume to be the median of all keywords of the project, not of those of the tag', () => {
    const keywords = [
      movedOf([1], { tags: ['a'] }),
      movedOf([1000], { tags: ['a'], volumes: volumesOf(100) }),
      movedOf([1], { volumes: volumesOf(300) }),
      movedOf([1], { volumes: volumesOf(9_000_000), domain: 'other.com' }),
    ];
    const [{ share: tagged } = { share: 0 }] = tagFiguresOf(project, keywords, now);
    const [{ share: whole } = { share: 0 }] = tagFiguresOf(project, [movedOf([1])], now);

    // The median is 200: of 300 searches, 200 are at the first position.
    expect(tagged).toBeCloseTo(((whole ?? 0) * 2) / 3, 3);
  });

  test('of another share of clicks have another share of voice', () => {
    const [even] = tagFiguresOf({ ...project, click_rates: [0.5, 0.5] } as never, [movedOf([1])], now);

    expect(even?.share).toBe(0.5);
  });
});
