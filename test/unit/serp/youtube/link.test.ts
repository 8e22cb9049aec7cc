/** Links on YouTube's pages: redirects are unwrapped offline, in every known form. */
import { expect, test } from 'vitest';
import { isPlaylistId, playlistTarget, targetOf, videoTarget } from '../../../../lib/serp/youtube/link.ts';

const page = 'https://acme.example/a?b=c&d=e f';
const wrapped = encodeURIComponent(page);
const plain = 'https://acme.example/a?b=c&d=e%20f';

test.each([
  [
    `https://www.youtube.com/redirect?event=video_description&redir_token=QUFF&q=${wrapped}`,
    plain,
    'unwrapped',
  ],
  [`https://www.youtube.com/redirect?q=${wrapped}&v=abcdefghijk`, plain, 'unwrapped'],
  [`https://m.youtube.com/redirect?q=${wrapped}`, plain, 'unwrapped'],
  [`/redirect?q=${wrapped}`, plain, 'unwrapped'],
  [`https://www.youtube.com/redirect?url=${wrapped}`, plain, 'unwrapped'],
  [`https://www.google.com/url?q=${wrapped}&sa=U`, plain, 'unwrapped'],
  [`https://www.google.de/url?esrc=s&q=&url=${wrapped}`, plain, 'unwrapped'],
  [`https://www.googleadservices.com/pagead/aclk?sa=L&ai=abc&adurl=${wrapped}`, plain, 'unwrapped'],
  [`https://www.google.com/aclk?sa=L&ai=abc&co=1&adurl=${wrapped}`, plain, 'unwrapped'],
  [`https://ad.doubleclick.net/pagead/aclk?adurl=${wrapped}`, plain, 'unwrapped'],
  [`https://ad.doubleclick.net/searchads/link/clk?ds_dest_url=${wrapped}`, plain, 'unwrapped'],
  [
    'https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3Dabcdefghijk',
    'https://www.youtube.com/watch?v=abcdefghijk',
    'unwrapped',
  ],
  [
    'https://www.youtube.com/signin?next=%2Fresults%3Fsearch_query%3Dcoffee',
    'https://www.youtube.com/results?search_query=coffee',
    'unwrapped',
  ],
  [
    `https://accounts.google.com/ServiceLogin?service=youtube&continue=${encodeURIComponent(`https://www.youtube.com/redirect?q=${wrapped}`)}`,
    plain,
    'unwrapped',
  ],
  [
    `https://consent.youtube.com/m?continue=${encodeURIComponent('https://www.youtube.com/watch?v=abcdefghijk')}&gl=DE`,
    'https://www.youtube.com/watch?v=abcdefghijk',
    'unwrapped',
  ],
  [
    'https://www.googleadservices.com/pagead/aclk?sa=L&ai=abc',
    'https://www.googleadservices.com/pagead/aclk?sa=L&ai=abc',
    'opaque',
  ],
  [
    'https://www.youtube.com/redirect?redir_token=QUFF',
    'https://www.youtube.com/redirect?redir_token=QUFF',
    'opaque',
  ],
  ['/watch?v=abcdefghijk', 'https://www.youtube.com/watch?v=abcdefghijk', 'direct'],
  [
    '//support.google.com/youtube/answer/1?hl=en',
    'https://support.google.com/youtube/answer/1?hl=en',
    'direct',
  ],
  [
    'https://acme.example/redirect?q=https://other.example/',
    'https://acme.example/redirect?q=https://other.example/',
    'direct',
  ],
  ['https://acme.example/a#:~:text=coffee', 'https://acme.example/a', 'direct'],
])('%s leads to %s (%s)', (href, url, url_resolution) => {
  expect(targetOf(href)).toEqual({ url, url_resolution });
});

test('a plus sign and an escaped percent sign in a target stay as they are', () => {
  const target = 'https://acme.example/?q=a+b&r=50%25';

  expect(targetOf(`/redirect?q=${encodeURIComponent(target)}`)?.url).toBe(target);
});

test.each([
  [''],
  ['javascript:alert(1)'],
  ['mailto:a@acme.example'],
  ['/redirect?q=data%3Atext%2Fhtml'],
  ['http://'],
])('%j leads nowhere', (href) => {
  expect(targetOf(href)).toBeNull();
});

test('redirects to redirects end after a few steps', () => {
  const loop = (inner: string) => `https://www.youtube.com/redirect?q=${encodeURIComponent(inner)}`;
  const wrapped = (times: number) =>
    Array.from({ length: times }).reduce<string>(loop, 'https://acme.example/');

  expect(targetOf(wrapped(3))?.url).toBe('https://acme.example/');
  expect(targetOf(wrapped(6))?.url).toContain('/redirect?');
  expect(targetOf(wrapped(50))).toBeNull();
});

test('a video has one address, a mix the link to its first video', () => {
  expect(videoTarget('abcdefghijk').url).toBe('https://www.youtube.com/watch?v=abcdefghijk');
  expect(playlistTarget('RDabcdefghijk', 'abcdefghijk').url).toBe(
    'https://www.youtube.com/watch?v=abcdefghijk&list=RDabcdefghijk',
  );
  expect(playlistTarget('PL123', 'abcdefghijk').url).toBe('https://www.youtube.com/playlist?list=PL123');
  expect(playlistTarget('RDabcdefghijk', '').url).toBe('https://www.youtube.com/playlist?list=RDabcdefghijk');
});

test.each([
  ['PLroastroastroast1', true],
  ['PL067381E9FA1F377B', true],
  ['RDroastcoff01', true],
  ['OLAK5uy_roastroastroastroastroast1', true],
  ['UUacmeacmeacmeacmeacme12', true],
  ['UCacmeacmeacmeacmeacme12', false],
  ['roastcoff01', false],
  ['ROASTCOFF01', false],
  ['', false],
])('%j is the id of a playlist: %s', (id, isOne) => {
  expect(isPlaylistId(id)).toBe(isOne);
});
