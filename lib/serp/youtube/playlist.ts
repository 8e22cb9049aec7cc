/** A playlist, a mix, a podcast or an album. */
import type { Draft } from '../walker.ts';
import { ownerIn } from './channel.ts';
import { at, firstText, isObject, type JsonObject, stringAt, textOf } from './json.ts';
import { isPlaylistId, linkIn, playlistTarget } from './link.ts';

const firstVideo = (object: JsonObject): string =>
  /[?&]v=([\w-]{11})/.exec(linkIn(at(object, 'navigationEndpoint') ?? object))?.[1] ?? '';

export const isPlaylist = (object: JsonObject): boolean =>
  isPlaylistId(stringAt(object, 'playlistId')) && isObject(object.title);

/** The byline of a mix is the engine's own name, without a link. */
export const readPlaylist = (object: JsonObject): Draft | null => {
  const id = stringAt(object, 'playlistId');
  const title = firstText(object, 'title');
  if (id === '' || title === '') return null;
  const byline = at(object, 'longBylineText') ?? at(object, 'shortBylineText');
  const count = firstText(object, 'videoCountText', 'videoCount');
  return {
    title,
    ...playlistTarget(id, firstVideo(object)),
    ...ownerIn(byline, textOf(byline)),
    ...(count && { videos_count: count }),
  };
};
