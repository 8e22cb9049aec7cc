/** Domain tracking on YouTube: a tracked site is a channel or a video, and the ranking is the videos. */
import { describe, expect, test } from 'vitest';
import type { ResultItem } from '../../../../lib/model/result.ts';
import { mergePages, topTen } from '../../../../lib/serp/merge.ts';
import {
  couldBeHidden,
  foundAll,
  hasUnknownHost,
  type TrackingRequest,
  trackDomains,
} from '../../../../lib/serp/tracking.ts';
import { sites } from '../../../../lib/serp/youtube/site.ts';

const origin = 'https://www.youtube.com';
const id = 'UCacmeacmeacmeacmeacme12';

const video = (more: Partial<ResultItem> = {}): ResultItem => ({
  type: 'video',
  position: '1',
  absolute_position: 1,
  title: 'How to roast coffee',
  url: `${origin}/watch?v=roast-coff1`,
  breadcrumb: '',
  snippet: '',
  url_resolution: 'direct',
  channel: 'Acme Coffee',
  channel_url: `${origin}/@AcmeCoffee`,
  channel_id: id,
  ...more,
});

const named = (path: string): ResultItem => video({ channel_url: `${origin}${path}` });

test.each([
  ['@AcmeCoffee', video()],
  ['@acmecoffee', video()],
  [' @ACMECOFFEE ', video()],
  ['youtube.com/@AcmeCoffee', video()],
  ['www.youtube.com/@acmecoffee', video()],
  ['m.youtube.com/@acmecoffee', video()],
  ['https://www.youtube.com/@AcmeCoffee', video()],
  ['https://www.youtube.com/@AcmeCoffee/videos', video()],
  ['https://youtube.com/@AcmeCoffee?si=abc', video()],
  ['https://www.youtube.com/%40AcmeCoffee', video()],
  [id, video()],
  [`youtube.com/channel/${id}`, video()],
  [`https://www.youtube.com/channel/${id}/videos`, video()],
  ['youtube.com/c/AcmeTV', named('/c/AcmeTV')],
  ['youtube.com/c/acmetv', named('/c/AcmeTV')],
  ['youtube.com/AcmeTV', named('/c/AcmeTV')],
  ['youtube.com/user/acme', named('/user/Acme')],
  ['youtube.com/@Кофейня', named('/@%D0%9A%D0%BE%D1%84%D0%B5%D0%B9%D0%BD%D1%8F')],
  ['youtube.com/@%D0%BA%D0%BE%D1%84%D0%B5%D0%B9%D0%BD%D1%8F', named('/@Кофейня')],
  ['https://www.youtube.com/watch?v=roast-coff1', video()],
  ['youtube.com/watch?list=PL1&v=roast-coff1&t=10s', video()],
  ['https://youtu.be/roast-coff1?si=abc', video()],
  ['youtube.com/shorts/roast-coff1', video()],
  ['youtube.com/live/roast-coff1', video()],
  ['youtube.com/embed/roast-coff1', video()],
  [
    '@guest',
    video({
      profiles: [
        { title: 'Acme', url: `${origin}/@AcmeCoffee` },
        { title: 'Guest', url: `${origin}/@Guest` },
      ],
    }),
  ],
])('%s covers the video', (name, item) => {
  expect(sites.read(name).covers(item)).toBe(true);
});

test.each([
  ['@acme', video()],
  ['@AcmeCoffee2', video()],
  ['AcmeCoffee', video()],
  ['youtube.com/@acmecoffee.shop', video()],
  ['youtube.com/c/AcmeCoffee', video()],
  [id.toLowerCase(), video()],
  ['UCother1other2other3other', video()],
  ['youtube.com', video()],
  ['youtube.com/results?search_query=AcmeCoffee', video()],
  ['youtube.com/playlist?list=PL1', video()],
  ['acmecoffee.example', video()],
  ['other.example/@AcmeCoffee', video()],
  ['notyoutube.com/@AcmeCoffee', video()],
  ['youtube.com/watch?v=other-video', video()],
  ['youtu.be/ROAST-COFF1', video()],
  ['@AcmeCoffee', video({ channel_url: '', channel_id: '' })],
  ['', video()],
  ['http://', video()],
])('%s does not cover the video', (name, item) => {
  expect(sites.read(name).covers(item)).toBe(false);
});

test.each([
  ['@other', 'named by its handle', video(), false],
  ['UCother1other2other3other', 'with its id', video(), false],
  ['youtube.com/watch?v=other-video', 'of any channel', video({ channel_url: '' }), false],
  ['@acme', 'named by its id only', named(`/channel/${id}`), true],
  ['youtube.com/c/acme', 'named by its handle', video(), true],
  ['@acme', 'of an unknown channel', video({ channel_url: '', channel_id: '' }), true],
  ['example.com', 'of an unknown channel', video({ channel_url: '', channel_id: '' }), false],
])('%s compared with a video %s: could be the same: %s', (name, _, item, could) => {
  expect(sites.read(name).couldCover(item)).toBe(could);
});

describe('a result', () => {
  const page = {
    left: [
      { ...video(), type: 'short' as const, channel_url: `${origin}/@shorts` },
      video({ position: '1', channel_url: `${origin}/@First`, channel_id: 'UCfirst1first2first3firs' }),
      video({ position: '2', url: `${origin}/watch?v=second-vid1` }),
      video({ position: '3', url: `${origin}/watch?v=third-video` }),
      { ...video(), type: 'carousel' as const, channel_url: `${origin}/@shelf` },
      video({ position: '4', channel_url: `${origin}/channel/${id}` }),
    ],
    right: [],
  };
  const request: TrackingRequest = {
    domain: 'youtube.com/@acmecoffee',
    competitors: [
      { competitor: '@first', type: 'domain', keyword_id: 7 },
      { competitor: '@nobody', type: 'domain', keyword_id: null },
    ],
    business_name: null,
    keyword_id: 5,
  };

  test('tracks channels by the positions of their videos', () => {
    expect(trackDomains(page, request, sites)).toMatchObject({
      'youtube.com/@acmecoffee': { type: 'owner', keyword_id: 5, results: { organic: { position: '2' } } },
      '@first': { type: 'competitor', keyword_id: 7, results: { organic: { position: '1' } } },
      '@nobody': { type: 'competitor', results: { organic: { position: '1000', url: '-' } } },
    });
  });

  test('names other channels by their handles, or by their ids', () => {
    expect(Object.keys(trackDomains(page, { ...request, competitors: null }, sites))).toEqual([
      'youtube.com/@acmecoffee',
      '@First',
      `channel/${id}`,
    ]);
  });

  test('knows whether all were found, and whether one could be hidden', () => {
    expect(foundAll(page, request, sites)).toBe(false);
    expect(foundAll(page, { ...request, competitors: null }, sites)).toBe(true);
    expect(couldBeHidden(page, request, sites)).toBe(true);
    expect(couldBeHidden({ ...page, left: page.left.slice(0, 4) }, request, sites)).toBe(false);
    expect(hasUnknownHost(page, sites)).toBe(false);
    expect(hasUnknownHost({ left: [video({ channel_url: '' })], right: [] }, sites)).toBe(true);
  });

  test('has the handles of the videos in top_10, each once', () => {
    expect(topTen(page, sites)).toEqual(['@First', '@AcmeCoffee', `channel/${id}`]);
  });

  test('is cut off at the depth by its videos', () => {
    const { left } = mergePages([page, page], 5, sites);

    expect(left.filter(({ type }) => type === 'video').map(({ position }) => position)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect(left.filter(({ type }) => type !== 'video')).toHaveLength(4);
  });
});
