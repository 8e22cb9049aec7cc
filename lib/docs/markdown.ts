/** A page of `docs/api` as HTML: its headings have anchors, its links lead to the pages for people. */
import { decodeHTML } from 'entities';
import GithubSlugger from 'github-slugger';
import { Marked, type Tokens } from 'marked';
import { base } from '../reference/placeholders.ts';
import type { Section } from './section.ts';

type Heading = { depth: number; id: string; text: string };

export type Rendered = {
  title: string;
  /** The first paragraph as text. */
  summary: string;
  html: string;
  headings: Heading[];
  sections: Section[];
};

const languages: Record<string, string> = {
  '': 'Text',
  bash: 'Shell',
  console: 'Shell',
  csv: 'CSV',
  http: 'HTTP',
  go: 'Go',
  js: 'JavaScript',
  json: 'JSON',
  python: 'Python',
  text: 'Output',
  ts: 'TypeScript',
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The first cells of the rows of the tables in a part of a page. */
const namesIn = (html: string): string =>
  [...html.matchAll(/<tr><t[dh](?: scope="row")?>(.*?)<\/t[dh]>/gs)]
    .map(([, cell = '']) => plain(cell))
    .join(' ');

const plain = (html: string): string =>
  decodeHTML(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();

/** The page for people that a link leads to: `search.md#x` becomes `docs/search#x`. */
const addressOf = (href: string): string => {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined) return href;
  return name === 'index' ? `${base}docs${anchor}` : `${base}docs/${name}${anchor}`;
};

/**
 * Renders the Markdown of a page.
 * @throws if it contains HTML other than comments, or a code block in a language that has no name here.
 */
export const render = (name: string, markdown: string): Rendered => {
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  const sections: Section[] = [];

  /** The heading that a table or a code block belongs to, as its name for those who do not see it. */
  const within = () => headings.at(-1)?.text ?? name;

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = slugger.slug(plain(this.parser.parseInline(tokens)));
        headings.push({ depth, id, text: plain(this.parser.parseInline(tokens)) });
        const inner = this.parser.parseInline(tokens);
        const link =
          depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to: ${escaped(text)}">#</a>`;
        return `<h${depth} id="${id}">${inner}${link}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escaped(addressOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text, lang = '' }: Tokens.Code) {
        const language = languages[lang];
        if (!language) throw new Error(`${name}: a code block in "${lang}", which has no name`);
        const label = `${language}: ${within()}`;
        return `<div class="code"><div class="code-head"><span>${language}</span></div><pre tabindex="0" role="group" aria-label="${escaped(label)}"><code>${escaped(text)}</code></pre></div>\n`;
      },
      table(token: Tokens.Table) {
        // A table without a name for its first column names its rows there.
        const namesRows = token.header[0]?.text === '';
        const cell = ({ tokens, header }: Tokens.TableCell, n: number) => {
          const inner = this.parser.parseInline(tokens);
          if (header && inner !== '') return `<th scope="col">${inner}</th>`;
          return namesRows && !header && n === 0 ? `<th scope="row">${inner}</th>` : `<td>${inner}</td>`;
        };
        const head = token.header.map(cell).join('');
        const rows = token.rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`);
        return `<div class="table columns-${token.header.length}" tabindex="0" role="group" aria-label="Table: ${escaped(within())}"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        if (!/^\s*<!--.*-->\s*$/s.test(text)) throw new Error(`${name}: HTML that is no comment: ${text}`);
        return '';
      },
    },
  });

  const parts: { heading: Heading | undefined; html: string }[] = [];
  let summary = '';
  for (const token of marked.lexer(markdown)) {
    const html = marked.parser([token]);
    if (token.type === 'paragraph' && summary === '') summary = plain(html);
    if (token.type === 'heading') parts.push({ heading: headings.at(-1), html });
    else {
      const part = parts.at(-1);
      if (part) part.html += html;
    }
  }
  const title = headings[0]?.text ?? name;
  for (const { heading, html } of parts) {
    const isTitle = heading?.depth === 1;
    sections.push({
      page: name,
      title,
      heading: isTitle ? '' : (heading?.text ?? ''),
      anchor: isTitle ? '' : (heading?.id ?? ''),
      names: namesIn(html),
      text: plain(html.replace(/<h\d.*?<\/h\d>/s, '').replace(/<div class="code-head">.*?<\/div>/gs, '')),
    });
  }
  return { title, summary, html: parts.map(({ html }) => html).join(''), headings, sections };
};
