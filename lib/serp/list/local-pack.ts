/** Places on list pages: a name, and rows of facts beside it. */
import { phoneIn, ratingIn } from '../amounts.ts';
import { shownHost } from '../host.ts';
import type { Target } from '../link.ts';
import type { Draft } from '../walker.ts';

const isCategory = (text: string): boolean => /\p{L}/u.test(text) && !/\p{Nd}/u.test(text);

type Place = {
  title: string;
  /** The texts beside the name, without it. */
  rows: string[];
  /** Whether a row is the address, perhaps with the phone number. */
  isAddress: (row: string) => boolean;
  /** The site of the place. */
  target: Target | null | undefined;
  /** The number behind a link that calls the place; empty if there is none. */
  called?: string;
};

/** A rating with the category, or the category alone, comes before the address with the phone number. */
export const readPlace = ({ title, rows, isAddress, target, called = '' }: Place): Draft => {
  const rated = rows.find((row) => ratingIn(row).rating !== undefined) ?? '';
  const numbered = rows.find((row) => row !== rated && phoneIn(row) !== '') ?? '';
  const number = called || phoneIn(numbered);
  const others = rows.filter((row) => row !== rated && row !== number && shownHost(row) === '');
  const address = others.find(isAddress) ?? '';
  const category =
    rated
      .split('·')
      .map((text) => text.trim())
      .findLast(isCategory) ??
    others.find((row) => row !== address && isCategory(row)) ??
    '';
  return {
    title,
    snippet: address.replace(number, '').replace(/·\s*$/, '').trim(),
    ...target,
    ...ratingIn(rated),
    ...(category && { category }),
    ...(number && { phone: number }),
  };
};
