/** Asking the links of an open page where they redirect to, with its cookies and through its way out. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import type { AskLink } from '../../../lib/net/ask-in-page.ts';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import type { Rendered } from '../../../lib/net/render-html.ts';
import { serve } from '../net/loopback.ts';
import { good, html, render } from './render.ts';

afterAll(closeBrowsers);

const wall = html(`<script>document.cookie='passed=1'; location.reload()</script>`);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A page behind a script wall. Its links answer only requests with the cookie of the wall. */
const start = async (answer: Answer) => {
  const requests: string[] = [];
  const origin = await serve((request, response) => {
    const isPassed = request.headers.cookie?.includes('passed=1') === true;
    if (request.url === '/search') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(isPassed ? good : wall);
      return;
    }
    if (request.url !== '/favicon.ico') requests.push(`${request.url}`);
    if (isPassed) answer(request, response);
    else response.writeHead(403).end();
  });
  return { origin, requests };
};

const renderAnd = async (
  origin: string,
  work: (page: Rendered, ask: AskLink) => Promise<void>,
  deadlineMs = 8000,
) => render(`${origin}/search`, { whileOpen: { work, deadlineMs } });

const askAll = async (origin: string, links: string[]) => {
  let answers: (string | null)[] = [];
  const page = await renderAnd(origin, async (_page, ask) => {
    answers = await Promise.all(links.map((link) => ask(`${origin}${link}`)));
  });
  return { page, answers };
};

test('asks links concurrently, and does not follow their redirects', async () => {
  const { origin, requests } = await start(({ url }, response) =>
    response.writeHead(302, { location: `http://${url?.slice(8)}.invalid/path?a=b` }).end(),
  );

  const { page, answers } = await askAll(origin, ['/goto?u=one', '/goto?u=two', '/goto?u=three']);

  expect(page).toMatchObject({ ok: true, status: 200 });
  expect(answers).toEqual(['one', 'two', 'three'].map((host) => `http://${host}.invalid/path?a=b`));
  expect(requests.toSorted()).toEqual(['/goto?u=one', '/goto?u=three', '/goto?u=two']);
});

test('returns a redirect on the same host, and does not follow it either', async () => {
  const { origin, requests } = await start((_, response) =>
    response.writeHead(302, { location: '/sorry/index' }).end(),
  );

  expect((await askAll(origin, ['/goto?u=a'])).answers).toEqual([`${origin}/sorry/index`]);
  expect(requests).toEqual(['/goto?u=a']);
});

test.each<[string, Answer]>([
  ['a page', (_, response) => response.writeHead(200).end('whole')],
  ['a refusal', (_, response) => response.writeHead(429, { location: 'https://example.com/' }).end()],
  ['a reset', (request) => request.socket.resetAndDestroy()],
])('returns null for %s', async (_, answer) => {
  const { origin } = await start(answer);

  expect((await askAll(origin, ['/goto?u=a'])).answers).toEqual([null]);
});

test('does not reach a forbidden address', async () => {
  let reached = 0;
  const other = await serve((_, response) => {
    reached++;
    response.end();
  });
  const { origin } = await start((_, response) => response.writeHead(302, { location: `${other}/` }).end());
  let answers: (string | null)[] = [];

  await renderAnd(origin, async (_page, ask) => {
    answers = [await ask(`${other}/goto`), await ask(`${origin}/goto`)];
  });

  expect(answers).toEqual([null, `${other}/`]);
  expect(reached).toBe(0);
});

test('returns the page even if the work on it hangs or fails', async () => {
  const { origin } = await start(() => {});

  const hanging = await renderAnd(origin, async (_page, ask) => void (await ask(`${origin}/goto`)), 500);
  const failing = await renderAnd(origin, () => Promise.reject(new Error('broken')));

  for (const page of [hanging, failing]) {
    expect(page).toMatchObject({ ok: true, body: expect.stringContaining('<p id="done">whole</p>') });
  }
});
