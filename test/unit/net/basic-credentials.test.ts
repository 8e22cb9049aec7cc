/** The credentials of a URL, of a proxy or of a receiver of webhooks. */
import { expect, test } from 'vitest';
import { basicCredentials } from '../../../lib/net/basic-credentials.ts';

test.each([
  ['user:word@', 'user:word'],
  ['user@', 'user:'],
  [':word@', ':word'],
  ['me:p%3Aw%40@', 'me:p:w@'],
  ['me:p%C3%A4%E6%97%A5@', 'me:pä日'],
  ['us%er:p%C3@', 'us%er:p%C3'],
])('%s are those of the Basic scheme', (written, sent) => {
  expect(basicCredentials(new URL(`http://${written}proxy.example/`))).toBe(
    `Basic ${Buffer.from(sent).toString('base64')}`,
  );
});

test.each(['http://proxy.example/', 'http://@proxy.example/', 'http://:@proxy.example/'])(
  '%s has none',
  (url) => {
    expect(basicCredentials(new URL(url))).toBeUndefined();
  },
);
