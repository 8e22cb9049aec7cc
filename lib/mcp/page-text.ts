/** The readable text of a stored page, as lines of Markdown. */
import { type AnyNode, type Element, isTag, isText } from 'domhandler';
import { buildTree } from '../serp/tree.ts';

const words = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

/** Elements without readable text. */
const unread = words('script style noscript template svg math iframe object canvas select head');

/** Elements that begin a new line. */
const blocks = words(
  `address article aside blockquote br dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr
   li main menu nav ol option p pre search section summary table tbody td tfoot th thead tr ul`,
);

const prefixOf = (name: string): string => {
  if (/^h[1-6]$/.test(name)) return `${'#'.repeat(Number(name[1]))} `;
  return name === 'li' ? '- ' : '';
};

/** A longer line is broken between words, so that a budget of tokens can end within a long paragraph. */
const lineLength = 400;

const broken = (text: string): string[] =>
  text.match(new RegExp(`\\S.{0,${lineLength - 1}}(?=\\s|$)|\\S{1,${lineLength}}`, 'gu')) ?? [];

/**
 * Visits the nodes of a tree, without recursion, because a page may be nested deep. If `enter` returns false,
 * the content is left out.
 */
const visit = (
  first: AnyNode | null,
  enter: (node: AnyNode) => boolean,
  leave: (element: Element) => void,
) => {
  let node = first;
  while (node) {
    const inside: AnyNode | null = enter(node) && isTag(node) ? node.firstChild : null;
    if (inside) {
      node = inside;
      continue;
    }
    while (node) {
      if (isTag(node)) leave(node);
      if (node.next) break;
      node = node.parent;
    }
    node = node?.next ?? null;
  }
};

/**
 * The lines that a person reads, in the order of the page. An element that repeats the line before it adds
 * none. `isWhole`: false if the page is too large, or nested too deep, to be read to its end.
 */
export const pageLines = (html: string): { lines: string[]; isWhole: boolean } => {
  const lines: string[] = [];
  let text = '';
  let prefix = '';
  const endLine = (next: string) => {
    const line = text.replace(/\s+/g, ' ').trim();
    if (line) {
      const [first = '', ...others] = broken(line);
      if (prefix + first !== lines.at(-1) || others.length > 0) lines.push(prefix + first, ...others);
      prefix = next;
    } else {
      prefix = next || prefix;
    }
    text = '';
  };
  const enter = (node: AnyNode): boolean => {
    if (isText(node)) text += node.data;
    if (!isTag(node) || unread.has(node.name)) return false;
    if (blocks.has(node.name)) endLine(prefixOf(node.name));
    return true;
  };
  const leave = ({ name }: Element) => {
    if (!blocks.has(name)) return;
    endLine('');
    prefix = '';
  };
  const { root, isWhole } = buildTree(html);
  visit(root.firstChild, enter, leave);
  endLine('');
  return { lines, isWhole };
};
