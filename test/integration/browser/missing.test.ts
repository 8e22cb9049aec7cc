import { expect, test, vi } from 'vitest';
import { browserIdentityFor } from '../../../lib/crawl/identity.ts';
import { renderPage } from '../../../lib/runtime/render-page.ts';

test('a machine on which no browser starts says so, and the page is not blamed', async () => {
  // There is no place to unpack Chromium in: nothing can be made below a file.
  vi.stubEnv('TMPDIR', `${import.meta.filename}/folder`);

  const got = await renderPage({
    url: 'https://www.google.com/search?q=a',
    invent: async () => ({ status: 200, headers: {}, body: '<html></html>' }),
    identity: browserIdentityFor('desktop', 'en', 'US'),
    deadlineMs: 20_000,
    patienceMs: () => 0,
  });

  expect(got).toEqual({ ok: false, reason: 'unavailable: no browser runs here' });
});
