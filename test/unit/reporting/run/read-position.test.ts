/** What the pages of a crawl say of a tracked keyword. */
import { describe, expect, test } from 'vitest';
import type { RawResult, ResultItem } from '../../../../lib/model/result.ts';
import type { Observation } from '../../../../lib/model/tracking.ts';
import { readPosition } from '../../../../lib/reporting/run/read-position.ts';
import { keywordOf } from '../keywords.ts';

const itemOf = (domain: string, position: number, more: Partial<ResultItem> = {}): ResultItem => ({
  type: 'organic',
  position: String(position),
  title: `Title of ${domain}`,
  url: domain && `https://${domain}/`,
  breadcrumb: '',
  snippet: `Text of ${domain}`,
  absolute_position: position,
  url_resolution: domain ? 'direct' : 'opaque',
  domain,
  ...more,
});

const pagesOf = (left: ResultItem[], first: RawResult = { left, right: [] }) => ({
  at: 500,
  result: { left, right: [] },
  first,
});

const own = keywordOf();
const web = [itemOf('a.example', 1), itemOf('rival.com', 2), itemOf('example.com', 3)];
const observed = (...args: Parameters<typeof readPosition>): Observation =>
  readPosition(...args) as Observation;

const hidden = {
  at: 500,
  reason: 'unresolved: the address of a result is hidden, and the domain may be behind it',
};

test('the domain and its competitors have their places among the web results', () => {
  expect(readPosition(own, ['rival.com', 'absent.com'], pagesOf(web))).toEqual({
    at: 500,
    sightings: {
      'example.com': {
        position: 3,
        type: 'organic',
        url: 'https://example.com/',
        title: 'Title of example.com',
        snippet: 'Text of example.com',
      },
      'rival.com': expect.objectContaining({ position: 2, url: 'https://rival.com/' }),
      'absent.com': { position: 1000, type: 'organic', url: '', title: '', snippet: '' },
    },
    features: [],
    cited: null,
  });
});

test.each(['example.com', 'https://WWW.Example.com/'])(
  'a competitor that is the domain itself, as %s, is not listed twice',
  (spelled) => {
    const { sightings } = observed(own, [spelled, 'rival.com'], pagesOf(web));

    expect(Object.keys(sightings)).toEqual(['example.com', 'rival.com']);
    expect(sightings['example.com']?.position).toBe(3);
  },
);

describe('the pages of the domain', () => {
  const shop = itemOf('shop.example.com', 4);
  const pages: Observation['own'] = [
    [3, 'https://example.com/'],
    [4, 'https://shop.example.com/'],
  ];

  test('have their places if there are several', () => {
    expect(observed(own, ['rival.com'], pagesOf([...web, shop])).own).toEqual(pages);
  });

  test('are not listed if there is one, which has the position', () => {
    expect(observed(own, [], pagesOf(web))).not.toHaveProperty('own');
  });

  test('are not looked for if a business is followed', () => {
    const business = keywordOf({ google_business: 'The Shop' });

    expect(observed(business, [], pagesOf([...web, shop]))).not.toHaveProperty('own');
  });
});

describe('a result whose address is hidden', () => {
  test('makes the position of a domain that is not found a gap', () => {
    expect(readPosition(own, [], pagesOf([itemOf('', 1), itemOf('a.example', 2)]))).toEqual(hidden);
  });

  test('does not matter to a domain that is found', () => {
    expect(observed(own, [], pagesOf([...web, itemOf('', 4)])).sightings['example.com']?.position).toBe(3);
  });

  test('leaves out a competitor that is not found', () => {
    const { sightings } = observed(own, ['rival.com', 'absent.com'], pagesOf([...web, itemOf('', 4)]));

    expect(Object.keys(sightings)).toEqual(['example.com', 'rival.com']);
  });
});

test('a paid keyword follows the ads', () => {
  const ads = [itemOf('rival.com', 1, { type: 'ad' }), itemOf('example.com', 2, { type: 'ad' })];
  const { sightings, features } = observed(
    keywordOf({ type: 'paid' }),
    ['rival.com'],
    pagesOf([...ads, ...web]),
  );

  expect(sightings).toMatchObject({
    'example.com': { position: 2, type: 'ad' },
    'rival.com': { position: 1, type: 'ad' },
  });
  expect(features).toEqual(['ad']);
});

describe('a keyword with a business name', () => {
  const business = keywordOf({ google_business: 'The Shop' });
  const local = itemOf('', 2, { type: 'local_pack', title: 'The Shop', url: '' });

  test('follows the place of the business, and no competitors', () => {
    expect(observed(business, ['rival.com'], pagesOf([local, ...web])).sightings).toEqual({
      'example.com': expect.objectContaining({ position: 2, type: 'local_pack', title: 'The Shop' }),
    });
  });

  test('is not found if the local pack does not have it, whatever is hidden', () => {
    const { sightings } = observed(business, [], pagesOf([itemOf('', 1), { ...local, title: 'Another' }]));

    expect(sightings['example.com']?.position).toBe(1000);
  });
});

test('the features are the other kinds of items on the first page, each once, in the order of their names', () => {
  const first = {
    left: [itemOf('', 1, { type: 'video' }), ...web, itemOf('', 2, { type: 'video' })],
    right: [itemOf('', 1, { type: 'knowledge_panel' }), itemOf('', 1, { type: 'ad' })],
  };
  const pages = pagesOf([itemOf('', 1, { type: 'image' }), ...web], first);

  expect(observed(own, [], pages).features).toEqual(['ad', 'knowledge_panel', 'video']);
});

describe('whose the other items of the first page are', () => {
  const image = itemOf('rival.com', 1, { type: 'image' });

  test('is part of what the crawl says', () => {
    const pages = pagesOf(web, { left: [image], right: [] });

    expect(observed(own, ['rival.com'], pages).owners).toEqual({
      image: { all: 1, rivals: { 'rival.com': 1 } },
    });
  });

  test('is left out if there are none', () => {
    expect(
      observed(own, ['rival.com'], pagesOf([...web, image], { left: web, right: [] })),
    ).not.toHaveProperty('owners');
  });
});

test.each([
  ['example.com', true],
  ['rival.com', false],
])('an overview that cites %s cites the domain: %s', (domain, cited) => {
  const overview = itemOf('', 1, {
    type: 'ai_overview',
    state: 'present',
    sources: [{ position: 1, title: 'T', url: `https://${domain}/`, domain }],
  });

  expect(observed(own, [], pagesOf([overview, ...web])).cited).toBe(cited);
});
