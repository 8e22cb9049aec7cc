/** A tracked site on YouTube is a channel, or one video (Reading 16). The ranking is the videos. */
import type { ResultItem } from '../../model/result.ts';
import type { SiteRules } from '../tracking.ts';
import { isChannelId, isVideoId } from './link.ts';

/** `c` and `user` are older names of channels. The page gives a channel's id, and one of its names. */
type Kind = 'id' | 'handle' | 'c' | 'user' | 'video';

type Name = { kind: Kind; name: string };

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Names of channels are the same in both cases and in both normal forms; ids are not. */
const fold = (name: string): string => decoded(name).normalize('NFC').toLowerCase();

const ofVideo = (id: string | null | undefined): Name | null =>
  id && isVideoId(id) ? { kind: 'video', name: id } : null;

const ofChannelId = (id: string | undefined): Name | null =>
  id && isChannelId(id) ? { kind: 'id', name: id } : null;

const ofName = (kind: Kind, name: string | undefined): Name | null =>
  name ? { kind, name: fold(name) } : null;

const videoPaths = new Set(['shorts', 'embed', 'live', 'v']);

/** Paths of the engine's own pages, which are no channels. */
const ownPaths = new Set(['results', 'feed', 'playlist', 'hashtag', 'gaming', 'premium', 'channel', 'watch']);

const nameAt = ({ pathname, searchParams }: URL): Name | null => {
  const [first = '', second] = pathname.split('/').filter(Boolean);
  if (/^(?:@|%40)/.test(first)) return ofName('handle', fold(first).slice(1));
  if (first === 'channel') return ofChannelId(second);
  if (first === 'c' || first === 'user') return ofName(first, second);
  if (first === 'watch') return ofVideo(searchParams.get('v'));
  if (videoPaths.has(first)) return ofVideo(second);
  return first !== '' && second === undefined && !ownPaths.has(first) ? ofName('c', first) : null;
};

/** The channel or video that a text names: `@handle`, a channel's id, or an address with or without scheme. Null for anything else. */
const readName = (text: string): Name | null => {
  const trimmed = text.trim();
  if (/^@[^@/?#\s]+$/.test(trimmed)) return ofName('handle', trimmed.slice(1));
  if (isChannelId(trimmed)) return ofChannelId(trimmed);
  const url = URL.parse(`https://${trimmed.replace(/^(?:https?:)?\/\//i, '')}`);
  if (!url) return null;
  if (url.hostname === 'youtu.be') return ofVideo(url.pathname.slice(1).split('/')[0]);
  return /^(?:(?:www|m|music)\.)?youtube\.com$/.test(url.hostname) ? nameAt(url) : null;
};

/** The channels of an item, each with the names that the page gives. A video has more than one channel if it is a common work. */
const channelsOf = (item: ResultItem): Name[][] => {
  const first = [ofChannelId(item.channel_id), readName(item.channel_url ?? '')];
  const others = (item.profiles ?? []).slice(1).map(({ url }) => [readName(url)]);
  return [first, ...others].map((names) => names.filter((name) => name !== null));
};

const isSame = (one: Name) => (other: Name) => one.kind === other.kind && one.name === other.name;

const covers = (site: Name, item: ResultItem): boolean =>
  site.kind === 'video'
    ? readName(item.url)?.name === site.name
    : channelsOf(item).some((names) => names.some(isSame(site)));

/** A channel that the page names in another way could have this name, too. */
const couldCover = (site: Name, item: ResultItem): boolean =>
  site.kind !== 'video' && channelsOf(item).some((names) => names.every(({ kind }) => kind !== site.kind));

/** Other sites found are named by the handle of their channel, or by `channel/…` if it has none. */
export const sites: SiteRules = {
  ranked: 'video',
  read: (text) => {
    const site = readName(text);
    return {
      covers: (item) => site !== null && covers(site, item),
      couldCover: (item) => site !== null && couldCover(site, item),
    };
  },
  siteOf: (item) => decoded(URL.parse(item.channel_url ?? '')?.pathname.slice(1) ?? ''),
};
