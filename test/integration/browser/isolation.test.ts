/** Pages in one browser cannot see each other's data, and a browser is replaced after a number of pages. */
import { afterAll, describe, expect, test } from 'vitest';
import { closeBrowsers } from '../../../lib/net/browser.ts';
import { serve } from '../net/loopback.ts';
import { browsers } from './processes.ts';
import { good, html, render } from './render.ts';

afterAll(closeBrowsers);

const reportOf = (body: string): unknown =>
  JSON.parse(atob(/<pre id="done">(.*)<\/pre>/.exec(body)?.[1] ?? ''));

/** Reports which data of an earlier page is left, then stores such data itself. */
const storingScript = `
  const read = async () => ({
    cookie: document.cookie,
    local: localStorage.length,
    session: sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    files: await (await navigator.storage.getDirectory()).getFileHandle('x').then(() => 1, () => 0),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    name: window.name,
    history: history.length,
    locks: (await navigator.locks.query()).held.length,
    answered: await (await fetch('/cached')).text(),
  });
  const leave = async () => {
    document.cookie = 'kept=1; max-age=1000';
    localStorage.kept = 1;
    sessionStorage.kept = 1;
    window.name = 'kept';
    await new Promise((done) => { indexedDB.open('kept').onsuccess = done });
    await (await caches.open('kept')).put('/kept', new Response('kept'));
    await (await navigator.storage.getDirectory()).getFileHandle('x', { create: true });
    navigator.locks.request('kept', () => new Promise(() => {}));
    if (location.search.includes('worker')) await navigator.serviceWorker.register('/worker.js');
  };
  (async () => {
    const found = await read();
    await leave();
    const kept = await read();
    const pre = document.body.appendChild(document.createElement('pre'));
    pre.textContent = btoa(JSON.stringify({ found, kept }));
    pre.id = 'done';
  })();`;

const serveStoring = () => {
  let answers = 0;
  return serve((request, response) => {
    if (request.url === '/cached') {
      response.writeHead(200, { 'cache-control': 'max-age=1000' }).end(String(++answers));
    } else if (request.url === '/worker.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end('');
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(`<script>${storingScript}</script>`));
    }
  });
};

const noData = {
  cookie: '',
  local: 0,
  session: 0,
  databases: 0,
  caches: 0,
  files: 0,
  workers: 0,
  name: '',
  // The empty page of every new tab, and this page.
  history: 2,
  locks: 0,
};

const visit = async (url: string): Promise<unknown> => {
  const page = await render(url);
  if (!page.ok) throw new Error(page.reason);
  return reportOf(page.body);
};

describe('the data that a page stores', () => {
  test('is not visible to the next page in the same browser', async () => {
    const origin = await serveStoring();
    const kept = {
      cookie: 'kept=1',
      local: 1,
      session: 1,
      databases: 1,
      caches: 1,
      files: 1,
      name: 'kept',
      locks: 1,
    };

    const first = await visit(`${origin}/`);
    const [browser] = browsers();
    const second = await visit(`${origin}/`);

    expect(first).toMatchObject({ found: { ...noData, answered: '1' }, kept });
    expect(second).toMatchObject({ found: { ...noData, answered: '2' }, kept });
    expect(browsers()).toEqual([browser]);
  });

  test('is not visible if it includes a service worker', async () => {
    const origin = await serveStoring();

    expect(await visit(`${origin}/?worker`)).toMatchObject({ found: noData, kept: { workers: 1 } });
    expect(await visit(`${origin}/?worker`)).toMatchObject({ found: noData, kept: { workers: 1 } });
  });
});

test('four pages open at a time, each in its own browser, and other pages wait', async () => {
  const origin = await serve((request, response) => {
    response.setHeader('content-type', 'text/html');
    setTimeout(() => response.end(good), request.url === '/favicon.ico' ? 0 : 300);
  });

  const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => render(`${origin}/${n}`)));

  expect(pages.map((page) => page.ok && page.url)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `${origin}/${n}`));
  expect(browsers()).toHaveLength(4);
});

test('a browser is reused for many pages, then replaced', async () => {
  await closeBrowsers();
  const origin = await serve((_, response) => response.setHeader('content-type', 'text/html').end(good));
  const seen: number[] = [];
  for (let n = 0; n < 45; n++) {
    await render(`${origin}/`);
    seen.push(...browsers());
  }

  expect(new Set(seen).size).toBe(2);
});
