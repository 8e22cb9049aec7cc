/**
 * Which kinds of attributes an element has, as bits. A test of a bit is several times faster than a look into
 * the attributes, and most elements of a page have no attribute that a reader looks for.
 */

declare module 'domhandler' {
  interface Element {
    /** The kinds of the attributes in the start tag. Absent: unknown. */
    marks?: number;
  }
}

/**
 * `data`: without the attributes by which one engine counts views and clicks, which most of its blocks have.
 * `odd`: the name contains a sign that ends a text or begins a tag. `row` and `captioned` are not attributes:
 * the reader of one engine finds them at the beginning of a reading. `row`: a question without an attribute.
 * `captioned`: the element begins with a caption.
 */
export const mark = {
  id: 1,
  role: 2,
  class: 4,
  data: 8,
  aria: 16,
  empty: 32,
  odd: 64,
  row: 128,
  captioned: 256,
  style: 512,
} as const;

/** The kinds by which elements are looked for in a whole page. */
export const listedMarks = mark.id | mark.role | mark.aria | mark.empty;

/** For elements of which the attributes are unknown. */
export const anyMark = 63 | mark.style;

const counters = new Set(['data-ved', 'data-hveid']);

/** The kind of an attribute, by its name; 0 for other names. */
export const markOf = (name: string): number => {
  switch (name.charCodeAt(0)) {
    case 99:
      return name === 'class' ? mark.class : 0;
    case 100:
      return name.startsWith('data-') && !counters.has(name) ? mark.data : 0;
    case 97:
      return name.startsWith('aria-') ? mark.aria : 0;
    case 105:
      return name === 'id' ? mark.id : 0;
    case 114:
      return name === 'role' ? mark.role : 0;
    case 115:
      return name === 'style' ? mark.style : 0;
    default:
      return 0;
  }
};

/** Whether an element can have an attribute of one of these kinds. */
export const mayHave = ({ marks }: { marks?: number }, kinds: number): boolean =>
  marks === undefined || (marks & kinds) !== 0;

/** Whether a reader has found this of an element. */
export const isMarked = ({ marks = 0 }: { marks?: number }, kind: number): boolean => (marks & kind) !== 0;

export const addMark = (element: { marks?: number }, kind: number): void => {
  element.marks = (element.marks ?? anyMark) | kind;
};
