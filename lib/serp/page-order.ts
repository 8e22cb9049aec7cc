/**
 * The elements of the latest parsed page in page order. What is in an element is a part of this list, and a
 * pass over a part of a list is several times faster than a walk over the tree.
 */
import type { Element, ParentNode } from 'domhandler';

declare module 'domhandler' {
  interface Element {
    /** The index of the element in the list of its page. Absent: the tree is not from the tree builder. */
    order?: number;
    /** The index of the first element behind everything in this one. */
    end?: number;
  }
}

let latest: { page: ParentNode | undefined; elements: readonly Element[] } = {
  page: undefined,
  elements: [],
};

/** The structure of the latest page must not change: the list would not change with it. */
export const setLatestPage = (page: ParentNode, elements: readonly Element[]): void => {
  latest = { page, elements };
};

/** The elements of the latest page. */
export const latestElements = (): readonly Element[] => latest.elements;

/** The index of the first element in `top` in the list of the latest page; -1 if it is not in this page. */
export const startIn = (top: ParentNode): number => {
  if (top === latest.page) return 0;
  const { order } = top as Element;
  return order !== undefined && latest.elements[order] === top ? order + 1 : -1;
};

/** The index behind the last element in `top`, which is in the latest page. */
export const endIn = (top: ParentNode): number =>
  top === latest.page ? latest.elements.length : ((top as Element).end ?? 0);
