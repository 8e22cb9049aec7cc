/** Invents the results of YouTube: videos, channels, playlists, films, Shorts. */
import { knowledgePanel } from '../invent/answers.ts';
import { minutes } from '../invent/media.ts';
import { ads } from '../invent/offers.ts';
import { blank, host, type Invent, sentence, sentences, several, titled } from '../invent/parts.ts';
import { meanRanks } from '../movement.ts';
import { diceOf } from '../organic.ts';
import { ago, count, type PlannedItem, type SearchContext } from '../search-context.ts';
import { type Random, seededRandom } from '../seeded-random.ts';
import { phrase, siteName, type Vocabulary } from '../words.ts';
import { ownCaptions } from './captions.ts';

const origin = 'https://www.youtube.com';

/**
 * Real ids of videos and channels encode whole bytes, so none of them ends with this letter: no invented id
 * can be real.
 */
const lastLetter = 'x';

const videoId = ({ hex }: Random): string => `${hex(10)}${lastLetter}`;

/** The channel of a site. Its handle is the host: real handles must not look like hosts. */
const channelOf = (site: string) => {
  const name = site.replace(/^www\./, '');
  return {
    channel: siteName(site),
    channel_url: `${origin}/@${name}`,
    channel_id: `UC${seededRandom(name, 'channel').hex(21)}${lastLetter}`,
  };
};

const counted = (context: SearchContext, value: number, unit: 'views' | 'subscribers' | 'videos') =>
  `${count(context, value)} ${ownCaptions[context.language][unit]}`;

const watched = (context: SearchContext, random: Random) => ({
  views: counted(context, random.between(300, 9_000_000), 'views'),
  date: ago(context, random.between(2, 11), random.pick(['day', 'month', 'year'])),
  duration: minutes(random),
});

/** The video with this mean rank. */
const video = (context: SearchContext, mean: number, words: Vocabulary): PlannedItem => {
  const random = diceOf(context, 'video', mean);
  const site =
    words.fixedHosts[mean] || words.movingHosts[mean] || `${random.pick(words.brands)}-tv.${words.ending}`;
  return {
    ...blank,
    type: 'video',
    title: `${phrase(random.pick(words.titles), context.topic)} (${mean})`,
    url: `${origin}/watch?v=${videoId(random)}`,
    // Pages for phones show no text of a video.
    snippet: context.device === 'desktop' ? phrase(random.pick(words.sentences), context.topic) : '',
    ...channelOf(site),
    ...watched(context, random),
  };
};

/** The videos at these ranks. Ranks start at 1 and continue over all pages. */
export const videosAt = (context: SearchContext, ranks: number[], words: Vocabulary): PlannedItem[] => {
  const means = meanRanks(context, ranks, (rank) => rank in words.fixedHosts);
  return means.map((mean) => video(context, mean, words));
};

export const channels: Invent = (context, random) => {
  const { channel, ...own } = channelOf(host(random));
  return [
    {
      ...blank,
      type: 'channel',
      title: channel,
      url: `${origin}/channel/${own.channel_id}`,
      snippet: sentence(context, random),
      ...own,
      subscribers: counted(context, random.between(100, 900_000), 'subscribers'),
    },
  ];
};

export const playlists: Invent = (context, random) =>
  several(random, 1, 2, (n) => ({
    ...blank,
    type: 'playlist',
    title: titled(context, random, n),
    url: `${origin}/playlist?list=PL${random.hex(31)}${lastLetter}`,
    ...channelOf(host(random)),
    videos_count: counted(context, random.between(4, 90), 'videos'),
  }));

export const movies: Invent = (context, random) => [
  {
    ...blank,
    type: 'movie',
    title: phrase('The * story', context.topic),
    url: `${origin}/watch?v=${videoId(random)}`,
    snippet: sentence(context, random),
    ...channelOf(host(random)),
    duration: `1:${random.between(10, 59)}:00`,
    subtitle: `Drama • ${random.between(1980, 2024)}`,
  },
];

export const shorts: Invent = (context, random) =>
  several(random, 4, 8, (n) => ({
    ...blank,
    type: 'short',
    title: titled(context, random, n),
    url: `${origin}/shorts/${videoId(random)}`,
    views: counted(context, random.between(300, 9_000_000), 'views'),
  }));

/** A shelf of videos that answer another search. */
export const shelf: Invent = (context, random) =>
  several(random, 3, 4, (n) => ({
    ...blank,
    type: 'carousel',
    title: titled(context, random, n),
    url: `${origin}/watch?v=${videoId(random)}`,
    ...channelOf(host(random)),
    ...watched(context, random),
  }));

/** Ads here have no links to parts of their site. */
export const sponsored: Invent = (context, random) =>
  ads('top', 2)(context, random).map(({ sitelinks, ...ad }) => ad);

export const panel: Invent = (context, random) =>
  knowledgePanel(context, random).map(({ facts, profiles, ...shown }) => ({
    ...shown,
    snippet: sentences(context, random, 1),
  }));
