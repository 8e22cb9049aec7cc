/** The elements of a page in the form of DataForSEO: what they consist of. */
import type { ResultItem } from '../../model/result.ts';

/** Fields of the form. */
export type Shown = Record<string, unknown>;

export type Element = { type: string } & Shown;

/** How an item is shown as an element of a type. */
export type Single = { type: string; show: (item: ResultItem) => Shown };
