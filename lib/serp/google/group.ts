/** Grouped blocks: a caption and cards under it. The kind shows in where the cards and the block's own links lead, not in its words. */
import type { Element } from 'domhandler';
import type { ItemType } from '../../model/result.ts';
import { ratingIn } from '../amounts.ts';
import { dateIn, durationIn } from '../dates.ts';
import { has } from '../dom.ts';
import type { Draft } from '../walker.ts';
import { type Card, cardsIn, leadsTo } from './card.ts';

/** Most of them, so that one card of another kind does not decide. */
const most = <T>(all: T[], test: (one: T) => boolean): boolean =>
  all.length > 0 && all.filter(test).length * 2 > all.length;

const shorts = /\/\/(?:www\.)?(?:youtube\.com\/shorts\/|tiktok\.com\/|instagram\.com\/reel)/;
const videos = /\/\/(?:[\w-]+\.)?(?:youtube\.com\/watch|youtu\.be\/|vimeo\.com\/\d|dailymotion\.com\/video)/;
const forums =
  /\/\/(?:[\w-]+\.)*(?:reddit|quora|stackexchange|stackoverflow)\.com\/|forum|\/(?:threads?|topic|questions?)\/|showthread|viewtopic/i;
const apps = /\/\/(?:play\.google\.com\/store\/apps|apps\.apple\.com)\//;
const books = /\/\/(?:www\.google\.[a-z.]+\/books|books\.google\.|www\.goodreads\.com\/book)/;

/** Whether a card leads to such a place: by its address or, where that is hidden, by the host or name it shows. */
const shows =
  (address: RegExp, name?: RegExp) =>
  ({ target, lines }: Card): boolean =>
    address.test(target.url) || lines.some((line) => address.test(`//${line}/`) || name?.test(line) === true);

/** Posts of social networks stand in the same boxes as videos, marked as documents of the news index. */
const isPost = ({ box }: Card): boolean =>
  box.attribs['data-news-doc-id'] !== undefined ||
  has(box, ({ attribs }) => attribs['data-news-doc-id'] !== undefined);

const isVideo = ({ lines, target }: Card): boolean => durationIn(lines) !== '' || videos.test(target.url);

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

const readPost = (card: Card): Draft => ({ ...base(card), ...withDate(card) });

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

type Kind = {
  type: ItemType;
  /** The part of the engine that holds all of this kind: a block whose own "more" leads there is of it. */
  more?: RegExp;
  /** For blocks without such a link: what most of the cards are. */
  holds: (card: Card) => boolean;
  read: (card: Card) => Draft;
};

const never = (): boolean => false;

/** Where cards decide, the first row that holds: posts look like shorts and videos, videos and recipes both have a `cite`. */
const kinds: Kind[] = [
  { type: 'top_story', more: /[?&]tbm=nws\b/, holds: never, read: readStory },
  { type: 'app', holds: shows(apps, /^(?:Google Play|App Store)\b/), read: base },
  { type: 'book', more: /[?&](?:udm=36(?!\d)|tbm=bks\b)/, holds: shows(books), read: base },
  { type: 'carousel', holds: isPost, read: readPost },
  {
    type: 'short',
    more: /[?&]udm=39(?!\d)/,
    holds: shows(shorts, /^(?:TikTok|Instagram)\b/),
    read: readShort,
  },
  { type: 'video', more: /[?&](?:udm=7(?!\d)|tbm=vid\b)/, holds: isVideo, read: readVideo },
  {
    type: 'discussion',
    more: /[?&]udm=18(?!\d)/,
    holds: shows(forums, /^(?:Reddit|Quora|Stack Overflow)\b/),
    read: readThread,
  },
  { type: 'recipe', holds: hasCite, read: readRecipe },
  { type: 'carousel', holds: () => true, read: base },
];

const ledTo = (box: Element): Kind | undefined => kinds.find(({ more }) => more && leadsTo(more)(box));

/** A lone card is no block, except of news. */
const kindOf = (cards: Card[], box: Element): Kind | undefined => {
  const led = ledTo(box);
  if (cards.length < (led?.type === 'top_story' ? 1 : 2)) return undefined;
  return led ?? kinds.find(({ holds }) => most(cards, holds));
};

/** The cards of a box, if they are of this type. */
export const readCards =
  (type: ItemType) =>
  (box: Element): Draft[] => {
    const cards = cardsIn(box);
    const kind = cards.length > 0 ? kindOf(cards, box) : undefined;
    return kind?.type === type ? cards.map(kind.read) : [];
  };
