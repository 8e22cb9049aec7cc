/** The names of channels and videos on YouTube, as requests and pages give them. */

/** `c` and `user` are older names of channels. The page gives a channel's id, and one of its names. */
type Kind = 'id' | 'handle' | 'c' | 'user' | 'video';

export type ChannelOrVideo = { kind: Kind; name: string };

export const isVideoId = (id: string): boolean => /^[\w-]{11}$/.test(id);

export const isChannelId = (id: string): boolean => /^UC[\w-]{22}$/.test(id);

/** Decodes a part of a path. Invalid percent-encoding stays unchanged. */
export const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Names of channels are the same in both cases and in both normal forms; ids are not. */
const fold = (name: string): string => decodePath(name).normalize('NFC').toLowerCase();

const ofVideo = (id: string | null | undefined): ChannelOrVideo | null =>
  id && isVideoId(id) ? { kind: 'video', name: id } : null;

/** The channel of an id. Null if it is no id. */
export const ofChannelId = (id: string | undefined): ChannelOrVideo | null =>
  id && isChannelId(id) ? { kind: 'id', name: id } : null;

const ofName = (kind: Kind, name: string | undefined): ChannelOrVideo | null =>
  name ? { kind, name: fold(name) } : null;

const videoPaths = new Set(['shorts', 'embed', 'live', 'v']);

/** Paths of the engine's own pages, which are no channels. */
const ownPaths = new Set(['results', 'feed', 'playlist', 'hashtag', 'gaming', 'premium', 'channel', 'watch']);

const nameAt = ({ pathname, searchParams }: URL): ChannelOrVideo | null => {
  const [first = '', second] = pathname.split('/').filter(Boolean);
  if (/^(?:@|%40)/.test(first)) return ofName('handle', fold(first).slice(1));
  if (first === 'channel') return ofChannelId(second);
  if (first === 'c' || first === 'user') return ofName(first, second);
  if (first === 'watch') return ofVideo(searchParams.get('v'));
  if (videoPaths.has(first)) return ofVideo(second);
  return first !== '' && second === undefined && !ownPaths.has(first) ? ofName('c', first) : null;
};

/**
 * The channel or video that a text names: `@handle`, a channel's id, or an address with or without scheme.
 * Null for anything else.
 */
export const readChannelOrVideo = (text: string): ChannelOrVideo | null => {
  const trimmed = text.trim();
  if (/^@[^@/?#\s]+$/.test(trimmed)) return ofName('handle', trimmed.slice(1));
  if (isChannelId(trimmed)) return ofChannelId(trimmed);
  const url = URL.parse(`https://${trimmed.replace(/^(?:https?:)?\/\//i, '')}`);
  if (!url) return null;
  if (url.hostname === 'youtu.be') return ofVideo(url.pathname.slice(1).split('/')[0]);
  return /^(?:(?:www|m|music)\.)?youtube\.com$/.test(url.hostname) ? nameAt(url) : null;
};

/** The address of a channel, for examples. */
export const exampleChannelUrl = 'https://www.youtube.com/@acme';
