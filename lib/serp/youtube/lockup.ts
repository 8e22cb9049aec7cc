/**
 * The form that all kinds of results change to since 2024: a picture with badges, a title, and rows of texts.
 */
import { isChannelId, isVideoId } from '../../model/channel.ts';
import { asciiDigits } from '../text.ts';
import type { Draft } from '../walker.ts';
import { ownerIn } from './channel.ts';
import { at, findIn, type Json, type JsonObject, stringAt, textIn, textOf } from './json.ts';
import { channelTarget, isPlaylistId, linkIn, playlistTarget, videoTarget } from './link.ts';
import { kindOfFact } from './lone-fact.ts';

/** Whether the object has this form, and its type this end (`VIDEO`, `CHANNEL`). */
export const isLockup =
  (kind: string) =>
  (object: JsonObject): boolean =>
    stringAt(object, 'contentId') !== '' && stringAt(object, 'contentType').endsWith(`_${kind}`);

/** Lists have many types: playlists, podcasts, albums, courses. Their ids differ from those of videos. */
export const isListLockup = (object: JsonObject): boolean =>
  isPlaylistId(stringAt(object, 'contentId')) && stringAt(object, 'contentType') !== '';

const listAt = (value: Json | undefined, name: string): Json[] => {
  const found = findIn(value, (object) => {
    const list = at(object, name);
    return Array.isArray(list) ? list : undefined;
  });
  return found ?? [];
};

/** The texts under the title, row by row. Rows without text only make room. */
const rowsOf = (object: JsonObject): string[][] =>
  listAt(object.metadata, 'metadataRows')
    .map((row) => {
      const parts = at(row, 'metadataParts');
      return (Array.isArray(parts) ? parts : []).map((part) => textOf(at(part, 'text'))).filter(Boolean);
    })
    .filter((row) => row.length > 0);

const badgeOf = (object: JsonObject): string =>
  findIn(object.contentImage, (inner, name) =>
    /badgeViewModel$/i.test(name) ? stringAt(inner, 'text') || undefined : undefined,
  ) ?? '';

const titleOf = (object: JsonObject): string => textIn(object.metadata, 'title');

const firstRow = (object: JsonObject): Json | undefined => listAt(object.metadata, 'metadataRows')[0];

/** The owner is the first text of the first row. */
const ownerOf = (object: JsonObject) => {
  const [[name = ''] = []] = rowsOf(object);
  return ownerIn(firstRow(object), name);
};

const hasNumber = (text: string): boolean => /\p{N}/u.test(text);

/** The numbers in a text. Thousands may be apart. */
const numbers = /\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,'’]\d+)*/g;

/** The date and the time of a planned video have several numbers, a number of views has one. */
const isPlanned = (text: string): boolean => (asciiDigits(text).match(numbers)?.length ?? 0) > 1;

/** Views and date follow the owner in its row, or are the next row. */
const factsOf = ([first = [], below = []]: string[][]): string[] => {
  const beside = first.slice(1);
  const isBeside = beside.filter(hasNumber).length > 1 || (beside.length > 0 && !below.some(hasNumber));
  return isBeside ? beside : below;
};

/** The views come before the date. A planned video may have no views, and any video has only one of them. */
const viewsAndDate = (rows: string[][]): Pick<Draft, 'views' | 'date'> => {
  const [first = '', second = ''] = factsOf(rows);
  if (first !== '' && second === '' && !isPlanned(first)) {
    const kind = kindOfFact(first);
    return kind === undefined ? {} : { [kind]: first };
  }
  const [views, date] = isPlanned(first) && !isPlanned(second) ? [second, first] : [first, second];
  return { ...(views && { views }), ...(date && { date }) };
};

export const readVideoLockup = (object: JsonObject): Draft | null => {
  const title = titleOf(object);
  const id = stringAt(object, 'contentId');
  if (title === '' || !isVideoId(id)) return null;
  const badge = badgeOf(object);
  return {
    title,
    ...videoTarget(id),
    ...ownerOf(object),
    ...viewsAndDate(rowsOf(object)),
    ...(hasNumber(badge) && { duration: badge }),
  };
};

export const readChannelLockup = (object: JsonObject): Draft | null => {
  const title = titleOf(object);
  const id = stringAt(object, 'contentId');
  const subscribers = rowsOf(object)
    .flat()
    .find((text) => hasNumber(text) && !text.startsWith('@'));
  if (title === '' || !isChannelId(id)) return null;
  return {
    title,
    ...channelTarget(id),
    ...ownerIn(object, ''),
    ...(subscribers && { subscribers }),
  };
};

export const readPlaylistLockup = (object: JsonObject): Draft | null => {
  const title = titleOf(object);
  if (title === '') return null;
  const badge = badgeOf(object);
  const opened = linkIn(object.rendererContext) || linkIn(object.itemPlayback);
  const video = /[?&]v=([\w-]{11})/.exec(opened)?.[1] ?? '';
  return {
    title,
    ...playlistTarget(stringAt(object, 'contentId'), video),
    ...ownerOf(object),
    ...(hasNumber(badge) && { videos_count: badge }),
  };
};
