/**
 * Matches of two teams: the large one of a search for a match, and those of a list. No saved page has one.
 * The marks are those that more than ten public programs and pages of 2019 to 2026 name.
 */
import type { Element } from 'domhandler';
import { dateIn } from '../dates.ts';
import { ancestors, find, findAll, has, hasClass, partsAround, type Test } from '../dom.ts';
import { leavesOf, textIn } from '../lines.ts';
import { once } from '../page-cache.ts';
import { asciiDigits } from '../text.ts';
import type { Draft } from '../walker.ts';
import { isColumn } from './elements.ts';

type Team = NonNullable<Draft['teams']>[number];

const isFirstTeam = hasClass('imso_mh__first-tn-ed');
const isSecondTeam = hasClass('imso_mh__second-tn-ed');
const isFirstScore = hasClass('imso_mh__l-tm-sc');
const isSecondScore = hasClass('imso_mh__r-tm-sc');

/** A match of a list has an id, and so have its teams. */
const isListed: Test = ({ attribs }) => attribs['data-df-match-mid'] !== undefined;

export const isMatch: Test = (element) => isListed(element) || isFirstTeam(element);

const isTeam: Test = ({ attribs }) => attribs['data-df-team-mid'] !== undefined;

/** Goals, runs and wickets: `2`, `3 (4)`, `182/7`. */
const isScore = (text: string): boolean =>
  /^\d{1,3}(?:\/\d{1,2})?(?:\s?\(\d{1,2}\))?$/.test(asciiDigits(text));

const isName = (text: string): boolean => /\p{L}/u.test(text);

const readTeam = (box: Element, score: string): Team => ({
  name: leavesOf(box).find(isName) ?? '',
  score,
});

/** The first element of each team. Its sign and its name may both have its id; an empty id says nothing. */
const firstOfTeams = (box: Element): Element[] => {
  const byId = new Map<string | Element, Element>();
  for (const team of findAll(box, isTeam)) {
    const id = team.attribs['data-df-team-mid'] || team;
    if (!byId.has(id)) byId.set(id, team);
  }
  return [...byId.values()];
};

const listedTeams = (box: Element): Team[] =>
  partsAround(box, firstOfTeams(box)).map(([, row]) => readTeam(row, leavesOf(row).find(isScore) ?? ''));

const largeTeams = (box: Element): Team[] => {
  const [first, second] = [find(box, isFirstTeam), find(box, isSecondTeam)];
  if (!first || !second) return [];
  return [readTeam(first, textIn(box, isFirstScore)), readTeam(second, textIn(box, isSecondScore))];
};

const hasSecondTeam = once((box: Element): boolean => has(box, isSecondTeam));
const hasSecondScore = once((box: Element): boolean => has(box, isSecondScore));

/** The smallest box with both teams and, if the match has begun, their scores. */
const boxAround = (first: Element): Element | undefined => {
  const boxes = ancestors(first);
  const column = boxes.findIndex(isColumn);
  const inColumn = column < 0 ? boxes : boxes.slice(0, column);
  const both = inColumn.find(hasSecondTeam);
  return inColumn.find((box) => hasSecondTeam(box) && hasSecondScore(box)) ?? both;
};

/** The other texts of the box are the league, the date and the state of the match. */
export const readMatch = (root: Element): Draft[] => {
  const isOfList = isListed(root);
  const box = isOfList ? root : boxAround(root);
  const teams = box ? (isOfList ? listedTeams(box) : largeTeams(box)) : [];
  if (!box || teams.length !== 2 || teams.some(({ name }) => name === '')) return [];
  const known = new Set(teams.flatMap(({ name, score }) => [name, score]));
  // A link leads to a video of the match.
  const linked = new Set(findAll(box, ({ name }) => name === 'a').flatMap(leavesOf));
  const others = [...new Set(leavesOf(box))].filter(
    (text) => !known.has(text) && !linked.has(text) && /[\p{L}\p{N}]/u.test(text),
  );
  const date = dateIn(others);
  return [
    {
      title: teams.map(({ name }) => name).join(' – '),
      snippet: others.join(' · '),
      teams,
      ...(date && { date }),
    },
  ];
};
