/** The console: a page for people. It has no inline script or style. */
import type { RawResponse } from '../api/route.ts';
import { HttpError } from '../model/http-error.ts';
import { builtFiles } from './built.ts';
import { htmlPage, linkPrefix } from './html-page.ts';

const types: Record<string, string> = {
  'console.js': 'text/javascript; charset=utf-8',
  'console.css': 'text/css; charset=utf-8',
  'licenses.txt': 'text/plain; charset=utf-8',
};

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3451d1"/><path d="M8 22.5 13.5 15l4.5 4L24 9.5" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const read = builtFiles(new URL('console/', import.meta.url), async () => {
  const { buildConsole } = await import('#console');
  return buildConsole();
});

/**
 * A file of the console. Client input never becomes part of a file path.
 * @throws HttpError 404 if the name is not in `types`.
 */
export const consoleAsset = async (name: string): Promise<RawResponse> => {
  if (name === 'icon.svg') {
    return { statusCode: 200, headers: { 'Content-Type': 'image/svg+xml' }, body: icon };
  }
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  if (!type) throw new HttpError(404, 'Not Found');
  const body = Buffer.from(await read(name)).toString('utf8');
  return { statusCode: 200, headers: { 'Content-Type': type }, body };
};

/** The page of the console. The frame with a crawled page inherits its Content-Security-Policy. */
export const consolePage = (path: string): RawResponse => {
  const base = linkPrefix(path);
  return htmlPage({
    title: 'Search ranking console',
    head: [
      '<meta name="color-scheme" content="light dark">',
      `<link rel="icon" type="image/svg+xml" href="${base}console/icon.svg">`,
      `<link rel="stylesheet" href="${base}console/console.css">`,
      `<script type="module" src="${base}console/console.js"></script>`,
    ],
    body: [
      '<div id="console"></div>',
      `<noscript>The console needs JavaScript. The interface itself does not: see the <a href="${base}docs">documentation</a>.</noscript>`,
    ],
  });
};
