/**
 * `npm run fetchers` on the embedded stack: the order, the proxies and the rates of fetchers, which a restart
 * keeps.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { commandHere } from '../../command-here.ts';
import { serve, serveProxy } from '../../integration/net/loopback.ts';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fetchers-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** The command in a separate process. */
const runAsProcess = async (args: string[], input: string) => {
  const child = spawn(process.execPath, ['infra/commands/fetchers.ts', ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  child.stdin.end(input);
  const ended = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, stdout, stderr };
};

const run = (args: string[], input = '') => commandHere('fetchers', args, { DATA_DIR: dataDir }, input);

const startEngine = () =>
  serve((request, response) => {
    const url = new URL(request.url ?? '/', 'https://www.google.com').href;
    const page = answerRequest({ url, device: 'desktop', now: Math.floor(Date.now() / 1000) });
    response.writeHead(page.status, page.headers).end(page.body);
  });

const settings = { google: { order: ['browser'], rate: 50, proxies: { browser: 'homes' } } };

test('settings are stored, shown, and used by the next start: the page comes from the browser alone, through its proxy', async () => {
  const engine = await startEngine();
  const [offices, homes] = [await serveProxy(engine), await serveProxy(engine)];
  const environment = {
    GOOGLE_ORIGIN: engine,
    RESOLVE_LINKS: 'never',
    PROXY_URL: JSON.stringify({
      default: offices.origin,
      homes: homes.origin.replace('//', '//user:open-sesame@'),
    }),
  };

  const first = await startService(environment, dataDir);
  try {
    expect((await run(['show'])).stdout).toContain('google  order default  rate default\n');
    expect(await runAsProcess(['set'], JSON.stringify(settings))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The settings are stored.'),
    });
    const { stdout } = await run(['show']);
    expect(stdout).toContain('google  order browser  rate 50 pages per second\n');
    expect(stdout).toContain('  browser  proxy homes  0 failures in a row\n');
    expect(stdout).toContain(`The settings as JSON: ${JSON.stringify(settings)}\n`);
    expect(stdout).not.toContain('open-sesame');

    const unknown = { google: { proxies: { http: 'ships' } } };
    expect(await runAsProcess(['set'], JSON.stringify(unknown))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The secret PROXY_URL has no proxy with the name ships\. Its names are: default, homes\n$/m,
      ),
    });
  } finally {
    await first.stop();
  }
  const second = await startService(environment, dataDir);
  try {
    const task = await clientOf(second).searched({ keyword: 'quiet keyboards' });

    expect(task).toMatchObject({ status: 'success', pages: [{ retry_count: 0 }] });
    expect(offices.tunnels).toEqual([]);
    expect(homes.tunnels.length).toBeGreaterThan(0);
    const log = await readFile(join(second.dataDir, 'service.log'), 'utf8');
    expect(log.match(/"message":"page fetched".*?"route":"(\w+)"/g)).toEqual([
      expect.stringContaining('"route":"browser"'),
    ]);
  } finally {
    await second.stop();
  }
});

test.each([
  [[], '', /^Arguments are missing\.\nUsage: npm run fetchers/],
  [['show', 'google'], '', /^Unknown arguments: show google\nUsage/],
  [['set'], '{', /^The settings must be JSON$/m],
  [
    ['set'],
    '{"google": {"order": ["carrier"]}}',
    /^google\.order\.0: A fetcher must be http, browser, upstream or sandbox$/m,
  ],
  [['set'], '{"altavista": {}}', /^Unknown engine: altavista\. The engines are: google, /],
  [['set'], '{}', /^No stack runs in/],
])('%j with the input %j ends with a clear message', async (args, input, message) => {
  expect(await run(args, input)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});
