/** The console: a page for people. It has no inline script or style. */
import * as v from 'valibot';
import type { RawResponse } from '../api/route.ts';
import { HttpError } from '../model/http-error.ts';
import { builtFiles } from './built.ts';
import { htmlPage, linkPrefix } from './html-page.ts';

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** A file of this name never has other bytes, so a browser need not ask for it again (RFC 8246). */
const forever = 'public, max-age=31536000, immutable';

const Entry = v.object({ script: v.string(), styles: v.string(), files: v.array(v.string()) });

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3451d1"/><path d="M8 22.5 13.5 15l4.5 4L24 9.5" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const read = builtFiles(new URL('console/', import.meta.url), async () => {
  const { buildConsole } = await import('#console');
  return buildConsole();
});

const readEntry = async (): Promise<v.InferOutput<typeof Entry>> =>
  v.parse(Entry, JSON.parse(Buffer.from(await read('entry.json')).toString('utf8')));

/**
 * A file of the console. Scripts and styles have a hash of their bytes in their names, and only a name that
 * the build knows becomes part of a file path.
 * @throws HttpError 404 if there is no such file, such as a script of an earlier release.
 */
export const consoleAsset = async (name: string): Promise<RawResponse> => {
  if (name === 'icon.svg') {
    return { statusCode: 200, headers: { 'Content-Type': 'image/svg+xml' }, body: icon };
  }
  const text = async (): Promise<string> => Buffer.from(await read(name)).toString('utf8');
  if (name === 'licenses.txt') {
    return { statusCode: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: await text() };
  }
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  if (!type || !(await readEntry()).files.includes(name)) throw new HttpError(404, 'Not Found');
  return { statusCode: 200, headers: { 'Content-Type': type, 'Cache-Control': forever }, body: await text() };
};

/** The page of the console. The frame with a crawled page inherits its Content-Security-Policy. */
export const consolePage = async (path: string): Promise<RawResponse> => {
  const base = linkPrefix(path);
  const { script, styles } = await readEntry();
  return htmlPage({
    title: 'Search ranking console',
    head: [
      '<meta name="color-scheme" content="light dark">',
      `<link rel="icon" type="image/svg+xml" href="${base}console/icon.svg">`,
      `<link rel="stylesheet" href="${base}console/${styles}">`,
      `<script type="module" src="${base}console/${script}"></script>`,
    ],
    body: [
      '<div id="console"></div>',
      `<noscript>The console needs JavaScript. The interface itself does not: see the <a href="${base}docs">documentation</a>.</noscript>`,
    ],
    isLive: true,
  });
};
