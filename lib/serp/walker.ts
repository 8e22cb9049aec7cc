/**
 * Takes a page apart by a table of components: one walk asks each element, claims come out in page order and are numbered here.
 * It knows no engine: what a column, the right side or a heading is, the layout says.
 */
import type { Element } from 'domhandler';
import type { ItemType, RawResult, ResultItem } from '../model/result.ts';
import { ancestors, isInside, type Test, walk } from './dom.ts';
import { numberItems } from './number.ts';
import type { Page } from './page.ts';

/** What a component reads: an item but for its type and numbers. */
export type Draft = Partial<Omit<ResultItem, 'type' | 'position' | 'absolute_position'>>;

export type Component = {
  type: ItemType;
  /** Where the component may stand; anywhere if absent. */
  side?: 'left' | 'right';
  root: Test;
  /**
   * How far the block reaches: the root itself (the default); `around` it, as far as nothing else is claimed; or the `section` that a heading
   * opens: the smallest box around the root in which the component finds something.
   */
  reach?: 'around' | 'section';
  /** Nothing read: nothing claimed, and the next row is asked. `root` is the element that matched. */
  read: (block: Element, page: Page, root: Element) => Draft[];
};

export type Layout = {
  components: Component[];
  /** What is never looked into. */
  ignored: Test;
  /** A box of blocks: a block never reaches as far as this. */
  column: Test;
  right: Test;
};

type Claim = { component: Component; root: Element; block: Element; order: number; drafts: Draft[] };

/** Which boxes hold claims, and how many. */
const countAround = (claims: Claim[]): Map<Element, number> => {
  const counts = new Map<Element, number>();
  for (const { block } of claims) {
    for (const box of [block, ...ancestors(block)]) counts.set(box, (counts.get(box) ?? 0) + 1);
  }
  return counts;
};

const isLeft = (layout: Layout, element: Element): boolean => !isInside(element, layout.right);

/** The first walk: every root that needs no knowledge of the others, and the headings that may open a section. */
const claimRoots = (page: Page, layout: Layout): { claims: Claim[]; headings: Claim[] } => {
  const claims: Claim[] = [];
  const headings: Claim[] = [];
  let order = 0;
  walk(page.root, (element) => {
    order += 1;
    if (layout.ignored(element)) return false;
    for (const component of layout.components) {
      if (!component.root(element)) continue;
      if (component.side && (component.side === 'left') !== isLeft(layout, element)) continue;
      const claim = { component, root: element, block: element, order, drafts: [] as Draft[] };
      if (component.reach === 'section') {
        headings.push(claim);
        continue;
      }
      if (component.reach !== 'around') {
        claim.drafts = component.read(element, page, element);
        if (claim.drafts.length === 0) continue;
      }
      claims.push(claim);
      return false;
    }
    return true;
  });
  return { claims, headings };
};

/** The boxes around a heading that hold nothing claimed, from the inside out. */
const boxesAround = (root: Element, layout: Layout, counts: Map<Element, number>): Element[] => {
  const boxes: Element[] = [];
  for (const box of ancestors(root)) {
    if (layout.column(box) || counts.has(box) || box.name === 'body') break;
    boxes.push(box);
  }
  return boxes;
};

/** The smallest box around a heading in which a component finds something. */
const firstSection = (
  root: Element,
  candidates: Claim[],
  page: Page,
  layout: Layout,
  counts: Map<Element, number>,
): Claim | undefined => {
  for (const block of boxesAround(root, layout, counts)) {
    for (const claim of candidates) {
      const drafts = claim.component.read(block, page, root);
      if (drafts.length > 0) return { ...claim, block, drafts };
    }
  }
  return undefined;
};

const claimSections = (headings: Claim[], claims: Claim[], page: Page, layout: Layout): Claim[] => {
  const counts = countAround(claims);
  const sections: Claim[] = [];
  const byRoot = Map.groupBy(headings, ({ root }) => root);
  for (const [root, candidates] of byRoot) {
    if (sections.some(({ block }) => isInside(root, (up) => up === block))) continue;
    const section = firstSection(root, candidates, page, layout, counts);
    if (!section) continue;
    sections.push(section);
    for (const box of [section.block, ...ancestors(section.block)])
      counts.set(box, (counts.get(box) ?? 0) + 1);
  }
  return sections;
};

/** Widens a block as far as nothing else is claimed. */
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

export type Reading = RawResult & { claimed: Set<Element> };

/** Never throws on strange HTML, never changes the tree. `claimed` holds every box in which something was claimed. */
export const readBy = (layout: Layout, page: Page): Reading => {
  const { claims, headings } = claimRoots(page, layout);
  const all = [...claims, ...claimSections(headings, claims, page, layout)].sort((a, b) => a.order - b.order);
  const claimsAround = countAround(all);
  for (const claim of all) {
    if (claim.component.reach !== 'around') continue;
    claim.block = widen(claim.root, layout, claimsAround);
    claim.drafts = claim.component.read(claim.block, page, claim.root);
  }
  const counts = new Map<ItemType, number>();
  const left = all.filter(({ root }) => isLeft(layout, root));
  const right = all.filter(({ root }) => !isLeft(layout, root));
  return {
    left: itemsOf(left, counts),
    right: itemsOf(right, counts),
    claimed: new Set(claimsAround.keys()),
  };
};
