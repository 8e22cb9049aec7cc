/** The knowledge panel: an item of the right column with a name, a description with its source, and facts. */

import type { Element } from 'domhandler';
import { find, findAll, has, hasClass, isInside, isNamed, type Test } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { normalized } from '../query.ts';
import { widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import {
  firstOfPage,
  hasLink,
  isItem,
  isLinked,
  isOtherLeft,
  isResult,
  isRightItem,
  itemsOf,
  linksIn,
  targetsIn,
} from './elements.ts';
import { isAdLink, leadsOut, leadsToAnyService, searchParameters, targetOfLink } from './link.ts';
import { queryOf } from './page-facts.ts';

/** The box of a panel, which has had this class since 2020. Terms and names in it are facts of the entity. */
const isPanelClass = hasClass('catKG');

/** The description has at least this many characters. */
const minDescription = 40;

const isParagraph = isNamed('p');

/** A paragraph that ends with a link to its source. */
const isDescription: Test = (element) =>
  isParagraph(element) && has(element, leadsOut) && widthOf(textOf(element, leadsOut)) >= minDescription;

/** A panel has a description from another site. Lists of other meanings, of terms and of ads have none. */
export const isPanel: Test = (element) =>
  isRightItem(element) &&
  !hasLink(element, isAdLink) &&
  (has(element, isDescription) || (has(element, isPanelClass) && targetsIn(element).length > 0));

/** A row with a label and a value: `Born: July 31, 1956`. */
const factOf = (row: Element): { label: string; value: string } | null => {
  const marked = find(row, isNamed('label'));
  if (!marked) return null;
  const label = textOf(marked).replace(/ ?[:：]$/, '');
  const value = textOf(row, (element) => element === marked).trim();
  return label !== '' && value !== '' && value.length <= 300 ? { label, value } : null;
};

/** Links to the entity's pages have a picture, and are in a list. */
const profilesOf = (item: Element): { title: string; url: string }[] => {
  const found = new Map<string, string>();
  for (const link of linksIn(item).filter((one) => leadsOut(one) && isInside(one, isListItem))) {
    const url = targetOfLink(link)?.url ?? '';
    if (!found.get(url)) found.set(url, textOf(link) || (link.attribs.title ?? ''));
  }
  return [...found].map(([url, title]) => ({ title, url }));
};

/** An item of a list inside the panel. */
const isListItem: Test = (element) => element.name === 'li' && !isItem(element);

const firstPanel = firstOfPage(isPanel);

const isName: Test = ({ name, attribs }) => /^h[1-4]$/.test(name) || attribs.role === 'heading';

const nameIn = (item: Element): Element | undefined => find(item, isName);

/**
 * The head of a page about one subject: an item of the main column whose heading is no link out of the search
 * and has a line below it.
 */
export const isEntityHead: Test = (item) => {
  const name = isOtherLeft(item) ? nameIn(item) : undefined;
  return (
    name !== undefined &&
    !isLinked(name) &&
    !hasLink(item, leadsToAnyService) &&
    !hasLink(item, leadsOut) &&
    linesOf(item, (element) => element === name).length > 0
  );
};

/** The name is the query, or a part of it. The line below it says what the subject is. */
export const readEntityHead = (item: Element, page: Page): Draft[] => {
  const name = nameIn(item);
  if (!name || firstPanel(page) || firstResult(page) === undefined) return [];
  const title = textOf(name);
  const isSubject = normalized(title) !== '' && normalized(queryOf(page)).includes(normalized(title));
  const isFirst = itemsOf(page).indexOf(item) < itemsOf(page).indexOf(firstResult(page) ?? item);
  if (!isSubject || !isFirst) return [];
  const [subtitle = ''] = linesOf(item, (element) => element === name);
  return [{ title, ...(subtitle && { subtitle }) }];
};

const firstResult = firstOfPage(isResult);

/** The name and the subtitle are the first lines. A page has one panel. The first one counts. */
export const readPanel = (item: Element, page: Page): Draft[] => {
  if (firstPanel(page) !== item) return [];
  const description = find(item, isDescription);
  const [title = '', subtitle = ''] = linesOf(
    item,
    (element) => element === description || element.name === 'ul',
  );
  if (title === '') return [];
  const facts = findAll(item, (row) => row.name === 'li').flatMap((row) =>
    isItem(row) ? [] : (factOf(row) ?? []),
  );
  const profiles = profilesOf(item);
  const link = description
    ? find(description, leadsOut)
    : linksIn(item).find((one) => leadsOut(one) && searchParameters(one) === undefined);
  const target = link && targetOfLink(link);
  return [
    {
      title,
      snippet: description ? textOf(description, leadsOut) : '',
      ...target,
      ...(subtitle && { subtitle }),
      ...(facts.length > 0 && { facts: [...new Map(facts.map((fact) => [fact.label, fact])).values()] }),
      ...(profiles.length > 0 && { profiles }),
    },
  ];
};
