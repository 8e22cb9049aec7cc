/**
 * The times of a film or of a cinema. No saved page has them. The marks are those that eight public programs
 * of 2016 to 2024 name.
 */
import type { Element } from 'domhandler';
import { ancestors, hasClass, type Test } from '../dom.ts';
import { leavesOf } from '../lines.ts';
import { asciiDigits } from '../text.ts';
import type { Draft } from '../walker.ts';

/** The box of a cinema on the page of a film, or of a film on the page of a cinema. */
export const isShowtimes: Test = hasClass('lr_c_fcb');

/** A time of day: `19:30`, `7:30pm`, `19h30`. */
const isTime = (text: string): boolean =>
  /^\d{1,2}(?:[:.]|\s?h\s?)\d{2}(?:\s?[ap]\.?\s?m\.?)?$/i.test(asciiDigits(text));

const dayAround = (box: Element): string =>
  ancestors(box).find(({ attribs }) => attribs['data-date'] !== undefined)?.attribs['data-date'] ?? '';

export const readShowtimes = (box: Element): Draft[] => {
  const texts = leavesOf(box);
  const times = texts.filter(isTime);
  const others = texts.filter((text) => !isTime(text) && /\p{L}/u.test(text));
  const title = box.attribs['data-movie-name'] || (others[0] ?? '');
  const date = dayAround(box);
  if (title === '' || times.length === 0) return [];
  const snippet = others.filter((text) => text !== title).join(' · ');
  return [{ title, snippet, times, ...(date && { date }) }];
};
