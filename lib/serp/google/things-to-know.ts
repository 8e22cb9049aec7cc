/**
 * "Things to know": topics about the subject of the query. Each topic has a row with its name and a question.
 * The answer and its page are in the part that the row opens, if they are on the page.
 */

import type { Element } from 'domhandler';
import { ancestors, find, type Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { once } from '../page-cache.ts';
import { trimmed } from '../text.ts';
import type { Draft } from '../walker.ts';
import { answerText, sourceOf } from './answer.ts';
import { isColumn } from './elements.ts';

const topicIn = (part: 'title' | 'content', { attribs }: Element): string | undefined => {
  const attribute = attribs['data-attrid'];
  if (!attribute?.startsWith('lab/')) return undefined;
  const prefix = `lab/${part}/`;
  return attribute.startsWith(prefix) ? attribute.slice(prefix.length) : undefined;
};

/** The row of a topic: data of the engine with the name of the topic. */
export const isTopic: Test = (element) => topicIn('title', element) !== undefined;

/** The answer has the name of its topic, too. */
const contentAround = once((row: Element): Element | undefined => {
  const topic = topicIn('title', row);
  for (const box of ancestors(row)) {
    if (isColumn(box)) return undefined;
    const content = find(box, (element) => topicIn('content', element) === topic);
    if (content) return content;
  }
  return undefined;
});

/** The parts of a row are elements of their own: the topic, perhaps an ellipsis, and the question. */
const partsOf = (row: Element): string[] =>
  row.children
    .map((child) => (child.type === 'tag' ? trimmed(textOf(child as Element)).replace(/^[.…]+$/, '') : ''))
    .filter((text) => text !== '');

export const readTopic = (row: Element, page: Page): Draft[] => {
  const [title = '', subtitle = ''] = partsOf(row);
  if (title === '') return [];
  const content = contentAround(row);
  const source = content && sourceOf(content, page);
  const snippet = content ? answerText(content) : '';
  return [{ ...source, title, snippet, ...(subtitle && { subtitle }) }];
};
