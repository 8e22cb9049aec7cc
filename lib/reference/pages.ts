/**
 * The reference in Markdown: the pages of `docs/api`, which are served as they are, and `/llms.txt`, which
 * lists them.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RawResponse } from '../api/route.ts';

/** The pages, in the order in which a newcomer reads them. */
export const pageNames = [
  'index',
  'quick-start',
  'search',
  'track',
  'competitors',
  'batch',
  'webhooks',
  'rank-tracking',
  'alerts',
  'keyword-data',
  'usage',
  'users',
  'browsers',
  'clients',
  'errors',
  'limits',
  'status',
  'versions',
  'sandbox',
  'agents',
  'existing-clients',
] as const;
export type PageName = (typeof pageNames)[number];

/**
 * The folder of the pages: next to the code of a bundle, and `docs/api` for code that runs from its source.
 */
const folder = (): URL =>
  ['./api/', '../../docs/api/']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(new URL('index.md', url))) ?? new URL('../../docs/api/', import.meta.url);

export const readPage = (name: PageName): Promise<string> =>
  readFile(new URL(`${name}.md`, folder()), 'utf8');

/** The page of this name, if there is one. Client input never becomes part of a path otherwise. */
export const pageNamed = (name: string): PageName | undefined => pageNames.find((each) => each === name);

/** A page in Markdown. */
export const markdownPage = async (name: PageName): Promise<RawResponse> => ({
  statusCode: 200,
  headers: { 'Content-Type': 'text/markdown; charset=utf-8' },
  body: await readPage(name),
});

/** The heading of a page, and its first paragraph. */
const summaryOf = (page: string): { title: string; text: string } => {
  const [heading = '', text = ''] = page.split('\n\n', 2);
  return { title: heading.replace(/^# /, ''), text: text.replaceAll('\n', ' ') };
};

/** The list of the pages for language models (llmstxt.org). */
export const llmsText = async (baseUrl: string): Promise<RawResponse> => {
  const lines = await Promise.all(
    pageNames.map(async (name) => {
      const { title, text } = summaryOf(await readPage(name));
      return `- [${title}](${baseUrl}/docs/${name}.md): ${text}`;
    }),
  );
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body: `# Search Ranking and Keyword Data Service

> An HTTP API for search result pages, rankings of domains, and keyword data. A request creates a task; its result is read by polling, by a long
> poll or by a signed webhook. Send an API key as \`Authorization: Bearer <key>\`.

## Reference

${lines.join('\n')}

## Formats for programs

- [OpenAPI document](${baseUrl}/openapi.json): every operation, field, status and webhook (OpenAPI 3.1)
- [Documentation](${baseUrl}/docs): the same in a browser
`,
  };
};
