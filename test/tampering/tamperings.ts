/**
 * The ways in which a page of results can be made false: by an old cache, a wrong proxy, a broken layout, or somebody on the way. Each row
 * changes a genuine page, or what was asked, so that a person would call the page false for this search.
 */
import { type ChildNode, type Document, Element, isTag, Text } from 'domhandler';
import { appendChild, getOuterHTML, prependChild, removeElement, replaceElement } from 'domutils';
import { getDomain } from 'tldts';
import { find, findAll, isInside, type Test } from '../../lib/serp/dom.ts';
import type { PageFetch } from '../../lib/serp/engine.ts';
import {
  isAddress,
  isColumn,
  isH3,
  isHeading,
  isMobileTitleLink,
  isOverview,
  isTitleLink,
} from '../../lib/serp/google/elements.ts';
import { targetOf } from '../../lib/serp/google/link.ts';
import { reader } from '../../lib/serp/google/reader.ts';
import { hostOf, shownHost } from '../../lib/serp/host.ts';
import { parseHtml } from '../../lib/serp/page.ts';

/** A page, and the request that it answers. */
export type Answer = { html: string; fetch: PageFetch };

/**
 * `refused`: the page must be neither results nor empty. `incomplete`: the page may also be results for other words than those asked.
 * `continues`: the page may be results, but not the last page. `drifted`: the page must be an unknown layout. `same`: the page may be results, with
 * the same ranking. `genuine`: the page must be results, with the same ranking.
 */
export type Demand = 'refused' | 'incomplete' | 'continues' | 'drifted' | 'same' | 'genuine';

export type Tampering = {
  name: string;
  demand: Demand;
  /** Null if the page has nothing to tamper with. `other`: a page of another search. */
  tamper: (answer: Answer, other: Answer) => Answer | null;
};

const day = 86_400;

/** Changes the tree of a page. Null if `change` returns false. */
const edit =
  (change: (root: Document, answer: Answer, other: Document) => boolean) =>
  (answer: Answer, other: Answer): Answer | null => {
    const { root } = parseHtml(answer.html);
    if (!change(root, answer, parseHtml(other.html).root)) return null;
    return { ...answer, html: getOuterHTML(root) };
  };

/** Changes what was asked, not the page. */
const ask =
  (change: (fetch: PageFetch, answer: Answer) => Partial<PageFetch> | null) =>
  (answer: Answer): Answer | null => {
    const changed = change(answer.fetch, answer);
    return changed && { ...answer, fetch: { ...answer.fetch, ...changed } };
  };

const byId =
  (id: string): Test =>
  ({ attribs }) =>
    attribs.id === id;

const childrenOf = (element: Element): ChildNode[] => [...element.children];

const titleLinks = (root: Document): Element[] =>
  findAll(root, (element) => isTitleLink(element) || isMobileTitleLink(element));

/** The links of web results that show the host of their target. */
const shownLinks = (root: Document, { html, fetch }: Answer): Element[] => {
  const { left } = reader.open(html).read(fetch.device);
  const shown = left.filter(
    ({ type, url, breadcrumb }) =>
      type === 'organic' && hostOf(url) !== '' && shownHost(breadcrumb) === hostOf(url),
  );
  const urls = new Set(shown.map(({ url }) => url));
  return titleLinks(root).filter(
    (link) =>
      urls.has(targetOf(link.attribs.href)?.url ?? '') &&
      !isInside(link, ({ attribs }) => attribs['data-text-ad'] !== undefined),
  );
};

const isQueryBox: Test = ({ name, attribs }) =>
  (name === 'input' || name === 'textarea') && attribs.name === 'q';

const setBox = (root: Document, query: string): boolean => {
  const boxes = findAll(root, isQueryBox);
  for (const box of boxes) {
    if (box.attribs.value !== undefined) box.attribs.value = query;
    if (box.name === 'textarea') {
      for (const child of childrenOf(box)) removeElement(child);
      appendChild(box, new Text(query));
    }
  }
  return boxes.length > 0;
};

const setTitle = (root: Document, query: string): boolean => {
  const title = find(root, ({ name }) => name === 'title');
  if (!title) return false;
  for (const child of childrenOf(title)) removeElement(child);
  appendChild(title, new Text(`${query} - Google`));
  return true;
};

const searchOf = ({ attribs }: Element): URL | null =>
  /^(?:https:\/\/www\.google\.[a-z.]+)?\/search\?/.test(attribs.href ?? '')
    ? new URL(attribs.href ?? '', 'https://www.google.com')
    : null;

/** Changes the parameters of links to searches. Returns how many links there were. */
const editSearches = (
  root: Document,
  test: (parameters: URLSearchParams) => boolean,
  change: (parameters: URLSearchParams) => void,
): number => {
  let changed = 0;
  for (const link of findAll(root, ({ name }) => name === 'a')) {
    const url = searchOf(link);
    if (!url || !test(url.searchParams)) continue;
    change(url.searchParams);
    link.attribs.href = `${url.pathname}${url.search}`;
    changed += 1;
  }
  return changed;
};

const isPaging = (parameters: URLSearchParams): boolean => parameters.has('start');

const isOfSearch = (parameters: URLSearchParams): boolean =>
  isPaging(parameters) || parameters.has('udm') || parameters.has('tbm');

const setContext = (root: Document, query: string): boolean => {
  const rso = find(root, byId('rso'));
  if (!rso?.attribs['data-async-context']) return false;
  rso.attribs['data-async-context'] = `query:${encodeURIComponent(query)}`;
  return true;
};

/** Makes links and column of the page name other words. False if the page has neither. */
const setSearched = (root: Document, query: string): boolean => {
  const links = editSearches(root, isOfSearch, (parameters) => parameters.set('q', query));
  return setContext(root, query) || links > 0;
};

/** The page up to the title of one of its results, closed as a proxy would close it. */
const cutInResults =
  (share: number) =>
  (answer: Answer): Answer | null => {
    const { root } = parseHtml(answer.html);
    const links = titleLinks(root);
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
  edit((root) => {
    const results =
      find(root, byId('rso')) ?? (titleLinks(root).length > 0 ? find(root, byId('main')) : undefined);
    if (!results) return false;
    const inside = childrenOf(results);
    for (const child of inside) removeElement(child);
    const wrapper = new Element(name, {});
    for (const child of inside) appendChild(wrapper, child);
    appendChild(results, wrapper);
    return true;
  });

/** Replaces the titles of a result by elements that no reader knows. */
const loseTitle = (link: Element): void => {
  for (const title of findAll(link, (element) => isH3(element) || isHeading(element))) {
    title.name = 'q-title';
    delete title.attribs.role;
  }
};

const loseTitles = (isLost: (index: number) => boolean) =>
  edit((root) => {
    const links = titleLinks(root);
    // Some saved pages have the same address in all results.
    if (new Set(links.map((link) => link.attribs.href)).size < 3) return false;
    links.forEach((link, index) => {
      if (isLost(index)) loseTitle(link);
    });
    return true;
  });

const minChanged = 3;

/**
 * Changes each second result whose site no other item shows. A changed result of another item's site cannot be told from a part of that
 * item.
 */
const changeHalf = (change: (link: Element) => void) =>
  edit((root, answer) => {
    const links = shownLinks(root, answer);
    const { left, right } = reader.open(answer.html).read(answer.fetch.device);
    const isOfOneSite = (link: Element): boolean => {
      const host = hostOf(targetOf(link.attribs.href)?.url ?? '');
      return (
        [...left, ...right].filter(({ url, breadcrumb }) =>
          [hostOf(url), shownHost(breadcrumb)].includes(host),
        ).length === 1
      );
    };
    const changed = links.filter((link, index) => index % 2 === 1 && isOfOneSite(link));
    if (changed.length < minChanged) return false;
    for (const link of changed) change(link);
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

const withoutAttributes = (names: string[]) =>
  edit((root) => {
    const marked = findAll(root, ({ attribs }) => attribs[names[0] ?? ''] !== undefined);
    for (const { attribs } of names.length > 1 ? findAll(root, () => true) : marked)
      for (const name of names) delete attribs[name];
    return marked.length > 0;
  });

const firstWord = (query: string): string => query.trim().split(/\s+/)[0] ?? '';

const nothingFound = (query: string): Document =>
  parseHtml(
    `<div class="card"><p role="heading">… <em>${query.replaceAll('<', '')}</em> …</p><ul><li>…a.</li><li>…b.</li></ul></div>`,
  ).root;

const emptied = (root: Document): boolean => {
  const column =
    find(root, byId('rso')) ?? (titleLinks(root).length > 0 ? find(root, byId('main')) : undefined);
  if (!column) return false;
  for (const child of childrenOf(column)) removeElement(child);
  return titleLinks(root).length === 0;
};

const stampedAt = (seconds: number): string => {
  const bytes = Buffer.alloc(16, 3);
  bytes.writeUInt32LE(seconds);
  return bytes.toString('base64url');
};

const scriptStamp = /(\bkEI["']?\s*[:=]\s*["'])[\w-]+/;

const search = (host: string, query: string, more = '') =>
  `https://${host}/search?q=${encodeURIComponent(query)}${more}`;

export const tamperings: Tampering[] = [
  // An old page.
  {
    name: 'a year old',
    demand: 'refused',
    tamper: ask(({ fetchedAt }) => ({ fetchedAt: fetchedAt + 365 * day })),
  },
  {
    name: 'from the future',
    demand: 'refused',
    tamper: ask(({ fetchedAt }) => ({ fetchedAt: fetchedAt - 365 * day })),
  },
  {
    name: 'four days old',
    demand: 'refused',
    tamper: (answer) =>
      scriptStamp.test(answer.html)
        ? { ...answer, fetch: { ...answer.fetch, fetchedAt: answer.fetch.fetchedAt + 4 * day } }
        : null,
  },
  {
    name: 'a year old, with a fresh time in the script',
    demand: 'refused',
    tamper: (answer) => {
      const fetchedAt = answer.fetch.fetchedAt + 365 * day;
      const html = answer.html.replace(scriptStamp, `$1${stampedAt(fetchedAt)}`);
      const hasLinks = /[?&;]ei=[\w-]{6}/.test(html);
      return html === answer.html || !hasLinks ? null : { html, fetch: { ...answer.fetch, fetchedAt } };
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
      edit((root) => setBox(root, other.fetch.query))(
        { ...answer, fetch: { ...answer.fetch, query: other.fetch.query } },
        other,
      ),
  },
  {
    name: 'another query, and the title is rewritten',
    demand: 'refused',
    tamper: (answer, other) =>
      edit((root) => setTitle(root, other.fetch.query))(
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
          setBox(root, other.fetch.query) &&
          setTitle(root, other.fetch.query) &&
          setSearched(root, answer.fetch.query),
      )({ ...answer, fetch: { ...answer.fetch, query: other.fetch.query } }, other),
  },
  {
    name: 'another query, and box, title and links are rewritten',
    demand: 'refused',
    tamper: (answer, other) =>
      edit(
        (root) =>
          setBox(root, other.fetch.query) &&
          setTitle(root, other.fetch.query) &&
          setSearched(root, other.fetch.query) &&
          titleLinks(root).length > 2,
      )({ ...answer, fetch: { ...answer.fetch, query: other.fetch.query } }, other),
  },
  {
    name: 'a silently corrected query',
    demand: 'incomplete',
    tamper: edit((root, { fetch }) => {
      const corrected = fetch.query.replace(/\p{L}/u, (letter) => (letter === 'q' ? 'x' : 'q'));
      return corrected !== fetch.query && setSearched(root, corrected);
    }),
  },
  {
    name: 'a silently shortened query',
    demand: 'incomplete',
    tamper: edit(
      (root, { fetch }) => /\p{L}\s+\S*\p{L}/u.test(fetch.query) && setSearched(root, firstWord(fetch.query)),
    ),
  },

  // Another tab, page or address.
  {
    name: 'the tab of pictures',
    demand: 'refused',
    tamper: edit((root) => editSearches(root, isPaging, (parameters) => parameters.set('udm', '2')) > 0),
  },
  {
    name: 'the tab of news, in the search form',
    demand: 'refused',
    tamper: edit((root) => {
      const form = find(root, ({ name }) => name === 'form');
      if (!form) return false;
      prependChild(form, new Element('input', { type: 'hidden', name: 'tbm', value: 'nws' }));
      return true;
    }),
  },
  {
    name: 'the tab of videos, in the final address',
    demand: 'refused',
    tamper: ask(({ query }) => ({ url: search('www.google.com', query, '&udm=7') })),
  },
  {
    name: 'the first page for the second',
    demand: 'refused',
    tamper: (answer) =>
      /[?&;]start=10\b/.test(answer.html) ? { ...answer, fetch: { ...answer.fetch, page: 2 } } : null,
  },
  {
    name: 'the first page for the fourth',
    demand: 'refused',
    tamper: (answer) =>
      /[?&;]start=10\b/.test(answer.html) ? { ...answer, fetch: { ...answer.fetch, page: 4 } } : null,
  },
  {
    name: 'the second page for the first',
    demand: 'refused',
    tamper: edit(
      (root) =>
        editSearches(root, isPaging, (parameters) => {
          if (parameters.get('start') === '10') parameters.set('start', '0');
        }) > 0 &&
        editSearches(
          root,
          (parameters) => parameters.get('start') === '0',
          () => {},
        ) > 0,
    ),
  },
  {
    name: 'the second page for the first, with a single link to more',
    demand: 'refused',
    tamper: edit((root) => {
      const starts = new Set<string | null>();
      editSearches(root, isPaging, (parameters) => starts.add(parameters.get('start')));
      if (starts.size !== 1 || !starts.has('10')) return false;
      return editSearches(root, isPaging, (parameters) => parameters.set('start', '20')) > 0;
    }),
  },
  {
    name: 'the final address of another page',
    demand: 'refused',
    tamper: ask(({ query }) => ({ url: search('www.google.com', query, '&start=30') })),
  },
  {
    name: 'the final address of another query',
    demand: 'refused',
    tamper: ask(() => ({ url: search('www.google.com', 'xylophone umbrella') })),
  },
  {
    name: 'another final host',
    demand: 'refused',
    tamper: ask(({ query }) => ({ url: search('www.mirror.example', query) })),
  },
  {
    name: 'a final host that begins with the name of the engine',
    demand: 'refused',
    tamper: ask(({ query }) => ({ url: search('www.google.com.mirror.example', query) })),
  },
  {
    name: 'another final path',
    demand: 'refused',
    tamper: ask(() => ({ url: 'https://www.google.com/webhp' })),
  },
  {
    name: 'a redirect to the choice about cookies',
    demand: 'refused',
    tamper: ask(() => ({ url: 'https://consent.google.com/ml' })),
  },
  { name: 'the status of an error', demand: 'refused', tamper: ask(() => ({ status: 404 })) },
  {
    name: 'the page of another device',
    demand: 'refused',
    tamper: (answer) => {
      const { root } = parseHtml(answer.html);
      if (!find(root, byId('rso')) || titleLinks(root).length === 0) return null;
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
      const urlOf = (link?: Element) => targetOf(link?.attribs.href)?.url;
      const url = urlOf(links[0]);
      for (const link of links.filter((each) => urlOf(each) === url))
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
      const siteOf = (link?: Element) => getDomain(link?.attribs.href ?? '');
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
      const copy = parseHtml(getOuterHTML(link)).root.children[0];
      if (!copy || !isTag(copy)) return false;
      const column = find(root, byId('rso'));
      copy.attribs.href = 'https://injected.example/';
      prependChild(column ?? body, copy);
      return column !== undefined;
    }),
  },
  {
    name: 'results of another query in the column',
    demand: 'refused',
    // Some of the words of a long question are on every page.
    tamper: edit((root, { fetch }, other) => {
      const [mine, theirs] = [find(root, byId('rso')), find(other, byId('rso'))];
      if (!mine || !theirs || titleLinks(other).length < 3 || fetch.query.split(' ').length > 12)
        return false;
      for (const link of titleLinks(root)) removeElement(link);
      for (const child of childrenOf(mine)) removeElement(child);
      for (const child of childrenOf(theirs)) appendChild(mine, child);
      return true;
    }),
  },
  {
    name: 'the column of another query',
    demand: 'refused',
    tamper: edit((root, _, other) => {
      const [mine, theirs] = [find(root, byId('rso')), find(other, byId('rso'))];
      if (!mine || !theirs || titleLinks(other).length < 3) return false;
      replaceElement(mine, theirs);
      return true;
    }),
  },
  {
    name: 'spliced with the lower half of another page',
    demand: 'refused',
    tamper: edit((root, _, other) => {
      const [mine, theirs] = [find(root, byId('botstuff')), find(other, byId('botstuff'))];
      const hasPaging = (top?: Element) =>
        top !== undefined && find(top, ({ attribs }) => /[?&]start=/.test(attribs.href ?? '')) !== undefined;
      if (!mine || !theirs || !hasPaging(mine) || !hasPaging(theirs)) return false;
      replaceElement(mine, theirs);
      return true;
    }),
  },

  // Missing results.
  { name: 'emptied', demand: 'refused', tamper: edit((root) => emptied(root)) },
  {
    name: 'emptied, and it says that nothing was found for other words',
    demand: 'refused',
    tamper: edit((root) => {
      const body = find(root, ({ name }) => name === 'body');
      if (!emptied(root) || !body) return false;
      for (const child of [...nothingFound('xylophone umbrella').children]) appendChild(body, child);
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
    tamper: edit((root) => {
      const column = find(root, byId('rso'));
      const body = find(root, ({ name }) => name === 'body');
      if (!column || !body || titleLinks(root).length === 0) return false;
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
    // On pages for browsers without scripts, a result is not told from the other blocks without its title.
    tamper: (answer, other) =>
      find(parseHtml(answer.html).root, byId('rso'))
        ? loseTitles((index) => index === 0)(answer, other)
        : null,
  },
  { name: 'half of the titles changed', demand: 'same', tamper: loseTitles((index) => index % 2 === 1) },
  { name: 'all titles changed', demand: 'same', tamper: loseTitles(() => true) },
  {
    name: 'all ids changed',
    demand: 'drifted',
    tamper: edit((root) => {
      if (!find(root, byId('rso'))) return false;
      for (const element of findAll(root, ({ attribs }) => attribs.id !== undefined))
        element.attribs.id = `x${element.attribs.id}`;
      return true;
    }),
  },
  {
    name: 'all ids, classes, data and script attributes changed',
    demand: 'drifted',
    tamper: edit((root) => find(root, byId('rso')) !== undefined && rename(root, /^(?:id$|class$|data-|js)/)),
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
    tamper: changeHalf((link) => {
      loseTitle(link);
      for (const part of findAll(link, isAddress)) {
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
    name: 'a page of another site with a form for searches',
    demand: 'refused',
    tamper: edit((root, { fetch }) => {
      const links = titleLinks(root);
      if (links.length === 0) return false;
      const page = parseHtml(
        '<html><head><title></title></head><body><form action="/search"><input name="q" value=""></form><ul></ul></body></html>',
      ).root;
      setTitle(page, fetch.query);
      setBox(page, fetch.query);
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
    tamper: withoutAttributes(['data-text-ad']),
  },
  {
    name: 'questions without their marks',
    demand: 'same',
    tamper: withoutAttributes(['data-q', 'data-initq', 'class']),
  },
  {
    name: 'an AI overview without its id',
    demand: 'same',
    tamper: edit((root) => {
      const boxes = findAll(root, isOverview).filter(({ attribs }) => attribs.id !== undefined);
      for (const { attribs } of boxes) delete attribs.id;
      return boxes.length > 0;
    }),
  },
  {
    name: 'data of entities without their marks',
    demand: 'same',
    tamper: withoutAttributes(['data-attrid']),
  },

  // More pages.
  {
    name: 'without links to pages',
    demand: 'continues',
    tamper: edit((root) => {
      const links = findAll(
        root,
        (link) => link.name === 'a' && searchOf(link)?.searchParams.has('start') === true,
      );
      for (const link of links) {
        const pager = find(
          root,
          (element) => element.attribs.role === 'navigation' && isInside(link, (up) => up === element),
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
      (root) =>
        editSearches(root, isPaging, (parameters) => {
          parameters.delete('start');
          parameters.set('aomd', '1');
        }) > 0,
    ),
  },
  {
    name: 'with links to pages that a script adds',
    demand: 'continues',
    tamper: edit((root) => {
      const links = findAll(
        root,
        (link) => link.name === 'a' && searchOf(link)?.searchParams.has('start') === true,
      );
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
    tamper: ask(({ query }) => ({ url: search('www.google.de', query, '&start=0&hl=de') })),
  },
];
