/** The ways in which a page can have results twice: hidden copies, the page again, another page behind it. */
import { type Document, type Element, isTag } from 'domhandler';
import { append, appendChild, getOuterHTML } from 'domutils';
import { find, isNamed } from '../../lib/serp/dom.ts';
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
