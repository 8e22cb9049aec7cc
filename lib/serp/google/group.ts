/** Grouped blocks: a caption and cards under it. The kind shows in where the cards and the block's own links lead, not in its words. */
import type { Element } from 'domhandler';
import type { ItemType } from '../../model/result.ts';
import { has } from '../dom.ts';
import type { Draft } from '../walker.ts';
import { type Card, cardsIn, dateIn, durationIn, leadsTo } from './card.ts';
import { ratingIn } from './rating.ts';

/** Most of them, so that one card of another kind does not decide. */
const most = <T>(all: T[], test: (one: T) => boolean): boolean =>
  all.length > 0 && all.filter(test).length * 2 > all.length;

const toNews = leadsTo(/[?&]tbm=nws\b/);

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

type Kind = { type: ItemType; is: (cards: Card[], box: Element) => boolean; read: (card: Card) => Draft };

/** Asked in this order: the block's own links say more than the cards, a forum of the news index is none. */
const kinds: Kind[] = [
  { type: 'top_story', is: (_, box) => toNews(box), read: readStory },
  { type: 'app', is: (cards) => most(cards, ({ target }) => apps.test(target.url)), read: base },
  { type: 'book', is: (cards) => most(cards, ({ target }) => books.test(target.url)), read: base },
  { type: 'carousel', is: (cards) => most(cards, isPost), read: readPost },
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

/** A lone card is no block, except of news. */
const kindOf = (cards: Card[], box: Element): Kind | undefined =>
  cards.length < (toNews(box) ? 1 : 2) ? undefined : kinds.find(({ is }) => is(cards, box));

/** The cards of a box, if they are of this type. */
export const readCards =
  (type: ItemType) =>
  (box: Element): Draft[] => {
    const cards = cardsIn(box);
    const kind = kindOf(cards, box);
    return kind?.type === type ? cards.map(kind.read) : [];
  };
