/** A tracked site on YouTube is a channel, or one video (Reading 16). The ranking is the videos. */
import { type ChannelOrVideo, decodePath, ofChannelId, readChannelOrVideo } from '../../model/channel.ts';
import type { ResultItem } from '../../model/result.ts';
import type { SiteRules } from '../tracking.ts';

/**
 * The channels of an item, each with the names that the page gives. A video has more than one channel if it
 * is a common work.
 */
const channelsOf = (item: ResultItem): ChannelOrVideo[][] => {
  const first = [ofChannelId(item.channel_id), readChannelOrVideo(item.channel_url ?? '')];
  const others = (item.profiles ?? []).slice(1).map(({ url }) => [readChannelOrVideo(url)]);
  return [first, ...others].map((names) => names.filter((name) => name !== null));
};

const isSame = (one: ChannelOrVideo) => (other: ChannelOrVideo) =>
  one.kind === other.kind && one.name === other.name;

const covers = (site: ChannelOrVideo, item: ResultItem): boolean =>
  site.kind === 'video'
    ? readChannelOrVideo(item.url)?.name === site.name
    : channelsOf(item).some((names) => names.some(isSame(site)));

/** A channel that the page names in another way could have this name, too. */
const couldCover = (site: ChannelOrVideo, item: ResultItem): boolean =>
  site.kind !== 'video' && channelsOf(item).some((names) => names.every(({ kind }) => kind !== site.kind));

/** Other sites found are named by the handle of their channel, or by `channel/…` if it has none. */
export const sites: SiteRules = {
  ranked: 'video',
  read: (text) => {
    const site = readChannelOrVideo(text);
    return {
      covers: (item) => site !== null && covers(site, item),
      couldCover: (item) => site !== null && couldCover(site, item),
    };
  },
  siteOf: (item) => decodePath(URL.parse(item.channel_url ?? '')?.pathname.slice(1) ?? ''),
};
