/**
 * The components of YouTube's pages. Order is precedence: the first component whose root matches and whose
 * `read` finds something claims the object with everything in it. Most kinds are recognized by what they have
 * (an id and a title), because their names change: a playlist was a `playlistRenderer` until 2024, and is a
 * `lockupViewModel` since. The others have a name of their own.
 */
import type { ItemType } from '../../model/result.ts';
import type { Draft } from '../walker.ts';
import { isAd, readAd } from './ad.ts';
import { isCardList, isHelpLine, isPanel, isSpelling, readCard, readSpelling, readTermList } from './card.ts';
import { isChannel, readChannel } from './channel.ts';
import type { JsonObject } from './json.ts';
import { isListLockup, isLockup, readChannelLockup, readPlaylistLockup, readVideoLockup } from './lockup.ts';
import { isPlaylist, readPlaylist } from './playlist.ts';
import { isShort, readShort } from './short.ts';
import { isVideo, readMovie, readVideo } from './video.ts';

export type Component = {
  type: ItemType;
  /** A field that each such object has. It is looked for first, because most objects have none of these. */
  field?: string;
  /**
   * Matches the object of an item, without a search in it. `name`: its key, or the key of the list that it is
   * in.
   */
  root: (object: JsonObject, name: string) => boolean;
  /** Null: it is no item, but there may be items in it. */
  read: (object: JsonObject) => Draft | null;
};

const isMovie = (_: JsonObject, name: string): boolean => /movieRenderer$/i.test(name);

/** The items of the ranking. In a shelf, which has a title, they are items of a `carousel`. */
export const ranked: Component[] = [
  { type: 'video', field: 'contentId', root: isLockup('VIDEO'), read: readVideoLockup },
  { type: 'movie', field: 'contentId', root: isLockup('MOVIE'), read: readVideoLockup },
  { type: 'channel', field: 'contentId', root: isLockup('CHANNEL'), read: readChannelLockup },
  { type: 'playlist', field: 'contentId', root: isListLockup, read: readPlaylistLockup },
  { type: 'movie', root: isMovie, read: readMovie },
  { type: 'video', field: 'videoId', root: isVideo, read: readVideo },
  { type: 'channel', field: 'channelId', root: isChannel, read: readChannel },
  { type: 'playlist', field: 'playlistId', root: isPlaylist, read: readPlaylist },
];

export const isRanked = ({ type }: { type: ItemType }): boolean =>
  ranked.some((component) => component.type === type);

/**
 * The items around the ranking, in a shelf or not. Ads and Shorts come before the ranking, because they may
 * have the id of a video.
 */
export const around: Component[] = [
  { type: 'ad', root: isAd, read: readAd },
  { type: 'short', root: isShort, read: readShort },
  { type: 'spelling', field: 'correctedQuery', root: isSpelling, read: readSpelling },
  { type: 'related_search', field: 'cards', root: isCardList, read: readTermList },
  { type: 'knowledge_panel', root: isPanel, read: readCard },
  { type: 'direct_answer', root: isHelpLine, read: readCard },
];
