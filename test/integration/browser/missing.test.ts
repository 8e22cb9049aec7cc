/**
 * A machine on which Chromium should start and does not, one without the libraries that it needs, and a
 * platform that has no Chromium.
 */
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { browserIdentityFor } from '../../../lib/fetcher/identity.ts';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { chromiumFolder, unpackChromium } from '../../../lib/net/chromium-program.ts';
import { renderHtml } from '../../../lib/net/render-html.ts';
import { linesOf } from './log-lines.ts';
import { browsers } from './processes.ts';

const realBrowser = await unpackChromium();

// One folder for all tests: the path of the browser is looked up once in a process.
let temporary: string;
let folder: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'no-browser-'));
  vi.stubEnv('TMPDIR', temporary);
  folder = await chromiumFolder();
  await mkdir(folder);
  await symlink(join(dirname(realBrowser), 'al2023'), join(folder, 'al2023'));
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(temporary, { recursive: true });
});

/** Replaces the browser by a script. A folder that exists is not unpacked again. */
const givenBrowser = (script: string) =>
  writeFile(join(folder, 'chromium'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

const render = (totalMs: number) =>
  renderHtml({
    url: 'https://www.google.com/search?q=a',
    invent: async () => ({ status: 200, headers: {}, body: '<html></html>' }),
    identity: browserIdentityFor('desktop', 'en', 'US'),
    deadlineMs: 20_000,
    totalMs,
    patienceMs: () => 0,
  });

test.each([
  ['ends at once', 'exit 1', 20_000],
  ['never answers', 'while :; do sleep 1; done', 500],
])('a browser that %s is a fault of the service, and is measured', async (_, script, totalMs) => {
  await givenBrowser(script);
  const lines = linesOf();

  expect(await render(totalMs)).toEqual({ ok: false, reason: 'machinery: the browser did not start' });

  expect(lines()).toEqual([
    expect.objectContaining({ level: 'ERROR', message: 'no browser', BrowserFailed: 1 }),
  ]);
  await vi.waitFor(() => expect(browsers()).toEqual([]), 120_000);
});

test('on a machine without the libraries of a desktop, the browser gets those of its package', async () => {
  for (const name of ['LD_LIBRARY_PATH', 'FONTCONFIG_PATH']) vi.stubEnv(name, undefined);
  const own = join(folder, 'al2023/lib');
  // As the loader of glibc says it.
  const missing = 'error while loading shared libraries: libnspr4.so: cannot open shared object file';
  await givenBrowser(`
    if [ "$LD_LIBRARY_PATH" != ${own} ] || [ ! -e ${own}/libnspr4.so ]; then
      echo "$0: ${missing}: No such file or directory" >&2
      exit 127
    fi
    exec ${realBrowser} "$@"`);

  expect(await render(100_000)).toMatchObject({ ok: true, status: 200 });
  expect(await readdir(own)).toContain('libnss3.so');
  await closeBrowsers();
});

test.each([
  ['darwin', 'arm64'],
  ['darwin', 'x64'],
  ['linux', 'arm64'],
  ['win32', 'x64'],
] as const)('a render on %s %s, for which there is no Chromium, is unavailable', async (platform, arch) => {
  await givenBrowser('exit 1');
  const lines = linesOf();
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
  vi.spyOn(process, 'arch', 'get').mockReturnValue(arch);

  const outcome = await render(20_000);

  expect(outcome).toEqual({ ok: false, reason: 'unavailable: there is no browser for this platform' });
  expect(lines()).toMatchObject([{ level: 'WARN', message: 'no browser for this platform' }]);
  expect(lines()[0]).not.toHaveProperty('BrowserFailed');
});
