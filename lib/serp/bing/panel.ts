/** The knowledge panel: an item of the right column with a name, a description and links. */

import type { Element } from 'domhandler';
import { find, findAll, has, hasClass, isInside, isNamed, type Test } from '../dom.ts';
import { linesOf, textIn, textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { widthOf } from '../text.ts';
import type { Draft } from '../walker.ts';
import { firstOfPage, isFolded, isH2, isItem, isRight, partsOf, targetsIn } from './elements.ts';
import { leadsOut, searchParameters, targetOfLink } from './link.ts';

/** The box of a panel: until 2023, and since then. */
const isPanelClass = hasClass('b_entityTP', 'lite-entcard-main', 'b_entityCard');

const isTitleClass = hasClass('b_entityTitle', 'l_ecrd_hero_ttl');

/** The name with the subtitle below, on panels whose title is not in a separate element. */
const isHeadClass = hasClass('l_ecrd_hero_txt');

const isSubtitleClass = hasClass('b_entitySubTitle', 'l_ecrd_hero_subttl');

/** A paragraph of the description has at least this many characters. */
const minDescription = 40;

/**
 * Without classes, a panel is an item of the right column with a heading, a description, and links out of the
 * engine.
 */
const isPanelByStructure = (item: Element): boolean =>
  isInside(item, isRight) &&
  partsOf(item).headings.some((heading) => !has(heading, isNamed('a')) && textOf(heading) !== '') &&
  targetsIn(item).length >= 2 &&
  linesOf(item).some((line) => widthOf(line) >= minDescription) &&
  // A list of other meanings has a search for each.
  partsOf(item).headings.length > 1;

export const isPanel: Test = (element) =>
  isItem(element) && (partsOf(element).all.some(isPanelClass) || isPanelByStructure(element));

const isHeading: Test = (element) => isTitleClass(element) || (isH2(element) && textOf(element) !== '');

/** The name and the subtitle. */
const namesOf = (item: Element): { title: string; subtitle: string } => {
  const head = find(item, isHeadClass);
  const [first = '', second = ''] = head ? linesOf(head) : [];
  return {
    title: textIn(item, isTitleClass) || first || textIn(item, isHeading),
    subtitle: textIn(item, isSubtitleClass) || second,
  };
};

/** A row with a label and a value: `Founded: 1988`, or a label in a separate element. */
const isRow = hasClass('b_factrow', 'l_ecrd_vqfcts_row');

const factOf = (row: Element): { label: string; value: string } | null => {
  const text = textOf(row, isFolded);
  const marked = find(row, hasClass('cbl', 'lc_expfact_title'));
  const label = (marked ? textOf(marked) : (/^([^:：]{2,40})[:：]/.exec(text)?.[1] ?? '')).replace(
    / ?[:：]$/,
    '',
  );
  const value = text
    .slice(text.indexOf(label) + label.length)
    .replace(/^\s*[:：]\s*/, '')
    .trim();
  return label !== '' && value !== '' && value.length <= 300 ? { label, value } : null;
};

const isIcons = hasClass('infoCardIcons', 'b_iconSet', 'l_ecrd_webicons');

const profilesOf = (item: Element): { title: string; url: string }[] =>
  findAll(item, (element) => isIcons(element) && !isInside(element, isIcons)).flatMap((box) =>
    findAll(box, leadsOut).map((link) => ({
      title: textOf(link) || (link.attribs.title ?? ''),
      url: targetOfLink(link)?.url ?? '',
    })),
  );

const isSmall = hasClass('sml');

/** The text of a panel is known by its mark only: other lines of a panel may be as long. */
const isDescription = hasClass('b_snippet', 'b_lBottom');

const descriptionOf = (item: Element): string => {
  const marked = find(
    item,
    (element) => isDescription(element) && widthOf(textOf(element)) >= minDescription,
  );
  if (!marked) return '';
  const isOther: Test = (element) =>
    isFolded(element) || leadsOut(element) || element.attribs.role === 'button' || isSmall(element);
  return textOf(marked, isOther);
};

const firstPanel = firstOfPage(isPanel);

/** A page has one panel. The first one counts. */
export const readPanel = (item: Element, page: Page): Draft[] => {
  const { title, subtitle } = namesOf(item);
  if (title === '' || firstPanel(page) !== item) return [];
  const facts = findAll(item, isRow).flatMap((row) => factOf(row) ?? []);
  const profiles = profilesOf(item);
  const link = find(item, (element) => leadsOut(element) && searchParameters(element) === undefined);
  const target = link && targetOfLink(link);
  return [
    {
      title,
      snippet: descriptionOf(item),
      ...target,
      ...(subtitle && { subtitle }),
      ...(facts.length > 0 && { facts: [...new Map(facts.map((fact) => [fact.label, fact])).values()] }),
      ...(profiles.length > 0 && { profiles }),
    },
  ];
};
