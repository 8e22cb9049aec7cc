/** The visible text of elements. */
import { type AnyNode, isTag, isText, type ParentNode } from 'domhandler';
import { find, findAll, firstIn, nextAfter, nextNode, type Test } from './dom.ts';
import { mark, mayHave } from './marks.ts';
import { spend } from './steps.ts';
import { tidy, widthOf } from './text.ts';

/** Elements whose text the page does not show. */
export const withoutText = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);

/** Styles are written in any case, and with white space around the colon. `--display` is another property. */
const removes = /(?<![\w-])display\s*:\s*none(?![\w-])/i;

/** Whether browsers make no box for an element with such a style. */
export const isRemovedBy = (style: string | undefined): boolean => style !== undefined && removes.test(style);

/**
 * Whether the page hides the element. For lines of text only: whole blocks of results may be hidden until
 * scripts run.
 */
export const isHidden: Test = (element) => {
  if (!mayHave(element, mark.role | mark.style)) return false;
  const { role, style } = element.attribs;
  return role === 'dialog' || isRemovedBy(style);
};

/** Elements that begin and end lines. */
export const blocks = new Set(
  'address article dd div dl dt figure h1 h2 h3 h4 h5 h6 header footer li ol p section table tbody td th tr ul'.split(
    ' ',
  ),
);

/**
 * Preparing the lines of an element takes as long as visiting this many nodes. Their text is counted on top.
 */
const stepsOfLines = 16;

/** Lines of real pages have at most 2,300 characters, and generated overviews some thousands in all. */
export const longest = { line: 16_384, text: 65_536 };

const addLine = (lines: string[], line: string): void => {
  const text = tidy(line.slice(0, longest.line));
  if (text !== '') lines.push(text);
};

/**
 * The text in an element, one line per block with text. Skips scripts, hidden elements and the elements that
 * `leaveOut` matches. The rest of a line that is far longer than any of a real page is left out.
 */
export const linesOf = (top: ParentNode, leaveOut?: Test): string[] => {
  const lines: string[] = [];
  let line = '';
  let node: AnyNode | null = isTag(top) && withoutText.has(top.name) ? null : top.firstChild;
  let steps = stepsOfLines;
  while (node) {
    steps += 1;
    if (isText(node)) {
      steps += 4 + (node.data.length >> 3);
      line += node.data;
    } else if (isTag(node)) {
      if (line !== '' && blocks.has(node.name)) {
        addLine(lines, line);
        line = '';
      }
      if (node.name === 'br') line += ' ';
      else if (!withoutText.has(node.name) && !isHidden(node) && !leaveOut?.(node)) {
        const inside: AnyNode | null = node.firstChild;
        if (inside) {
          node = inside;
          continue;
        }
      }
    }
    while (node && !node.next) {
      node = node.parent === top ? null : node.parent;
      if (line !== '' && node && isTag(node) && blocks.has(node.name)) {
        addLine(lines, line);
        line = '';
      }
    }
    node = node?.next ?? null;
  }
  if (line !== '') addLine(lines, line);
  spend(steps);
  return lines;
};

/** A sign that is neither white space nor invisible. */
const visible = /[^\s\u200b-\u200f\u202a-\u202e\u2060-\u2069]/u;

/**
 * The first sign of `textOf` an element; empty if it has no text. Visits no more than this needs, but the
 * whole element if so many blanks come first that `linesOf` may leave out the rest of their line.
 */
export const firstSignOf = (top: ParentNode): string => {
  let node: AnyNode | null = isTag(top) && withoutText.has(top.name) ? null : top.firstChild;
  let steps = 1;
  let before = 0;
  let found: string | undefined;
  while (node && found === undefined) {
    steps += 1;
    if (isText(node)) {
      steps += node.data.length >> 5;
      const sign = visible.exec(node.data);
      before += sign ? sign.index : node.data.length;
      found = sign?.[0];
    } else before += 1;
    const isShown: boolean = isTag(node) && !withoutText.has(node.name) && !isHidden(node);
    node = (isShown ? firstIn(node) : null) ?? nextAfter(node, top);
  }
  spend(steps);
  if (found === undefined || before < longest.line - 1) return found ?? '';
  const [first = ''] = textOf(top);
  return first;
};

/** All text in an element as it is in the page, also the text of hidden elements. */
export const contentOf = (top: ParentNode): string => {
  let content = '';
  for (let node = top.firstChild; node; node = nextNode(node, top)) {
    spend(1);
    if (!isText(node)) continue;
    spend(node.data.length >> 4);
    content += node.data;
  }
  return content;
};

/** The texts in an element that are in elements of their own. */
export const leavesOf = (top: ParentNode): string[] =>
  findAll(top, ({ children }) => children.length > 0 && !children.some(isTag))
    .map((leaf) => textOf(leaf))
    .filter((text) => text !== '');

/** The text of `linesOf` in one line. */
export const textOf = (top: ParentNode, leaveOut?: Test): string =>
  linesOf(top, leaveOut).join(' ').slice(0, longest.text);

/** The lines of sentences, without labels and other short lines: the text of an ad. */
export const sentencesOf = (top: ParentNode, leaveOut: Test): string =>
  linesOf(top, leaveOut)
    .filter((line) => widthOf(line) > 20)
    .join(' ');

/** The text of the first element that a test matches; empty if there is none. */
export const textIn = (top: ParentNode, test: Test): string => {
  const found = find(top, test);
  return found ? textOf(found) : '';
};
