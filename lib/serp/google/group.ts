/** Grouped blocks: a caption and cards under it. The kind shows in where the cards and the block's own links lead, not in its words. */
import type { Element } from 'domhandler';
import type { ItemType } from '../../model/result.ts';
import { find, findAll, has, linesOf, type Test } from '../dom.ts';
import type { Draft } from '../walker.ts';
import { type Card, cardsIn, dateIn, durationIn, isCardTitle, ownLinks, partsAround } from './card.ts';
import { absolute, targetOf } from './link.ts';
import { priceIn, ratingIn } from './rating.ts';

/** Most of them, so that one card of another kind does not decide. */
const most = <T>(all: T[], test: (one: T) => boolean): boolean =>
  all.length > 0 && all.filter(test).length * 2 > all.length;

const leadsTo =
  (pattern: RegExp) =>
  (box: Element): boolean =>
    ownLinks(box).some((href) => pattern.test(href));

const toNews = leadsTo(/[?&]tbm=nws\b/);
const toJobs = leadsTo(/[?&]ibp=htl;jobs|[?&]udm=8\b/);
const toEvents = leadsTo(/[?&]ibp=htl;events/);
const toHotels = leadsTo(/^(?:https:\/\/www\.google\.[a-z.]+)?\/travel\/(?:search|hotels)/);
const toFlights = leadsTo(/^(?:https:\/\/www\.google\.[a-z.]+)?\/travel\/flights/);

const shorts = /\/\/(?:www\.)?(?:youtube\.com\/shorts\/|tiktok\.com\/|instagram\.com\/reel)/;
const videos = /\/\/(?:[\w-]+\.)?(?:youtube\.com\/watch|youtu\.be\/|vimeo\.com\/\d|dailymotion\.com\/video)/;
const forums =
  /\/\/(?:[\w-]+\.)*(?:reddit|quora|stackexchange|stackoverflow)\.com\/|forum|\/(?:threads?|topic|questions?)\/|showthread|viewtopic/i;
const apps = /\/\/(?:play\.google\.com\/store\/apps|apps\.apple\.com)\//;
const books = /\/\/(?:www\.google\.[a-z.]+\/books|books\.google\.|www\.goodreads\.com\/book)/;

/** Posts of social networks stand in the same boxes as videos, marked as documents of the news index. */
const isPost = ({ box }: Card): boolean =>
  box.attribs['data-news-doc-id'] !== undefined ||
  has(box, ({ attribs }) => attribs['data-news-doc-id'] !== undefined);

const hasCite = ({ box }: Card): boolean => has(box, ({ name }) => name === 'cite');

const withDate = (card: Card): Pick<Draft, 'date'> => {
  const date = dateIn(card.lines);
  return date ? { date } : {};
};

const base = ({ title, target }: Card): Draft => ({ title, ...target });

/** `Site · channel`, in one line. */
const siteAndChannel = (lines: string[]): Pick<Draft, 'source' | 'channel'> => {
  const line =
    lines.find((text) => /\s?·\s?/.test(text) && !/\d:\d\d/.test(text)) ??
    lines.find((text) => /^\p{Lu}/u.test(text) && text.length < 30) ??
    '';
  const [source = '', channel = ''] = line.split(/\s?·\s?/);
  return { ...(source && { source }), ...(channel && { channel }) };
};

const readStory = (card: Card): Draft => {
  const date = dateIn(card.lines);
  const source =
    card.lines.find((line) => line !== date && line.length <= 60 && durationIn([line]) === '') ?? '';
  return { ...base(card), ...(source && { source }), ...(date && { date }) };
};

const readVideo = (card: Card): Draft => {
  const duration = durationIn(card.lines);
  return { ...base(card), ...siteAndChannel(card.lines), ...withDate(card), ...(duration && { duration }) };
};

const readThread = (card: Card): Draft => {
  const source = card.lines.find((line) => /\p{L}/u.test(line)) ?? '';
  return { ...base(card), ...(source && { source }), ...withDate(card) };
};

const readShort = (card: Card): Draft => {
  const { source } = siteAndChannel(card.lines);
  return { ...base(card), ...(source && { source }) };
};

const readRecipe = (card: Card): Draft => ({ ...base(card), ...ratingIn(card.lines.join(' ')) });

type Kind = { type: ItemType; is: (cards: Card[], box: Element) => boolean; read: (card: Card) => Draft };

/** Asked in this order: the block's own links say more than the cards, a forum of the news index is none. */
const kinds: Kind[] = [
  { type: 'top_story', is: (_, box) => toNews(box), read: readStory },
  { type: 'app', is: (cards) => most(cards, ({ target }) => apps.test(target.url)), read: base },
  { type: 'book', is: (cards) => most(cards, ({ target }) => books.test(target.url)), read: base },
  { type: 'carousel', is: (cards) => most(cards, isPost), read: readStory },
  { type: 'short', is: (cards) => most(cards, ({ target }) => shorts.test(target.url)), read: readShort },
  {
    type: 'video',
    is: (cards) => most(cards, ({ lines, target }) => durationIn(lines) !== '' || videos.test(target.url)),
    read: readVideo,
  },
  {
    type: 'discussion',
    is: (cards) => most(cards, ({ target }) => forums.test(target.url)),
    read: readThread,
  },
  { type: 'recipe', is: (cards) => most(cards, hasCite), read: readRecipe },
  { type: 'carousel', is: (cards) => cards.length >= 2, read: base },
];

const kindOf = (cards: Card[], box: Element): Kind | undefined =>
  cards.length === 0 ? undefined : kinds.find(({ is }) => is(cards, box));

/** The cards of a box, if they are of this type. */
export const readCards =
  (type: ItemType) =>
  (box: Element): Draft[] => {
    const cards = cardsIn(box);
    const kind = kindOf(cards, box);
    return kind?.type === type ? cards.map(kind.read) : [];
  };

/** Cards that lead to a page of the engine: each has a title of its own, and a link if any. */
const readOwn =
  (belongs: (box: Element) => boolean, isMark: Test) =>
  (box: Element): Draft[] => {
    if (!belongs(box)) return [];
    const marks = findAll(box, isMark);
    return partsAround(box, marks).flatMap((part, index) => {
      const mark = marks[index];
      const lines = linesOf(part);
      const title = (mark && linesOf(mark)[0]) || lines[0];
      if (!title) return [];
      const link = find(part, ({ name, attribs }) => name === 'a' && absolute(attribs.href) !== null);
      const price = lines.map(priceIn).find(Boolean);
      const target = link && (targetOf(link.attribs.href) ?? absolute(link.attribs.href));
      const text = lines.filter((line) => line !== title).join(' · ');
      return [{ title, ...target, ...ratingIn(text), ...(price && { price }), snippet: text }];
    });
  };

const isHotelLink: Test = ({ name, attribs }) =>
  name === 'a' && /\/travel\/(?:search|hotels\/entity)/.test(attribs.href ?? '') && attribs.role === 'link';

export const readJobs = readOwn(toJobs, isCardTitle);
export const readEvents = readOwn(toEvents, isCardTitle);
export const readFlights = readOwn(toFlights, isCardTitle);
export const readHotels = readOwn(toHotels, (element) => isHotelLink(element) || isCardTitle(element));

/** A product's card says its price; unpaid ones link to the engine's own viewer. */
export const readProducts = (box: Element): Draft[] => {
  const marks = findAll(
    box,
    ({ attribs }) => attribs.role === 'listitem' || attribs['data-pid'] !== undefined,
  );
  const cards = marks
    .map((mark) => linesOf(mark))
    .filter((lines) => lines.length >= 2 && lines.some((line) => priceIn(line) !== ''));
  if (cards.length < 2) return [];
  return cards.map((lines) => {
    const at = lines.findIndex((line) => priceIn(line) !== '');
    return {
      title: lines[at === 0 ? 1 : 0] ?? '',
      price: priceIn(lines[at] ?? ''),
      ...ratingIn(lines.join(' ')),
    };
  });
};

/** Pictures carry the page that they come from. */
const isPicture: Test = ({ attribs }) =>
  attribs['data-lpage'] !== undefined && attribs['data-docid'] !== undefined;

export const readImages = (box: Element): Draft[] =>
  findAll(box, isPicture).map((picture) => {
    const url = picture.attribs['data-lpage'] ?? '';
    const image = find(picture, ({ name }) => name === 'img');
    const source = image?.attribs['data-src'] ?? image?.attribs.src ?? '';
    return {
      title: image?.attribs.alt ?? '',
      url,
      url_resolution: 'direct' as const,
      ...(/^https?:/.test(source) && { image_url: source }),
    };
  });
