/** One web result: the title link, and the item of the list around it. */

import type { Element } from 'domhandler';
import { priceIn, ratingIn } from '../amounts.ts';
import { findAll, has, hasClass, isInside, isLink, isNamed, type Test } from '../dom.ts';
import { domainOf } from '../host.ts';
import { textOf } from '../lines.ts';
import { isTitlePart, sitelinksIn, snippetIn, withoutDate } from '../list/organic.ts';
import type { Draft } from '../walker.ts';
import { isAddress, linksIn, type Title, titleOf } from './elements.ts';
import { leadsOut, ownPageOf, targetOfLink } from './link.ts';

/** A menu of the result, with a link to a saved copy. */
const isMenu = hasClass('algo-options');

const isOtherPart = (title: Title): Test => {
  const isTitle = isTitlePart(title);
  return (element) => isTitle(element) || isAddress(element) || isMenu(element) || element.name === 'label';
};

/** A number of views, such as `2.6B`. */
const countWithUnit = /\p{Nd}[\p{Nd}.,\u066b\u066c]{0,24}\p{L}+/gu;

/** Rows with labels: a rating with the number of reviews, and a price. */
const factsOf = (block: Element): Pick<Draft, 'rating' | 'reviews' | 'price'> => {
  const facts: Pick<Draft, 'rating' | 'reviews' | 'price'> = {};
  for (const row of findAll(block, (element) => element.name === 'li' && has(element, isNamed('label')))) {
    const text = textOf(row, (element) => ownPageOf(element) !== undefined).replace(countWithUnit, '');
    const price = priceIn(text);
    if (facts.rating === undefined) Object.assign(facts, ratingIn(text));
    if (price !== '') facts.price ??= price;
  }
  return facts;
};

export const readOrganic = (block: Element): Draft[] => {
  const title = titleOf(block);
  if (!title) return [];
  const { target, address } = title;
  const text = snippetIn(block, {
    paragraphs: findAll(block, isNamed('p')),
    isOtherPart: isOtherPart(title),
    isAside: (element) => element.name === 'li' || isMenu(element),
    isNoText: (element) => isLink(element) || (element.name === 'li' && element !== block),
  });
  const { snippet, date } = withoutDate(text);
  const sitelinks = sitelinksIn(linksIn(block).filter(leadsOut), {
    url: target.url,
    targetOf: targetOfLink,
    isOwn: (link) => link === title.link || isInside(link, isMenu),
  });
  return [
    {
      title: title.text,
      ...target,
      breadcrumb: address,
      snippet,
      domain: domainOf(target, address),
      ...(date && { date }),
      ...factsOf(block),
      ...(sitelinks.length > 0 && { sitelinks }),
    },
  ];
};
