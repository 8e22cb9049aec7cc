/**
 * Splits a page into items with a table of components. Components claim elements during a walk over the tree;
 * the items of the claims are then numbered in page order. The walker is engine-neutral: the layout defines
 * columns, the right side and headings.
 */

import type { Element } from 'domhandler';
import type { ItemType, RawResult, ResultItem } from '../model/result.ts';
import { withoutHiddenCopies, withoutRemoved } from './copies.ts';
import { ancestors, isInside, type Test, walk } from './dom.ts';
import { anyMark } from './marks.ts';
import { numberItems } from './number.ts';
import type { Page } from './page.ts';
import { spend } from './steps.ts';

/** An item as a component reads it, without its type and numbers. */
export type Draft = Partial<Omit<ResultItem, 'type' | 'position' | 'absolute_position'>>;

export type Hint = { names?: string[]; marks?: number };

export type Component = {
  type: ItemType;
  /** The side on which the component can occur; both if absent. */
  side?: 'left' | 'right';
  /** Matches the root element of a block. */
  root: Test;
  /**
   * What an element needs so that `root` can match it: one of these names, or an attribute of one of these
   * kinds (bits of `mark`). Most elements have neither, and are not tested. Absent: every element is tested.
   */
  hint?: Hint;
  /**
   * The extent of the block. By default it is the root itself. `around`: the largest box around the root with
   * no other claim in it. `section`: the root is a heading, and the block is the smallest box around it in
   * which the component finds something. Whether it finds something depends on the box alone, not on the
   * heading.
   */
  reach?: 'around' | 'section';
  /**
   * Whether the block may be in the section of another component, such as pictures above the terms of related
   * searches.
   */
  isInner?: true;
  /**
   * Reads the items of a block. If there are none, it claims nothing and the next component is tried. `root`:
   * the element that matched.
   */
  read: (block: Element, page: Page, root: Element) => Draft[];
};

export type Layout = {
  components: Component[];
  /** Elements that the walk skips, with everything in them. */
  ignored: Test;
  /** A container of blocks. A block never extends to a column. */
  column: Test;
  /** The container of the right side. */
  right: Test;
};

type Claim = { component: Component; root: Element; block: Element; order: number; drafts: Draft[] };

/** A heading, and the components whose section may begin with it. */
type Heading = { root: Element; order: number; components: Component[] };

/** Counts one claim more in a block and in each box around it. */
const addClaim = (counts: Map<Element, number>, block: Element): void => {
  for (const box of [block, ...ancestors(block)]) counts.set(box, (counts.get(box) ?? 0) + 1);
};

/** The boxes that contain claims, and how many claims each contains. */
const countClaims = (claims: Claim[]): Map<Element, number> => {
  const counts = new Map<Element, number>();
  for (const { block } of claims) addClaim(counts, block);
  return counts;
};

const isLeft = (layout: Layout, element: Element): boolean => !isInside(element, layout.right);

type Group = { root: Test; components: Component[] };

/**
 * The components in order of precedence. Neighbours with the same root are together, so that each root is
 * tested once for an element.
 */
const groupByRoot = (components: Component[]): Group[] => {
  const groups: Group[] = [];
  for (const component of components) {
    const last = groups.at(-1);
    if (last?.root === component.root) last.components.push(component);
    else groups.push({ root: component.root, components: [component] });
  }
  return groups;
};

const fits = (hint: Hint | undefined, name: string, marks: number): boolean =>
  hint === undefined || hint.names?.includes(name) === true || ((hint.marks ?? 0) & marks) !== 0;

/** The components that can match an element, by its name and the kinds of its attributes. */
const groupByHint = (components: Component[]): ((element: Element) => Group[]) => {
  const names = new Set(components.flatMap(({ hint }) => hint?.names ?? []));
  const wanted = components.reduce((all, { hint }) => all | (hint?.marks ?? 0), 0);
  const known = new Map<string, Group[][]>();
  return ({ name, marks = anyMark }) => {
    const key = names.has(name) ? name : '';
    const ofName = known.get(key) ?? [];
    known.set(key, ofName);
    const kinds = marks & wanted;
    ofName[kinds] ??= groupByRoot(components.filter(({ hint }) => fits(hint, key, kinds)));
    return ofName[kinds];
  };
};

const groupsOf = new WeakMap<Layout, (element: Element) => Group[]>();

/** Testing an element for all roots takes as long as visiting this many nodes. */
const stepsOfRoots = 8;

/**
 * The first walk: claims all roots except headings of sections, and collects these headings. Sections depend
 * on the other claims.
 */
const claimRoots = (page: Page, layout: Layout): { claims: Claim[]; headings: Heading[] } => {
  const claims: Claim[] = [];
  const headings: Heading[] = [];
  const groupsFor = groupsOf.get(layout) ?? groupByHint(layout.components);
  groupsOf.set(layout, groupsFor);
  let order = 0;

  /**
   * Claims the element for the first component that finds something in it. Keeps those whose section it may
   * begin.
   */
  const claim = (root: Element, components: Component[]): boolean => {
    let side: Component['side'];
    for (const component of components) {
      if (component.side) side ??= isLeft(layout, root) ? 'left' : 'right';
      if (component.side !== side && component.side) continue;
      if (component.reach === 'section') {
        const last = headings.at(-1);
        if (last?.root === root) last.components.push(component);
        else headings.push({ root, order, components: [component] });
        continue;
      }
      const drafts = component.reach === 'around' ? [] : component.read(root, page, root);
      if (component.reach !== 'around' && drafts.length === 0) continue;
      claims.push({ component, root, block: root, order, drafts });
      return true;
    }
    return false;
  };

  walk(page.root, (element) => {
    spend(stepsOfRoots);
    order += 1;
    if (layout.ignored(element)) return false;
    for (const { root, components } of groupsFor(element)) {
      if (root(element) && claim(element, components)) return false;
    }
    return true;
  });
  return { claims, headings };
};

/** The boxes around a heading that contain no claim, from the inside out. */
const boxesAround = (root: Element, layout: Layout, counts: Map<Element, number>): Element[] => {
  const boxes: Element[] = [];
  for (const box of ancestors(root)) {
    if (layout.column(box) || counts.has(box) || box.name === 'body') break;
    boxes.push(box);
  }
  return boxes;
};

/**
 * The smallest box around a heading in which a component finds something. `tried`: the components that found
 * nothing in a box. If they all tried a box for an earlier heading, they tried the boxes around it, too.
 */
const firstSection = (
  { root, order, components }: Heading,
  page: Page,
  layout: Layout,
  counts: Map<Element, number>,
  tried: Map<Element, Set<Component>>,
): Claim | undefined => {
  for (const block of boxesAround(root, layout, counts)) {
    const known = tried.get(block) ?? new Set();
    const untried = components.filter((component) => !known.has(component));
    if (untried.length === 0) return undefined;
    tried.set(block, known);
    for (const component of untried) {
      const drafts = component.read(block, page, root);
      if (drafts.length > 0) return { component, root, block, order, drafts };
      known.add(component);
    }
  }
  return undefined;
};

const claimSections = (headings: Heading[], claims: Claim[], page: Page, layout: Layout): Claim[] => {
  const counts = countClaims(claims);
  const tried = new Map<Element, Set<Component>>();
  const blocks = new Set<Element>();
  const sections: Claim[] = [];
  for (const heading of headings) {
    if (isInside(heading.root, (up) => blocks.has(up))) continue;
    const section = firstSection(heading, page, layout, counts, tried);
    if (!section) continue;
    sections.push(section);
    blocks.add(section.block);
    addClaim(counts, section.block);
  }
  return sections;
};

/** The largest box around a root that contains no other claim. */
const widen = (root: Element, layout: Layout, counts: Map<Element, number>): Element => {
  let block = root;
  for (const box of ancestors(root)) {
    if (layout.column(box) || box.name === 'body' || (counts.get(box) ?? 0) > 1) break;
    block = box;
  }
  return block;
};

/** The items of claims in page order. */
const itemsOf = (claims: Claim[], counts: Map<ItemType, number>): ResultItem[] =>
  numberItems(
    claims.flatMap(({ component: { type }, drafts }) =>
      drafts.map((draft) => ({
        type,
        position: '',
        title: '',
        url: '',
        breadcrumb: '',
        snippet: '',
        ...draft,
      })),
    ),
    counts,
  );

/** Reads the claims that extend to the boxes around them. `counts`: how many claims each box contains. */
const readAround = (claims: Claim[], page: Page, layout: Layout, counts: Map<Element, number>): void => {
  for (const claim of claims) {
    if (claim.component.reach !== 'around') continue;
    claim.block = widen(claim.root, layout, counts);
    claim.drafts = claim.component.read(claim.block, page, claim.root);
  }
};

export type Reading = RawResult & { claimed: Set<Element>; blocks: Set<Element> };

/**
 * Reads a page with a layout. Never throws on malformed HTML, and never changes the tree. `claimed`: all
 * boxes that contain a claim. `blocks`: the blocks of the claims.
 */
export const readBy = (layout: Layout, page: Page): Reading => {
  const { claims, headings } = claimRoots(page, layout);
  const outer = claims.filter(({ component }) => !component.isInner);
  const all = [...claims, ...claimSections(headings, outer, page, layout)].sort((a, b) => a.order - b.order);
  const claimCounts = countClaims(all);
  readAround(all, page, layout, claimCounts);
  const resultsOf = ({ component, drafts }: Claim): Draft[] => (component.type === 'organic' ? drafts : []);
  const shown = withoutHiddenCopies(withoutRemoved(all, resultsOf), resultsOf);
  // A result may extend to the box of its copy.
  if (shown.length < all.length) readAround(shown, page, layout, countClaims(shown));
  const counts = new Map<ItemType, number>();
  const { left = [], right = [] } = Object.groupBy(shown, ({ root }) =>
    isLeft(layout, root) ? 'left' : 'right',
  );
  return {
    left: itemsOf(left, counts),
    right: itemsOf(right, counts),
    claimed: new Set(claimCounts.keys()),
    blocks: new Set(all.map(({ block }) => block)),
  };
};
