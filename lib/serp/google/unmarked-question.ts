/**
 * Recognizes "people also ask" by its structure, for pages on which the questions have no attribute of their
 * own: rows with the same parent, one button that opens an answer in each, and a caption above them.
 */

import type { Element, ParentNode } from 'domhandler';
import { ancestors, isInside, type Test, walk } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import { addMark, isMarked, mark } from '../marks.ts';
import { expandersIn } from './expander.ts';
import { leadsOut } from './link.ts';

export const isUnmarkedQuestion: Test = (element) => isMarked(element, mark.row);

/**
 * One sentence that ends with a question mark of any script. Greek has a semicolon. Other lists have a label
 * before the question.
 */
const question = /^(?:[^.:…：]|[.:](?!\s))*[?？؟;\u037e՞፧⸮︖﹖]["'”’»」）)\s]*$/u;

/** A button with one line of text. The rows of other lists have a label beside the question. */
const isSingleLine: Test = (element) => element.attribs.role === 'button' && linesOf(element).length === 1;

type Row = { element: Element; text: string };

/** The rows of each list, which is the smallest box around two buttons. */
const listsOf = (buttons: Element[]): Map<Element, Row[]> => {
  const counts = new Map<Element, number>();
  const around = new Map(buttons.map((button) => [button, ancestors(button)]));
  for (const boxes of around.values()) for (const box of boxes) counts.set(box, (counts.get(box) ?? 0) + 1);
  const lists = new Map<Element, Row[]>();
  for (const [button, boxes] of around) {
    const at = boxes.findIndex((box) => (counts.get(box) ?? 0) > 1);
    const list = boxes[at];
    if (!list) continue;
    const all = lists.get(list) ?? [];
    all.push({ element: boxes[at - 1] ?? button, text: textOf(button) });
    lists.set(list, all);
  }
  return lists;
};

const isHeading: Test = ({ name, attribs }) => attribs.role === 'heading' || name === 'h2' || name === 'h3';

/**
 * Whether the first text above the rows is a caption. In a web result, the text or the title is above the
 * rows: no heading, or a link. Captions on pages for browsers without scripts are ordinary text.
 */
const hasCaption = (list: Element, all: Row[], isPlain: boolean): boolean => {
  const texts = new Set(all.map(({ text }) => text));
  const box = [list, ...ancestors(list)].find((up) => !texts.has(linesOf(up)[0] ?? ''));
  if (!box || box.name === 'body') return false;
  const elements = new Set(all.map(({ element }) => element));
  let hasHeading = isPlain;
  let hasLink = false;
  walk(box, (element) => {
    if (elements.has(element)) return false;
    hasHeading ||= isHeading(element);
    hasLink ||= leadsOut(element);
    return true;
  });
  return hasHeading && !hasLink;
};

const minRows = 2;

/**
 * Whether the rows are questions: at least half of them look like one, since some questions have no question
 * mark.
 */
const areQuestions = (all: Row[]): boolean =>
  all.filter(({ text }) => question.test(text)).length * 2 >= all.length;

/**
 * Finds the rows of questions that have no mark. Must be called before the page is read. `isKnown` matches
 * boxes whose kind is known by a mark. `isPlain`: the page is for browsers without scripts. Only questions
 * open there, so their rows need no question mark.
 */
export const findUnmarkedQuestions = (top: ParentNode, isKnown: Test, isPlain: boolean): void => {
  const buttons = expandersIn(top).filter((button) => isSingleLine(button) && !isInside(button, isKnown));
  if (buttons.length < minRows) return;
  for (const [list, all] of listsOf(buttons)) {
    if (all.length < minRows || !(isPlain || areQuestions(all)) || !hasCaption(list, all, isPlain)) continue;
    for (const { element } of all) addMark(element, mark.row);
  }
};
