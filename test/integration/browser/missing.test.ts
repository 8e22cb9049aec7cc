/** A machine without a browser. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { browserIdentityFor } from '../../../lib/fetcher/identity.ts';
import { renderHtml } from '../../../lib/net/render-html.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'no-browser-'));
  // The package does not unpack a file that already exists. This file is executable, but not a browser.
  await writeFile(join(folder, 'chromium'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('a render on a machine without a browser is unavailable', async () => {
  const outcome = await renderHtml({
    url: 'https://www.google.com/search?q=a',
    invent: async () => ({ status: 200, headers: {}, body: '<html></html>' }),
    identity: browserIdentityFor('desktop', 'en', 'US'),
    deadlineMs: 20_000,
    patienceMs: () => 0,
  });

  expect(outcome).toEqual({ ok: false, reason: 'unavailable: no browser runs here' });
});
