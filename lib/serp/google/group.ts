/**
 * Grouped blocks: cards under a caption. The targets of the cards and of the block's own links show the kind;
 * the words do not.
 */

import type { Element } from 'domhandler';
import type { ItemType } from '../../model/result.ts';
import { ratingIn } from '../amounts.ts';
import { saysAd } from '../captions.ts';
import { dateIn, durationIn } from '../dates.ts';
import { findAll, has, isInside } from '../dom.ts';
import { linesOf, textOf } from '../lines.ts';
import { once } from '../page-cache.ts';
import { trimmed } from '../text.ts';
import type { Draft } from '../walker.ts';
import { type Card, cardLinksIn, cardsIn, isSource, leadsTo } from './card.ts';
import { isPicture } from './elements.ts';

/** More than half, so that one card of another kind does not decide. */
const areMost = <T>(all: T[], test: (one: T) => boolean): boolean =>
  all.length > 0 && all.filter(test).length * 2 > all.length;

const shorts =
  /\/\/(?:[\w-]+\.)?(?:youtube\.com\/shorts\/|tiktok\.com\/|instagram\.com\/reels?\/|facebook\.com\/reel\/|snapchat\.com\/spotlight\/)/;
const videos =
  /\/\/(?:[\w-]+\.)?(?:youtube\.com\/(?:watch|live)|youtu\.be\/|vimeo\.com\/\d|dailymotion\.com\/video|dai\.ly\/|facebook\.com\/(?:watch|[^/]+\/videos)\/|fb\.watch\/|bilibili\.com\/video\/)/;
const posts =
  /\/\/(?:[\w-]+\.)?(?:(?:twitter|x)\.com\/[^/]+\/status\/|instagram\.com\/(?:[^/]+\/)?p\/|facebook\.com\/(?:[^/]+\/posts\/|groups\/[^/]+\/(?:posts|permalink)\/)|linkedin\.com\/posts\/|threads\.(?:net|com)\/@[^/]+\/post\/|bsky\.app\/profile\/[^/]+\/post\/)/;
const forums =
  /\/\/(?:[\w-]+\.)*(?:reddit|quora|stackexchange|stackoverflow)\.com\/|forum|\/(?:threads?|topic|questions?)\/|showthread|viewtopic/i;
const apps = /\/\/(?:play\.google\.com\/store\/apps|apps\.apple\.com)\//;
const books = /\/\/(?:www\.google\.[a-z.]{2,8}\/books|books\.google\.|www\.goodreads\.com\/book)/;

/**
 * Whether a card leads to such a site: by its URL or, if the link is hidden, by the host or the name in its
 * lines.
 */
const leadsToSite =
  (address: RegExp, name?: RegExp) =>
  ({ target, lines }: Card): boolean =>
    address.test(target.url) || lines.some((line) => address.test(`//${line}/`) || name?.test(line) === true);

const below = ({ lines, above }: Card): string[] => lines.slice(above.length);

/** An article: its link leads through the engine's search for scholars. */
const isScholarly = ({ link }: Card): boolean => link.attribs.href?.includes('/scholar_url?') === true;

/** Posts of social networks are in the same boxes as videos, but have an id of the news index. */
const isPost = ({ box, target }: Card): boolean =>
  posts.test(target.url) ||
  box.attribs['data-news-doc-id'] !== undefined ||
  has(box, ({ attribs }) => attribs['data-news-doc-id'] !== undefined);

/**
 * News of a place or of one source, among posts: below the title there are the date and the newspaper only.
 * An article among opinions names its author, too, and a post its account. The site of a hidden link is
 * unknown.
 */
const isNewsAmongPosts = (card: Card): boolean =>
  isPost(card) &&
  card.target.url_resolution !== 'opaque' &&
  below(card).length <= 2 &&
  dateIn(below(card)) !== '' &&
  !below(card).some((line) => line.includes('·')) &&
  ![posts, videos, shorts, forums].some((address) => address.test(card.target.url));

/** The head of a block of posts leads to the profile of their author. */
const isHead = ({ link }: Card): boolean => isInside(link, ({ name }) => name === 'g-link');

const isVideo = ({ lines, target }: Card): boolean => durationIn(lines) !== '' || videos.test(target.url);

/** The name of a site, if it is a picture. */
const pictureText = ({ box }: Card): string =>
  findAll(box, isPicture)
    .map(({ attribs }) => attribs.alt ?? '')
    .find((text) => text !== '' && text.length <= 60) ?? '';

/** A story has its source above the title, as a line or as a picture, and its date right below. */
const isStory = (card: Card): boolean => {
  const [date = '', ...more] = below(card);
  const sources = card.above.filter((line) => durationIn([line]) === '');
  const isDated = dateIn([date]) !== '' && date.startsWith(dateIn([date]));
  return (
    isDated &&
    more.length <= 1 &&
    (sources.length === 1 || (sources.length === 0 && pictureText(card) !== ''))
  );
};

/** `3 hours ago`, `3/11/2020`; not the rating of a recipe, such as `4.5(120)`. */
const isDateOfStory = (line: string): boolean =>
  dateIn([line]) !== '' && line.startsWith(dateIn([line])) && /\p{L}|\p{Nd}[./-]\p{Nd}+[./-]/u.test(line);

/** Until 2020, the source and the date of a story are two lines below its title. */
const isStoryBelow = (card: Card): boolean => {
  const [source = '', date = '', ...more] = below(card);
  return card.above.length === 0 && more.length === 0 && dateIn([source]) === '' && isDateOfStory(date);
};

/** The time that a recipe takes: one or two numbers, each with a short unit. */
const isCookingTime = (line: string): boolean => /^(?:\p{Nd}+\s?\p{L}{1,4}\.?\s?){1,2}$/u.test(line);

/**
 * A recipe has its source below the title, and more below that: stars, the time that it takes, ingredients.
 */
const isRecipe = (card: Card): boolean => hasCite(card) || below(card).slice(1).some(isCookingTime);

const hasCite = ({ box }: Card): boolean => has(box, ({ name }) => name === 'cite');

const isOfShorts = leadsToSite(shorts, /^(?:TikTok|Instagram)\b/);

/**
 * A link may show that a video is short. Otherwise blocks of short videos show no dates, and if a video could
 * be a long one, too, no duration either.
 */
const isShort = (card: Card): boolean =>
  shorts.test(card.target.url) ||
  (dateIn(card.lines) === '' &&
    (isOfShorts(card) || (videos.test(card.target.url) && durationIn(card.lines) === '')));

const withDate = (card: Card): Pick<Draft, 'date'> => {
  const date = dateIn(card.lines);
  return date ? { date } : {};
};

const titleAndTarget = ({ title, target }: Card): Draft => ({ title, ...target });

/** Reads a line such as `Site · channel`. */
const siteAndChannel = (lines: string[]): Pick<Draft, 'source' | 'channel'> => {
  const line =
    lines.find((text) => /\s?·\s?/.test(text) && !/\p{Nd}:\p{Nd}{2}/u.test(text)) ??
    lines.find((text) => /^\p{Lu}/u.test(text) && text.length < 30) ??
    '';
  const [source = '', channel = ''] = trimmed(line).split(/\s?·\s?/);
  return { ...(source && { source }), ...(channel && { channel }) };
};

const readStory = (card: Card): Draft => {
  const date = dateIn(card.lines);
  const source =
    trimmed(
      card.lines.find((line) => line !== date && line.length <= 60 && durationIn([line]) === '') ?? '',
    ) || pictureText(card);
  return { ...titleAndTarget(card), ...(source && { source }), ...(date && { date }) };
};

/** The line with the network, and perhaps the account: `Clay Shed · Facebook`. Other parts are numbers. */
const accountOf = ({ target, lines }: Card): Pick<Draft, 'source' | 'channel'> => {
  for (const line of lines) {
    const parts = line.split('·').map((part) => part.trim());
    const source = parts.find((part) => isSource(part, target));
    const channel = parts.find((part) => part !== source && part.length <= 60 && !/^\p{Nd}/u.test(part));
    if (source) return { source, ...(channel && { channel }) };
  }
  return {};
};

const readPost = (card: Card): Draft => ({ ...titleAndTarget(card), ...accountOf(card), ...withDate(card) });

const readVideo = (card: Card): Draft => {
  const duration = durationIn(card.lines);
  return {
    ...titleAndTarget(card),
    ...siteAndChannel(card.lines),
    ...withDate(card),
    ...(duration && { duration }),
  };
};

/** The site of a thread, perhaps with the board. A date or the number of answers may be in the same line. */
const readThread = (card: Card): Draft => {
  const line = card.lines.find((text) => /\p{L}/u.test(text)) ?? '';
  const parts = trimmed(line)
    .split('·')
    .map((part) => part.trim());
  const isFact = (part: string): boolean => /^\p{Nd}/u.test(part) || dateIn([part]) !== '';
  const source = parts.filter((part, index) => part !== '' && (index === 0 || !isFact(part))).join(' · ');
  return { ...titleAndTarget(card), ...(source && { source }), ...withDate(card) };
};

const readShort = (card: Card): Draft => {
  const { source } = siteAndChannel(card.lines);
  return { ...titleAndTarget(card), ...(source && { source }) };
};

/** The authors follow the link in the heading. */
const readArticle = ({ link, title, target }: Card): Draft => ({ title: textOf(link) || title, ...target });

const readRecipe = (card: Card): Draft => ({ ...titleAndTarget(card), ...ratingIn(card.lines.join(' ')) });

type Kind = {
  type: ItemType;
  /** The engine's page with all results of this kind. A block with a "more" link to it is of this kind. */
  more?: RegExp;
  /** For blocks without such a link: the test that most of the cards must pass. */
  matches: (card: Card) => boolean;
  read: (card: Card) => Draft;
};

/**
 * If the cards decide, the first row that matches wins: posts look like shorts and videos, and videos,
 * older stories and recipes have a `cite`.
 */
const kinds: Kind[] = [
  { type: 'top_story', more: /[?&]tbm=nws\b/, matches: isStory, read: readStory },
  { type: 'app', matches: leadsToSite(apps, /^(?:Google Play|App Store)\b/), read: titleAndTarget },
  { type: 'book', more: /[?&](?:udm=36(?!\d)|tbm=bks\b)/, matches: leadsToSite(books), read: titleAndTarget },
  { type: 'top_story', matches: isNewsAmongPosts, read: readStory },
  { type: 'post', matches: isPost, read: readPost },
  {
    type: 'short',
    more: /[?&]udm=39(?!\d)/,
    matches: isShort,
    read: readShort,
  },
  { type: 'video', more: /[?&](?:udm=7(?!\d)|tbm=vid\b)/, matches: isVideo, read: readVideo },
  {
    type: 'discussion',
    more: /[?&]udm=18(?!\d)/,
    matches: leadsToSite(forums, /^(?:Reddit|Quora|Stack Overflow)\b/),
    read: readThread,
  },
  { type: 'top_story', matches: isStoryBelow, read: readStory },
  { type: 'carousel', matches: isScholarly, read: readArticle },
  { type: 'recipe', matches: isRecipe, read: readRecipe },
  { type: 'carousel', matches: () => true, read: titleAndTarget },
];

const kindByMoreLink = (box: Element): Kind | undefined =>
  kinds.find(({ more }) => more && leadsTo(more)(box));

/** A single card is no block, except for news. */
const kindOf = once((box: Element): Kind | undefined => {
  if (cardLinksIn(box).length === 0) return undefined;
  const byLink = kindByMoreLink(box);
  const minCards = byLink?.type === 'top_story' ? 1 : 2;
  const cards = cardLinksIn(box).length < minCards ? [] : cardsIn(box);
  if (cards.length < minCards) return undefined;
  const kind = byLink ?? kinds.find(({ matches }) => areMost(cards, matches));
  // Ads that have lost their marks are no cards.
  return kind?.type === 'carousel' && linesOf(box).slice(0, 2).some(saysAd) ? undefined : kind;
});

/** The cards of a box, if they are of this type. */
export const readCards =
  (type: ItemType) =>
  (box: Element): Draft[] => {
    const kind = kindOf(box);
    if (kind?.type !== type) return [];
    return cardsIn(box)
      .filter((card) => type !== 'post' || !isHead(card))
      .map(kind.read);
  };
