/** A page of the documentation as a finished HTML document. It works without scripts. */
import { htmlDocument } from '../reference/html-page.ts';
import { type PageName, pageNames } from '../reference/pages.ts';
import { base } from '../reference/placeholders.ts';
import type { Rendered } from './markdown.ts';

/** The navigation. Each page is in one group. */
const groups: Record<string, readonly PageName[]> = {
  'Get started': ['index', 'quick-start'],
  Searches: ['search', 'track', 'competitors', 'batch', 'webhooks'],
  'Rank tracking': ['rank-tracking', 'alerts'],
  'Keyword data': ['keyword-data'],
  'Your account': ['usage', 'users', 'browsers'],
  Reference: ['clients', 'errors', 'limits', 'status', 'versions', 'sandbox', 'agents', 'existing-clients'],
};

const order = Object.values(groups).flat();
const missing = pageNames.filter((name) => !order.includes(name));
if (missing.length > 0) throw new Error(`No group of the documentation has ${missing.join(', ')}`);

const hrefOf = (name: PageName): string => `${base}docs${name === 'index' ? '' : `/${name}`}`;

type Pages = Record<PageName, Rendered>;

const navigation = (pages: Pages, current: PageName): string => {
  const link = (name: PageName) =>
    `<li><a href="${hrefOf(name)}"${name === current ? ' aria-current="page"' : ''}>${pages[name].title}</a></li>`;
  const lists = Object.entries(groups).map(
    ([group, names]) => `<p class="group">${group}</p>\n<ul>${names.map(link).join('')}</ul>`,
  );
  return `${lists.join('\n')}
<p class="group">For programs</p>
<ul><li><a href="${base}docs/try">Try the operations</a></li><li><a href="${base}openapi.json">OpenAPI, JSON</a></li><li><a href="${base}openapi.yaml">OpenAPI, YAML</a></li><li><a href="${base}llms.txt">llms.txt</a></li></ul>`;
};

const contents = ({ headings }: Rendered): string => {
  const parts = headings.filter(({ depth }) => depth === 2);
  if (parts.length < 2) return '';
  const links = parts.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p class="group">On this page</p><ul>${links.join('')}</ul></nav>`;
};

/** The pages before and after, in the order of the navigation. */
const neighbours = (pages: Pages, name: PageName): string => {
  const n = order.indexOf(name);
  const link = (to: PageName | undefined, kind: string) =>
    to ? `<a class="${kind}" href="${hrefOf(to)}"><span>${kind}</span> ${pages[to].title}</a>` : '';
  return `<nav class="neighbours" aria-label="Next pages">${link(order[n - 1], 'Previous')}${link(order[n + 1], 'Next')}</nav>`;
};

const brand = `<a class="brand" href="${base}docs"><img src="${base}docs/icon.svg" alt="" width="28" height="28">Search ranking service</a>`;

export const documentOf = (pages: Pages, name: PageName): string => {
  const page = pages[name];
  return htmlDocument({
    title:
      name === 'index' ? 'Documentation · Search ranking service' : `${page.title} · Search ranking service`,
    head: [
      `<meta name="description" content="${page.summary.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`,
      '<meta name="color-scheme" content="light dark">',
      `<link rel="icon" type="image/svg+xml" href="${base}docs/icon.svg">`,
      `<link rel="alternate" type="text/markdown" href="${base}docs/${name}.md">`,
      `<link rel="stylesheet" href="${base}docs/docs.css">`,
      `<script type="module" src="${base}docs/docs.js" data-base="${base}"></script>`,
    ],
    body: [
      '<a class="skip" href="#content">Skip to the content</a>',
      `<header>${brand}<button type="button" id="open-search" hidden>Search <kbd>/</kbd></button><nav aria-label="Service"><a href="${base}docs/try">Try it</a><a href="${base}console">Console</a></nav></header>`,
      `<details class="menu"><summary>All pages</summary><nav aria-label="Pages, as a menu">${navigation(pages, name)}</nav></details>`,
      '<div class="frame">',
      `<nav class="side" aria-label="Pages">${navigation(pages, name)}</nav>`,
      `<main id="content" tabindex="-1">\n${page.html}`,
      `${neighbours(pages, name)}<p class="source"><a href="${base}docs/${name}.md">This page as Markdown</a></p></main>`,
      contents(page),
      '</div>',
      `<dialog id="search" aria-labelledby="search-label"><div class="search-head"><label id="search-label" for="query">Search the documentation</label><button type="button" id="close-search">Close</button></div>
<input type="text" enterkeyhint="search" id="query" autocomplete="off" spellcheck="false"><p id="found" role="status"></p><ol id="results"></ol></dialog>`,
      '<p id="copied" class="unseen" role="status"></p>',
    ],
  });
};
