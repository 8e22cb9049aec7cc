/** One Short of a shelf. */
import { isVideoId } from '../../model/channel.ts';
import type { Draft } from '../walker.ts';
import { firstText, type JsonObject, textIn } from './json.ts';
import { linkIn, shortTarget } from './link.ts';

const idOf = (object: JsonObject): string => /\/shorts\/([\w-]{11})(?![\w-])/.exec(linkIn(object))?.[1] ?? '';

const hasByline = (object: JsonObject): boolean =>
  ['ownerText', 'longBylineText', 'shortBylineText'].some((name) => object[name] !== undefined);

/**
 * Until 2024, the title is `headline`, as of videos on phones, but there is no byline. Since then, the texts
 * lie over the picture.
 */
export const isShort = (object: JsonObject): boolean =>
  (object.headline !== undefined && !hasByline(object)) || object.overlayMetadata !== undefined;

export const readShort = (object: JsonObject): Draft | null => {
  const id = idOf(object);
  const title = firstText(object, 'headline', 'title') || textIn(object.overlayMetadata, 'primaryText');
  if (!isVideoId(id) || title === '') return null;
  const views = firstText(object, 'viewCountText') || textIn(object.overlayMetadata, 'secondaryText');
  return { title, ...shortTarget(id), ...(views && { views }) };
};
