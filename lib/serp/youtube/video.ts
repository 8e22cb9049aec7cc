/** One video: a video of the ranking or of a shelf, or a film. */
import { isVideoId } from '../../model/channel.ts';
import type { Draft } from '../walker.ts';
import { ownerIn } from './channel.ts';
import { at, findIn, firstText, type Json, type JsonObject, stringAt, textOf } from './json.ts';
import { videoTarget } from './link.ts';

export const isVideo = (object: JsonObject): boolean =>
  isVideoId(stringAt(object, 'videoId')) && firstText(object, 'title', 'headline') !== '';

/** Mobile pages show the duration on the picture only. Other marks on the picture have no digits. */
const durationOf = (object: JsonObject): string => {
  const onPicture = findIn(
    at(object, 'thumbnailOverlays'),
    (overlay) => textOf(at(overlay, 'thumbnailOverlayTimeStatusRenderer', 'text')) || undefined,
  );
  return firstText(object, 'lengthText') || (/\p{N}/u.test(onPicture ?? '') ? (onPicture ?? '') : '');
};

export const readVideo = (object: JsonObject): Draft | null => {
  const id = stringAt(object, 'videoId');
  const title = firstText(object, 'title', 'headline');
  if (!isVideoId(id) || title === '') return null;
  const byline = at(object, 'ownerText') ?? at(object, 'longBylineText') ?? at(object, 'shortBylineText');
  const snippet = textOf(at(object, 'detailedMetadataSnippets', 0, 'snippetText'));
  const date = firstText(object, 'publishedTimeText');
  const duration = durationOf(object);
  const views = firstText(object, 'viewCountText', 'shortViewCountText');
  return {
    title,
    ...videoTarget(id),
    snippet: snippet || firstText(object, 'descriptionSnippet'),
    ...ownerIn(byline, textOf(byline)),
    ...(date && { date }),
    ...(duration && { duration }),
    ...(views && { views }),
  };
};

const textsOf = (list: Json | undefined): string[] =>
  (Array.isArray(list) ? list : []).map(textOf).filter(Boolean);

/** `topMetadataItems`: genre, year and country of a film. */
export const readMovie = (object: JsonObject): Draft | null => {
  const video = readVideo(object);
  const subtitle = textsOf(at(object, 'topMetadataItems')).join(' · ');
  return video && { ...video, ...(subtitle && { subtitle }) };
};
