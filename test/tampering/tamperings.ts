/**
 * The ways in which a page of results can be made false: by an old cache, a wrong proxy, a broken layout, or
 * somebody on the way. Each row changes a genuine page, or what was asked, so that a person would call the
 * page false for this search.
 */

import { type ChildNode, type Document, Element, isTag, Text } from 'domhandler';
import { appendChild, getOuterHTML, prependChild, removeElement, replaceElement } from 'domutils';
import { getDomain } from 'tldts';
import { find, findAll, isInside } from '../../lib/serp/dom.ts';
import type { PageFetch } from '../../lib/serp/engine-reader.ts';
import { isColumn, isOverview } from '../../lib/serp/google/elements.ts';
import { hostOf, shownHost } from '../../lib/serp/host.ts';
import { textOf } from '../../lib/serp/lines.ts';
import { buildTree } from '../../lib/serp/tree.ts';
import { copiesOf } from './copies.ts';
import { byId, type Engine, type WebEngine } from './engines.ts';
import { openOriginal } from './judged.ts';

/** A page of an engine, and the request that it answers. */
export type Answer<E extends Engine = WebEngine> = { engine: E; html: string; fetch: PageFetch };

/**
 * `refused`: the page must be neither results nor empty. `incomplete`: the page may also be results for other
 * words than those asked. `continues`: the page may be results, but not the last page. `same`: the page may
 * be results, with the same ranking. `genuine`: the page must be results, with the same ranking.
 */
export type Demand = 'refused' | 'incomplete' | 'continues' | 'same' | 'genuine';

export type Tampering<E extends Engine = WebEngine> = {
  name: string;
  demand: Demand;
  /** Null if the page has nothing to tamper with. `other`: a page of another search. */
  tamper: (answer: Answer<E>, other: Answer<E>) => Answer<E> | null;
};

const day = 86_400;

/** A copy of the tree of the page that the tests change. */
export const treeOf = copiesOf((html) => buildTree(html).root);
const treeOfOther = copiesOf((html) => buildTree(html).root);

/** Changes the tree of a page. `other`: makes the tree of the other page. Null if `change` returns false. */
export const edit =
  (change: (root: Document, answer: Answer, other: () => Document) => boolean) =>
  (answer: Answer, other: Answer): Answer | null => {
    const root = treeOf(answer.html);
    if (!change(root, answer, () => treeOfOther(other.html))) return null;
    return { ...answer, html: getOuterHTML(root) };
  };

/** Changes what was asked, not the page. */
const ask =
  (change: (fetch: PageFetch, answer: Answer) => Partial<PageFetch> | null) =>
  (answer: Answer): Answer | null => {
    const changed = change(answer.fetch, answer);
    return changed && { ...answer, fetch: { ...answer.fetch, ...changed } };
  };

const childrenOf = (element: Element): ChildNode[] => [...element.children];

const setText = (element: Element, text: string): void => {
  for (const child of childrenOf(element)) removeElement(child);
  appendChild(element, new Text(text));
};

export const titleLinks = (root: Document, { engine }: Answer): Element[] =>
  findAll(root, engine.isTitleLink);

const urlOf = (link: Element | undefined, { engine }: Answer): string | undefined =>
  engine.targetOf(link?.attribs.href)?.url;

/** The links of web results that show the host of their target. */
const shownLinks = (root: Document, answer: Answer): Element[] => {
  const shown = openOriginal(answer).parsed.left.filter(
    ({ type, url, breadcrumb }) =>
      type === 'organic' && hostOf(url) !== '' && shownHost(breadcrumb) === hostOf(url),
  );
  const urls = new Set(shown.map(({ url }) => url));
  return titleLinks(root, answer).filter(
    (link) => urls.has(urlOf(link, answer) ?? '') && !isInside(link, answer.engine.isAd),
  );
};

const setBox = (root: Document, query: string, { engine }: Answer): boolean => {
  const boxes = findAll(
    root,
    ({ name, attribs }) =>
      (name === 'input' || name === 'textarea') && attribs.name === engine.parameters.query,
  );
  for (const box of boxes) {
    if (box.attribs.value !== undefined) box.attribs.value = query;
    if (box.name === 'textarea') setText(box, query);
  }
  return boxes.length > 0;
};

const setTitle = (root: Document, query: string, { engine }: Answer): boolean => {
  const title = find(root, ({ name }) => name === 'title');
  if (!title) return false;
  setText(title, `${query} - ${engine.title}`);
  return true;
};

/** Changes the parameters of links to searches. Returns how many links there were. */
const editSearches = (
  root: Document,
  { engine }: Answer,
  test: (parameters: URLSearchParams) => boolean,
  change: (parameters: URLSearchParams, url: URL) => void,
): number => {
  let changed = 0;
  for (const link of findAll(root, ({ name }) => name === 'a')) {
    const url = engine.searchOf(link);
    if (!url || !test(url.searchParams)) continue;
    change(url.searchParams, url);
    link.attribs.href = url.href;
    changed += 1;
  }
  return changed;
};

const isPaging =
  ({ engine }: Answer) =>
  (parameters: URLSearchParams): boolean =>
    parameters.has(engine.parameters.first);

/** The links of the row of page numbers. */
const pageLinks = (root: Document, answer: Answer): Element[] =>
  findAll(root, (link) => {
    const url = link.name === 'a' ? answer.engine.searchOf(link) : null;
    return url !== null && isPaging(answer)(url.searchParams);
  });

const leadsToSecond = ({ engine, html }: Answer): boolean =>
  new RegExp(`[?&;]${engine.parameters.first}=${engine.firstOf(2)}\\b`).test(html);

const isOfSearch =
  (answer: Answer) =>
  (parameters: URLSearchParams): boolean =>
    isPaging(answer)(parameters) || parameters.has('udm') || parameters.has('tbm');

const setContext = (root: Document, query: string): boolean => {
  const rso = find(root, byId('rso'));
  if (!rso?.attribs['data-async-context']) return false;
  rso.attribs['data-async-context'] = `query:${encodeURIComponent(query)}`;
  return true;
};

/** Makes links and column of the page name other words. False if the page has neither. */
const setSearched = (root: Document, query: string, answer: Answer): boolean => {
  const { parameters: names } = answer.engine;
  const links = editSearches(root, answer, isOfSearch(answer), (parameters) =>
    parameters.set(names.query, query),
  );
  return setContext(root, query) || links > 0;
};

/** The page as it would be for another query, but for its results. */
const rewrittenFor =
  (query: string) =>
  (answer: Answer, other: Answer): Answer | null =>
    edit(
      (root) =>
        setBox(root, query, answer) &&
        setTitle(root, query, answer) &&
        setSearched(root, query, answer) &&
        titleLinks(root, answer).length > 2,
    )({ ...answer, fetch: { ...answer.fetch, query } }, other);

/** The page up to the title of one of its results, closed as a proxy would close it. */
const cutInResults =
  (share: number) =>
  (answer: Answer): Answer | null => {
    const root = treeOf(answer.html);
    const links = titleLinks(root, answer);
    const link = links[Math.floor(links.length * share)];
    if (!link || links.length < 3) return null;
    link.attribs['data-cut'] = '';
    const html = getOuterHTML(root);
    return {
      ...answer,
      html: `${html.slice(0, html.indexOf(' data-cut'))}></a></div></div></div></body></html>`,
    };
  };

const wrapIn = (name: string) =>
  edit((root, { engine }) => {
    const results = engine.resultsOf(root);
    if (!results) return false;
    const inside = childrenOf(results);
    for (const child of inside) removeElement(child);
    const wrapper = new Element(name, {});
    for (const child of inside) appendChild(wrapper, child);
    appendChild(results, wrapper);
    return true;
  });

/** Replaces the titles of a result by elements that no reader knows. */
const loseTitle = (link: Element, { engine }: Answer): void => {
  for (const title of findAll(engine.blockOf(link), engine.isTitle)) {
    title.name = 'q-title';
    delete title.attribs.role;
  }
};

const loseTitles = (isLost: (index: number) => boolean) =>
  edit((root, answer) => {
    const links = titleLinks(root, answer);
    // Some saved pages have the same address in all results.
    if (new Set(links.map((link) => link.attribs.href)).size < 3) return false;
    links.forEach((link, index) => {
      if (isLost(index)) loseTitle(link, answer);
    });
    return true;
  });

/** Moves a result into a new element. */
const wrapResultIn =
  (name: string, attribs: Record<string, string> = {}) =>
  (link: Element, { engine }: Answer): void => {
    const block = engine.blockOf(link);
    const wrapper = new Element(name, { ...attribs });
    replaceElement(block, wrapper);
    appendChild(wrapper, block);
  };

const minChanged = 3;

/** Changes each second result. */
const changeHalf = (change: (link: Element, answer: Answer) => void) =>
  edit((root, answer) => {
    const changed = shownLinks(root, answer).filter((_, index) => index % 2 === 1);
    // Some saved pages have the same address in all results.
    if (new Set(changed.map((link) => urlOf(link, answer))).size < minChanged) return false;
    for (const link of changed) change(link, answer);
    return true;
  });

/** Gives other names to all attributes with such a name. False if there are none. */
const rename = (root: Document, names: RegExp): boolean => {
  let renamed = 0;
  for (const { attribs } of findAll(root, () => true)) {
    for (const [name, value] of Object.entries(attribs)) {
      if (!names.test(name)) continue;
      delete attribs[name];
      attribs[`x-${renamed++}`] = value;
    }
  }
  return renamed > 0;
};

const withoutMarks = (kind: keyof WebEngine['marks']) =>
  edit((root, { engine }) => {
    const names = engine.marks[kind];
    const marked = findAll(root, ({ attribs }) => attribs[names[0] ?? ''] !== undefined);
    for (const { attribs } of names.length > 1 ? findAll(root, () => true) : marked)
      for (const name of names) delete attribs[name];
    return marked.length > 0;
  });

const firstWord = (query: string): string => query.trim().split(/\s+/)[0] ?? '';

const emptied = (root: Document, answer: Answer): boolean => {
  const column = answer.engine.resultsOf(root);
  if (!column) return false;
  for (const child of childrenOf(column)) removeElement(child);
  return titleLinks(root, answer).length === 0;
};

export const tamperings: Tampering[] = [
  // An old page.
  {
    name: 'a year old',
    demand: 'refused',
    tamper: ask(({ fetchedAt }, { engine, html, fetch }) =>
      engine.isDated({ html, fetch }) ? { fetchedAt: fetchedAt + 365 * day } : null,
    ),
  },
  {
    name: 'from the future',
    demand: 'refused',
    tamper: ask(({ fetchedAt }, { engine, html, fetch }) =>
      engine.isDated({ html, fetch }) ? { fetchedAt: fetchedAt - 365 * day } : null,
    ),
  },
  {
    name: 'some days old',
    demand: 'refused',
    tamper: (answer) =>
      answer.engine.isStamped(answer)
        ? {
            ...answer,
            fetch: {
              ...answer.fetch,
              fetchedAt: answer.fetch.fetchedAt + answer.engine.staleAfterDays * day,
            },
          }
        : null,
  },
  {
    name: 'a year old, with a fresh time in one place',
    demand: 'refused',
    tamper: (answer) => {
      const fetchedAt = answer.fetch.fetchedAt + 365 * day;
      const html = answer.engine.restamp(answer.html, fetchedAt);
      return html === null ? null : { ...answer, html, fetch: { ...answer.fetch, fetchedAt } };
    },
  },

  // A page of another search.
  {
    name: 'another query',
    demand: 'refused',
    tamper: (answer, other) => ({ ...answer, fetch: { ...answer.fetch, query: other.fetch.query } }),
  },
  {
    name: 'another query with the same first word',
    demand: 'refused',
    tamper: ask(({ query }) => ({ query: `${firstWord(query)} umbrella` })),
  },
  {
    name: 'a longer query',
    demand: 'refused',
    tamper: ask(({ query }) => ({ query: `${query} instructions` })),
  },
  {
    name: 'a shorter query',
    demand: 'refused',
    tamper: ask(({ query }) =>
      /\p{L}\s+\S*\p{L}\S*$/u.test(query) ? { query: query.replace(/\s+\S+$/, '') } : null,
    ),
  },
  { name: 'a query in another script', demand: 'refused', tamper: ask(() => ({ query: '東京の天気予報' })) },
  { name: 'a query of one letter', demand: 'refused', tamper: ask(() => ({ query: 'z' })) },
  {
    name: 'another query, and the box is rewritten',
    demand: 'refused',
    tamper: (answer, other) =>
      edit((root) => setBox(root, other.fetch.query, answer))(
        { ...answer, fetch: { ...answer.fetch, query: other.fetch.query } },
        other,
      ),
  },
  {
    name: 'another query, and the title is rewritten',
    demand: 'refused',
    tamper: (answer, other) =>
      edit((root) => setTitle(root, other.fetch.query, answer))(
        { ...answer, fetch: { ...answer.fetch, query: other.fetch.query } },
        other,
      ),
  },
  {
    name: 'another query, and box and title are rewritten',
    demand: 'incomplete',
    tamper: (answer, other) =>
      edit(
        (root) =>
          setBox(root, other.fetch.query, answer) &&
          setTitle(root, other.fetch.query, answer) &&
          setSearched(root, answer.fetch.query, answer),
      )({ ...answer, fetch: { ...answer.fetch, query: other.fetch.query } }, other),
  },
  {
    name: 'another query, and box, title and links are rewritten',
    demand: 'incomplete',
    tamper: (answer, other) => rewrittenFor(other.fetch.query)(answer, other),
  },
  ...['zq', 'xj qv', '7 × 93', '鹦鹉', 'นกแก้ว', 'кит'].map(
    (query): Tampering => ({
      name: `the short query ${query}, and box, title and links are rewritten`,
      demand: 'refused',
      tamper: rewrittenFor(query),
    }),
  ),
  {
    name: 'a query with one shared word, and box, title and links are rewritten',
    demand: 'incomplete',
    tamper: (answer, other) => {
      const word = /\p{L}{4,}/u.exec(answer.fetch.query)?.[0];
      return word === undefined ? null : rewrittenFor(`umbrella ${word} varnish`)(answer, other);
    },
  },
  {
    name: 'a query for another site, and box, title and links are rewritten',
    demand: 'refused',
    tamper: (answer, other) => {
      const words = answer.fetch.query.replace(/-?site:\S+/g, '');
      return rewrittenFor(`site:elsewhere.example ${words}`)(answer, other);
    },
  },
  {
    name: 'another country',
    demand: 'refused',
    tamper: (answer) => {
      const { country } = answer.engine.reader.open(answer.html).market();
      const market = { country: country === 'NP' ? 'US' : 'NP', language: '' };
      return country === undefined ? null : { ...answer, fetch: { ...answer.fetch, market } };
    },
  },
  {
    name: 'a silently corrected query',
    demand: 'incomplete',
    tamper: edit((root, answer) => {
      const { query } = answer.fetch;
      const corrected = query.replace(/\p{L}/u, (letter) => (letter === 'q' ? 'x' : 'q'));
      return corrected !== query && setSearched(root, corrected, answer);
    }),
  },
  {
    name: 'a silently shortened query',
    demand: 'incomplete',
    tamper: edit(
      (root, answer) =>
        /\p{L}\s+\S*\p{L}/u.test(answer.fetch.query) &&
        setSearched(root, firstWord(answer.fetch.query), answer),
    ),
  },

  // Another tab, page or address.
  {
    name: 'the tab of pictures',
    demand: 'refused',
    tamper: edit(
      (root, answer) =>
        editSearches(root, answer, isPaging(answer), (_, url) => answer.engine.toPictures(url)) > 0,
    ),
  },
  {
    name: 'the tab of news, in the search form',
    demand: 'refused',
    tamper: edit((root, { engine }) => {
      const form = find(root, ({ name }) => name === 'form');
      if (!form) return false;
      engine.toNews(form);
      return true;
    }),
  },
  {
    name: 'the tab of videos, in the final address',
    demand: 'refused',
    tamper: ask(({ query }, { engine }) => ({ url: engine.videosUrl(query) })),
  },
  {
    name: 'the first page for the second',
    demand: 'refused',
    tamper: (answer) => (leadsToSecond(answer) ? { ...answer, fetch: { ...answer.fetch, page: 2 } } : null),
  },
  {
    name: 'the first page for the fourth',
    demand: 'refused',
    tamper: (answer) => (leadsToSecond(answer) ? { ...answer, fetch: { ...answer.fetch, page: 4 } } : null),
  },
  {
    name: 'the second page for the first',
    demand: 'refused',
    tamper: edit((root, answer) => {
      const { engine } = answer;
      const { first } = engine.parameters;
      const own = engine.ownNumberOf(root);
      if (own) setText(own, '2');
      for (const link of pageLinks(root, answer)) if (textOf(link) === '2') setText(link, '1');
      return (
        editSearches(root, answer, isPaging(answer), (parameters) => {
          if (parameters.get(first) === engine.firstOf(2)) parameters.set(first, engine.firstOf(1));
        }) > 0 &&
        editSearches(
          root,
          answer,
          (parameters) => parameters.get(first) === engine.firstOf(1),
          () => {},
        ) > 0
      );
    }),
  },
  {
    name: 'the second page for the first, with a single link to more',
    demand: 'refused',
    tamper: edit((root, answer) => {
      const { engine } = answer;
      const { first } = engine.parameters;
      const own = engine.ownNumberOf(root);
      const links = pageLinks(root, answer);
      const startOf = (link: Element) => engine.searchOf(link)?.searchParams.get(first);
      const next = links.find((link) => startOf(link) === engine.firstOf(2));
      if (!next || (!own && links.some((link) => startOf(link) !== engine.firstOf(2)))) return false;
      if (own) for (const element of [own, ...links]) if (element !== next) removeElement(element);
      return (
        editSearches(root, answer, isPaging(answer), (parameters) =>
          parameters.set(first, engine.firstOf(3)),
        ) > 0
      );
    }),
  },
  {
    name: 'the final address of another page',
    demand: 'refused',
    tamper: ask(({ query }, { engine }) => ({ url: engine.searchUrl(engine.host, query, 4) })),
  },
  {
    name: 'the final address of another query',
    demand: 'refused',
    tamper: ask((_, { engine }) => ({ url: engine.searchUrl(engine.host, 'xylophone umbrella', 1) })),
  },
  {
    name: 'another final host',
    demand: 'refused',
    tamper: ask(({ query }, { engine }) => ({ url: engine.searchUrl('www.mirror.example', query, 1) })),
  },
  {
    name: 'a final host that begins with the name of the engine',
    demand: 'refused',
    tamper: ask(({ query }, { engine }) => ({
      url: engine.searchUrl(`${engine.host}.mirror.example`, query, 1),
    })),
  },
  {
    name: 'another final path',
    demand: 'refused',
    tamper: ask((_, { engine }) => ({ url: `https://${engine.host}/webhp` })),
  },
  {
    name: 'a redirect to the choice about cookies',
    demand: 'refused',
    tamper: ask((_, { engine }) => ({ url: engine.consentUrl })),
  },
  { name: 'the status of an error', demand: 'refused', tamper: ask(() => ({ status: 404 })) },
  {
    name: 'the page of another device',
    demand: 'refused',
    tamper: (answer) => {
      const root = treeOf(answer.html);
      if (!answer.engine.columnOf(root) || titleLinks(root, answer).length === 0) return null;
      const device = answer.fetch.device === 'desktop' ? 'mobile' : 'desktop';
      return { ...answer, fetch: { ...answer.fetch, device } };
    },
  },

  // Changed results.
  {
    name: 'one rewritten address',
    demand: 'refused',
    tamper: edit((root, answer) => {
      const links = shownLinks(root, answer);
      const url = urlOf(links[0], answer);
      for (const link of links.filter((each) => urlOf(each, answer) === url))
        link.attribs.href = 'https://injected.example/';
      return url !== undefined;
    }),
  },
  {
    name: 'all addresses rewritten',
    demand: 'refused',
    tamper: edit((root, answer) => {
      const links = shownLinks(root, answer);
      for (const link of links)
        link.attribs.href = `https://injected.example/?to=${encodeURIComponent(link.attribs.href ?? '')}`;
      return links.length > 0;
    }),
  },
  {
    name: 'two addresses exchanged',
    demand: 'refused',
    tamper: edit((root, answer) => {
      const links = shownLinks(root, answer);
      const siteOf = (link?: Element) => getDomain(urlOf(link, answer) ?? '');
      const [one] = links;
      const other = links.find((link) => siteOf(link) !== siteOf(one));
      const [href, otherHref] = [one?.attribs.href, other?.attribs.href];
      if (!href || !otherHref) return false;
      for (const link of links) {
        if (link.attribs.href === href) link.attribs.href = otherHref;
        else if (link.attribs.href === otherHref) link.attribs.href = href;
      }
      return true;
    }),
  },
  {
    name: 'a result injected above the others',
    demand: 'refused',
    tamper: edit((root, answer) => {
      const link = shownLinks(root, answer)[0];
      const body = find(root, ({ name }) => name === 'body');
      if (!link || !body) return false;
      const copy = buildTree(getOuterHTML(answer.engine.blockOf(link))).root.children[0];
      if (!copy || !isTag(copy)) return false;
      const column = answer.engine.columnOf(root);
      for (const part of [copy, ...findAll(copy, () => true)])
        if (part.attribs.href !== undefined) part.attribs.href = 'https://injected.example/';
      prependChild(column ?? body, copy);
      return column !== undefined;
    }),
  },
  {
    name: 'results of another query in the column',
    demand: 'incomplete',
    // Some of the words of a long question are on every page.
    tamper: edit((root, answer, otherTree) => {
      const { engine, fetch } = answer;
      const other = otherTree();
      const [mine, theirs] = [engine.columnOf(root), engine.columnOf(other)];
      if (!mine || !theirs || titleLinks(other, answer).length < 3 || fetch.query.split(' ').length > 12)
        return false;
      for (const link of titleLinks(root, answer)) removeElement(link);
      for (const child of childrenOf(mine)) removeElement(child);
      for (const child of childrenOf(theirs)) appendChild(mine, child);
      return true;
    }),
  },
  {
    name: 'the column of another query',
    demand: 'incomplete',
    tamper: edit((root, answer, otherTree) => {
      const { engine } = answer;
      const other = otherTree();
      const [mine, theirs] = [engine.columnOf(root), engine.columnOf(other)];
      if (!mine || !theirs || titleLinks(other, answer).length < 3) return false;
      replaceElement(mine, theirs);
      return true;
    }),
  },
  {
    name: 'spliced with the lower half of another page',
    demand: 'refused',
    tamper: edit((root, answer, otherTree) => {
      const { engine } = answer;
      const [mine, theirs] = [engine.lowerPartOf(root), engine.lowerPartOf(otherTree())];
      const hasPaging = (top?: Element) =>
        top !== undefined &&
        findAll(top, (link) => engine.searchOf(link)?.searchParams.has(engine.parameters.first) === true)
          .length > 0;
      if (!mine || !theirs || !hasPaging(mine) || !hasPaging(theirs)) return false;
      replaceElement(mine, theirs);
      return true;
    }),
  },

  // Missing results.
  { name: 'emptied', demand: 'refused', tamper: edit((root, answer) => emptied(root, answer)) },
  {
    name: 'emptied, and it says that nothing was found for other words',
    demand: 'refused',
    tamper: edit((root, answer) => {
      const body = find(root, ({ name }) => name === 'body');
      if (!emptied(root, answer) || !body) return false;
      const message = buildTree(answer.engine.nothingFound('xylophone umbrella')).root;
      for (const child of [...message.children]) appendChild(body, child);
      return true;
    }),
  },
  { name: 'cut after the first result, and closed', demand: 'refused', tamper: cutInResults(0.2) },
  { name: 'cut in the middle, and closed', demand: 'refused', tamper: cutInResults(0.5) },
  { name: 'cut at the last result, and closed', demand: 'refused', tamper: cutInResults(0.9) },
  {
    name: 'not closed',
    demand: 'refused',
    tamper: (answer) => ({ ...answer, html: answer.html.replace(/<\/html[\s\S]*$/i, '') }),
  },
  { name: 'results in a template', demand: 'same', tamper: wrapIn('template') },
  { name: 'results for browsers without scripts only', demand: 'same', tamper: wrapIn('noscript') },
  {
    name: 'results outside the columns',
    demand: 'same',
    tamper: edit((root, answer) => {
      const column = answer.engine.columnOf(root);
      const body = find(root, ({ name }) => name === 'body');
      if (!column || !body || titleLinks(root, answer).length === 0) return false;
      const moved = new Element('div', {});
      for (const child of childrenOf(column)) {
        removeElement(child);
        appendChild(moved, child);
      }
      appendChild(body, moved);
      return !isInside(moved, isColumn);
    }),
  },

  // A changed layout.
  {
    name: 'the first title changed',
    demand: 'same',
    tamper: loseTitles((index) => index === 0),
  },
  { name: 'half of the titles changed', demand: 'same', tamper: loseTitles((index) => index % 2 === 1) },
  { name: 'all titles changed', demand: 'same', tamper: loseTitles(() => true) },
  {
    name: 'all ids changed',
    demand: 'same',
    tamper: edit((root, { engine }) => {
      if (!engine.columnOf(root)) return false;
      for (const element of findAll(root, ({ attribs }) => attribs.id !== undefined))
        element.attribs.id = `x${element.attribs.id}`;
      return true;
    }),
  },
  {
    name: 'all ids, classes, data and script attributes changed',
    demand: 'same',
    tamper: edit(
      (root, { engine }) => engine.columnOf(root) !== undefined && rename(root, /^(?:id$|class$|data-|js)/),
    ),
  },
  {
    name: 'all data and script attributes changed',
    demand: 'same',
    tamper: edit((root) => rename(root, /^(?:data-|js)/)),
  },
  { name: 'all roles changed', demand: 'same', tamper: edit((root) => rename(root, /^(?:role$|aria-)/)) },
  {
    name: 'half of the titles and addresses changed',
    demand: 'refused',
    tamper: changeHalf((link, answer) => {
      loseTitle(link, answer);
      for (const part of findAll(answer.engine.blockOf(link), answer.engine.isAddress)) {
        part.name = 'q-address';
        delete part.attribs.role;
      }
    }),
  },
  {
    name: 'half of the links lead to a page of the engine',
    demand: 'refused',
    tamper: changeHalf((link) => {
      link.attribs.href = '/out?to=x';
    }),
  },
  {
    name: 'half of the links are not links',
    demand: 'refused',
    tamper: changeHalf((link) => {
      link.name = 'div';
      delete link.attribs.href;
    }),
  },
  {
    name: 'half of the results in the data of an entity',
    demand: 'same',
    tamper: changeHalf(wrapResultIn('div', { 'data-attrid': 'kc:/local:around' })),
  },
  {
    name: 'half of the results in the answer to a question',
    demand: 'same',
    tamper: changeHalf(wrapResultIn('div', { 'data-attrid': 'wa:/description' })),
  },
  {
    name: 'half of the results in footers',
    demand: 'same',
    tamper: changeHalf(wrapResultIn('footer')),
  },
  {
    name: 'half of the results in dialogs',
    demand: 'same',
    tamper: changeHalf(wrapResultIn('div', { role: 'dialog' })),
  },
  {
    name: 'half of the results in forms',
    demand: 'same',
    tamper: changeHalf(wrapResultIn('form')),
  },
  {
    name: 'half of the results in the head of a section',
    demand: 'same',
    tamper: changeHalf(wrapResultIn('g-link')),
  },
  {
    name: 'half of the results in templates',
    demand: 'same',
    tamper: changeHalf(wrapResultIn('template')),
  },
  {
    name: 'a page of another site with a form for searches',
    demand: 'refused',
    tamper: edit((root, answer) => {
      const { engine, fetch } = answer;
      const links = titleLinks(root, answer);
      if (links.length === 0) return false;
      const page = buildTree(
        `<html><head><title></title></head><body><form action="/search"><input name="${engine.parameters.query}" value=""></form><ul></ul></body></html>`,
      ).root;
      setTitle(page, fetch.query, answer);
      setBox(page, fetch.query, answer);
      const list = find(page, ({ name }) => name === 'ul');
      for (const link of links) if (list) appendChild(list, link);
      for (const child of [...root.children]) removeElement(child);
      for (const child of [...page.children]) appendChild(root, child);
      return true;
    }),
  },

  {
    name: 'ads without their mark',
    demand: 'same',
    tamper: withoutMarks('ads'),
  },
  {
    name: 'questions without their marks',
    demand: 'same',
    tamper: withoutMarks('questions'),
  },
  {
    name: 'an AI overview without its id',
    demand: 'same',
    tamper: edit((root, { engine }) => {
      if (!engine.hasOverviewIds) return false;
      const boxes = findAll(root, isOverview).filter(({ attribs }) => attribs.id !== undefined);
      for (const { attribs } of boxes) delete attribs.id;
      return boxes.length > 0;
    }),
  },
  {
    name: 'data of entities without their marks',
    demand: 'same',
    tamper: withoutMarks('entities'),
  },

  // More pages.
  {
    name: 'without links to pages',
    demand: 'continues',
    tamper: edit((root, answer) => {
      const links = pageLinks(root, answer);
      for (const link of links) {
        const pager = find(
          root,
          (element) => answer.engine.isPager(element) && isInside(link, (up) => up === element),
        );
        removeElement(pager ?? link);
      }
      return links.length > 0;
    }),
  },
  {
    name: 'with a link to more results that names no number',
    demand: 'continues',
    tamper: edit(
      (root, answer) =>
        editSearches(root, answer, isPaging(answer), (parameters) => {
          parameters.delete(answer.engine.parameters.first);
          parameters.set('aomd', '1');
        }) > 0,
    ),
  },
  {
    name: 'with links to pages that a script adds',
    demand: 'continues',
    tamper: edit((root, answer) => {
      const links = pageLinks(root, answer);
      const last = links.at(-1);
      if (!last) return false;
      const script = new Element('script', {});
      appendChild(
        script,
        new Text(`load('${(last.attribs.href ?? '').replaceAll('=', '\\x3d').replaceAll('&', '\\x26')}')`),
      );
      for (const link of links) removeElement(link);
      const body = find(root, ({ name }) => name === 'body');
      if (body) appendChild(body, script);
      return body !== undefined;
    }),
  },
];

/** Changes that leave a page genuine. */
export const controls: Tampering[] = [
  { name: 'untouched', demand: 'genuine', tamper: (answer) => answer },
  { name: 'written again', demand: 'genuine', tamper: edit(() => true) },
  {
    name: 'with other class names',
    demand: 'genuine',
    tamper: edit((root) => {
      for (const element of findAll(root, ({ attribs }) => attribs.class !== undefined))
        element.attribs.class = 'x1 x2';
      return true;
    }),
  },
  {
    name: 'two hours old',
    demand: 'genuine',
    tamper: ask(({ fetchedAt }) => ({ fetchedAt: fetchedAt + 7200 })),
  },
  {
    name: 'in capital letters',
    demand: 'genuine',
    tamper: ask(({ query }) => ({ query: query.toUpperCase() })),
  },
  {
    name: 'at its final address',
    demand: 'genuine',
    tamper: ask(({ query }, { engine }) => ({ url: engine.searchUrl(engine.otherHost, query, 1) })),
  },
];
