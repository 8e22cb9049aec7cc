/**
 * The ways in which a page can have hidden results, or results twice: hidden copies, the page again, another
 * page behind it.
 */
import { type Document, Element, isTag } from 'domhandler';
import { append, appendChild, getOuterHTML, prepend } from 'domutils';
import { find, isInside, isNamed } from '../../lib/serp/dom.ts';
import { buildTree } from '../../lib/serp/tree.ts';
import { edit, type Tampering, titleLinks, treeOf } from './tamperings.ts';

const isBody = isNamed('body');

const copyOf = (element: Element): Element | undefined =>
  buildTree(getOuterHTML(element)).root.children.find(isTag);

/** Puts a copy of each second result behind it. `hide`: what hides the copy. */
const copyHalf = (hide: Record<string, string>) =>
  edit((root, answer) => {
    const { engine } = answer;
    const blocks = titleLinks(root, answer).map(engine.blockOf);
    if (blocks.length < 3) return false;
    for (const [index, block] of blocks.entries()) {
      const copy = index % 2 === 0 ? copyOf(block) : undefined;
      if (!copy) continue;
      Object.assign(copy.attribs, hide);
      append(block, copy);
    }
    return true;
  });

/** Puts a result of another search before the first one. `hide`: what hides it. */
const addHidden = (hide: Record<string, string>) =>
  edit((root, answer, otherTree) => {
    const [own] = titleLinks(root, answer).filter((link) => !isInside(link, answer.engine.isAd));
    const [other] = titleLinks(otherTree(), answer).filter((link) => !isInside(link, answer.engine.isAd));
    const added = other && copyOf(answer.engine.blockOf(other));
    if (!own || !added) return false;
    const box = new Element('div', hide, [added]);
    prepend(answer.engine.blockOf(own), box);
    return true;
  });

/** Hides all results. */
const hideResults = (hide: Record<string, string>) =>
  edit((root, answer) => {
    const column = answer.engine.resultsOf(root);
    if (!column) return false;
    const blocks = titleLinks(root, answer).map(answer.engine.blockOf);
    for (const element of [column, ...blocks]) Object.assign(element.attribs, hide);
    return true;
  });

const addBody = (root: Document, more: Document): boolean => {
  const [body, other] = [find(root, isBody), find(more, isBody)];
  if (!body || !other) return false;
  for (const child of [...other.children]) appendChild(body, child);
  return true;
};

export const repetitions: Tampering[] = [
  {
    name: 'half of the results have a hidden copy',
    demand: 'genuine',
    tamper: copyHalf({ style: 'display:none' }),
  },
  {
    name: 'half of the results have a copy that is not shown',
    demand: 'genuine',
    tamper: copyHalf({ hidden: '' }),
  },
  { name: 'a result of another search is hidden', demand: 'same', tamper: addHidden({ hidden: '' }) },
  {
    name: 'a result of another search is not displayed',
    demand: 'same',
    tamper: addHidden({ style: 'display: none' }),
  },
  { name: 'all results are hidden', demand: 'refused', tamper: hideResults({ hidden: '' }) },
  {
    name: 'no result is displayed',
    demand: 'refused',
    tamper: hideResults({ style: 'display: none' }),
  },
  { name: 'half of the results stand twice', demand: 'refused', tamper: copyHalf({}) },
  {
    name: 'the page twice',
    demand: 'refused',
    tamper: (answer) => ({ ...answer, html: answer.html + answer.html }),
  },
  {
    name: 'its own content again',
    demand: 'refused',
    tamper: edit((root, answer) => addBody(root, treeOf(answer.html))),
  },
  {
    name: 'another page behind it',
    demand: 'refused',
    tamper: (answer, other) => ({ ...answer, html: answer.html + other.html }),
  },
  {
    name: 'the content of another page behind its own',
    demand: 'refused',
    tamper: edit((root, _, otherTree) => addBody(root, otherTree())),
  },
];
