/** One ad between the results: of a site, or of a video. */

import { isVideoId } from '../../model/channel.ts';
import { hostOf, shownHost } from '../host.ts';
import type { Target } from '../link.ts';
import type { Draft } from '../walker.ts';
import { at, findIn, type JsonObject, stringAt, textIn, textOf } from './json.ts';
import { linkIn, targetOf, videoTarget } from './link.ts';

/**
 * `ad…`, `promoted…`: the names of ads in all years. An ad of a video has the fields of a video. Slots that
 * the engine did not fill have no title.
 */
export const isAd = (object: JsonObject, name: string): boolean =>
  /^(?:ad[A-Z]|(?:compactP|p)romoted|statementBanner|bannerPromo)\w*(?:Renderer|ViewModel)$/.test(name) ||
  object.adSlotMetadata !== undefined;

/**
 * Places that are sold and may have several ads: the word `Ad` in a name, as in `carouselAdRenderer`, and
 * older names. `Pyv` is "promote your video".
 */
export const isPlaceOfAds = (name: string): boolean =>
  /[a-z]Ad[A-Z]|^(?:searchPyv|brandVideo)/.test(name) && /(?:Renderer|ViewModel)$/.test(name);

/** The site: a separate text, or a text of the line with the ad's badge. */
const siteOf = (object: JsonObject): string => {
  const details = findIn(object, (inner) => {
    const texts = at(inner, 'attributes');
    const shown = Array.isArray(texts) ? texts.map((part) => textOf(at(part, 'text'))) : [];
    return shown.find((text) => shownHost(text) !== '');
  });
  return textIn(object, 'websiteText') || (details ?? '');
};

const videoIn = (object: JsonObject): Target | null => {
  const id = findIn(object, (inner) =>
    ['videoId', 'contentId'].map((key) => stringAt(inner, key)).find(isVideoId),
  );
  return id === undefined ? null : videoTarget(id);
};

/** If an ad has both `title` and `headline`, the headline is its text. */
export const readAd = (object: JsonObject): Draft | null => {
  const headline = textIn(object, 'headline');
  const title = textIn(object, 'title') || headline;
  const target = targetOf(linkIn(object)) ?? videoIn(object);
  if (title === '' || !target) return null;
  const breadcrumb = siteOf(object);
  const isOpaque = target.url_resolution === 'opaque';
  return {
    title,
    ...target,
    breadcrumb,
    snippet: textIn(object, 'description') || (headline === title ? '' : headline),
    domain: isOpaque ? shownHost(breadcrumb) : hostOf(target.url),
  };
};
