/**
 * The documentation for people: the pages of `docs/api` as HTML, which `lib/docs` builds, the page that tries
 * operations, and their files.
 */
import type { RawResponse } from '../api/route.ts';
import { HttpError } from '../model/http-error.ts';
import { builtFiles } from './built.ts';
import { icon } from './console.ts';
import { htmlResponse, linkPrefix } from './html-page.ts';
import { markdownPage, type PageName, pageNamed } from './pages.ts';
import { base, server } from './placeholders.ts';
import { tryAssets, tryPage } from './try.ts';

const readBuilt = builtFiles(new URL('docs/', import.meta.url), async () => {
  const { buildDocs } = await import('#docs');
  return buildDocs();
});

const textOf = async (name: string): Promise<string> => Buffer.from(await readBuilt(name)).toString('utf8');

const assets: typeof tryAssets = {
  ...tryAssets,
  'icon.svg': { type: 'image/svg+xml', read: async () => icon },
  'docs.css': { type: 'text/css; charset=utf-8', read: () => textOf('docs.css') },
  'docs.js': { type: 'text/javascript; charset=utf-8', read: () => textOf('docs.js') },
  'search.json': { type: 'application/json', read: () => textOf('search.json') },
  'licenses.txt': { type: 'text/plain; charset=utf-8', read: () => textOf('licenses.txt') },
};

/** A page for people. Its links are relative to `path`, the path of the request. */
export const docsPage = async (name: PageName, path: string): Promise<RawResponse> =>
  htmlResponse((await textOf(`${name}.html`)).replaceAll(base, linkPrefix(path)));

/**
 * A page of the documentation in HTML or in Markdown, or one of its files. Client input never becomes part of
 * a file path.
 * @throws HttpError 404 if the name is that of none.
 */
export const docsAsset = async (name: string, path: string): Promise<RawResponse> => {
  if (name === 'try') return tryPage(path);
  const page = pageNamed(name.replace(/\.md$/, ''));
  if (page) return name === page ? docsPage(page, path) : markdownPage(page);
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  if (!asset) throw new HttpError(404, 'Not Found');
  return { statusCode: 200, headers: { 'Content-Type': asset.type }, body: await asset.read() };
};

/** The OpenAPI document as YAML. A string of JSON is one of YAML, too. */
export const openapiYaml = async (baseUrl: string): Promise<RawResponse> => {
  const text = await textOf('openapi.yaml');
  const body = text.replaceAll(new RegExp(`${server}(\\S*)`, 'g'), (_, rest: string) =>
    JSON.stringify(`${baseUrl}${rest}`),
  );
  return { statusCode: 200, headers: { 'Content-Type': 'application/yaml' }, body };
};
