/** Which texts name a channel or a video, and the one spelling that each name is compared in. */
import { expect, test } from 'vitest';
import { readChannelOrVideo } from '../../../lib/model/channel.ts';

const id = 'UCacmeacmeacmeacmeacme12';

test.each([
  ['@AcmeCoffee', 'handle', 'acmecoffee'],
  [' @AcmeCoffee ', 'handle', 'acmecoffee'],
  ['youtube.com/@AcmeCoffee', 'handle', 'acmecoffee'],
  ['HTTPS://WWW.YOUTUBE.COM/@AcmeCoffee/videos', 'handle', 'acmecoffee'],
  ['//m.youtube.com/@AcmeCoffee?si=1', 'handle', 'acmecoffee'],
  ['youtube.com:443/@AcmeCoffee#about', 'handle', 'acmecoffee'],
  ['music.youtube.com/@AcmeCoffee', 'handle', 'acmecoffee'],
  ['youtube.com/@Кофейня', 'handle', 'кофейня'],
  [id, 'id', id],
  [`youtube.com/channel/${id}/`, 'id', id],
  ['youtube.com/c/AcmeTV', 'c', 'acmetv'],
  ['youtube.com/AcmeTV', 'c', 'acmetv'],
  ['youtube.com/user/Acme', 'user', 'acme'],
  ['youtube.com/watch?v=roast-coff1', 'video', 'roast-coff1'],
  ['youtu.be/roast-coff1?t=3', 'video', 'roast-coff1'],
  ['youtube.com/shorts/roast-coff1', 'video', 'roast-coff1'],
])('%s is the %s %s', (text, kind, name) => {
  expect(readChannelOrVideo(text)).toEqual({ kind, name });
});

test.each([
  '',
  ' ',
  '@',
  'AcmeCoffee',
  'acme.com',
  'youtube.com',
  'youtube.com/',
  'youtube.com/@',
  'youtube.com/channel/UCshort',
  'youtube.com/channel',
  'youtube.com/watch',
  'youtube.com/watch?v=short',
  'youtube.com/results?search_query=tea',
  'youtube.com/playlist?list=PL1',
  'youtube.com/feed/trending',
  'youtu.be/',
  'youtube.de/@acme',
  'notyoutube.com/@acme',
  'youtube.com.evil.test/@acme',
  'evil.test/youtube.com/@acme',
  'ftp://youtube.com/@acme',
  'somebody@youtube.com',
])('%j names neither', (text) => {
  expect(readChannelOrVideo(text)).toBeNull();
});
