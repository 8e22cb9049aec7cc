/** Blocks of pictures. Each picture has a link to its page. */
import type { Element } from 'domhandler';
import { find, findAll, type Test } from '../dom.ts';
import type { Draft } from '../walker.ts';
import { cardsIn, leadsTo } from './card.ts';
import { isPicture } from './elements.ts';

/** Until 2025 the box of a picture had its page in an attribute. */
const isPictureOfPage: Test = ({ attribs }) =>
  attribs['data-lpage'] !== undefined && attribs['data-docid'] !== undefined;

const toImages = leadsTo(/[?&](?:udm=2(?!\d)|tbm=isch\b)/);

const imageIn = (box: Element): Pick<Draft, 'image_url'> => {
  const image = find(box, isPicture);
  const source = image?.attribs['data-src'] ?? image?.attribs.src ?? '';
  return /^https?:/.test(source) ? { image_url: source } : {};
};

const minPictures = 2;

/** Since 2025 a picture is under a link to its page, and the block's own links lead to more pictures. */
const readLinked = (box: Element): Draft[] => {
  const cards = toImages(box) ? cardsIn(box) : [];
  return cards.length < minPictures
    ? []
    : cards.map(({ title, target, box: card }) => ({ title, ...target, ...imageIn(card) }));
};

export const readImages = (box: Element): Draft[] => {
  const pictures = findAll(box, isPictureOfPage);
  if (pictures.length < minPictures) return readLinked(box);
  return pictures.map((picture) => ({
    title: find(picture, isPicture)?.attribs.alt ?? '',
    url: picture.attribs['data-lpage'] ?? '',
    url_resolution: 'direct' as const,
    ...imageIn(picture),
  }));
};
