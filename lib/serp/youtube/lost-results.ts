/**
 * Finds results that the reader did not recognize, because the engine has changed the form of a part of
 * them.
 */

import { isVideoId } from '../../model/channel.ts';
import type { ParsedPage } from '../../model/parsed-page.ts';
import { areTooMany } from '../results.ts';
import { isRanked } from './components.ts';
import { type JsonObject, stringAt, walk } from './json.ts';
import type { Reading } from './reading.ts';

/** The videos and the lists that a block leads to. */
const targetsIn = (block: JsonObject): { videos: Set<string>; lists: Set<string> } => {
  const [videos, lists] = [new Set<string>(), new Set<string>()];
  walk(block, true, (part) => {
    for (const id of [stringAt(part, 'videoId'), stringAt(part, 'contentId')])
      if (isVideoId(id)) videos.add(id);
    const list = stringAt(part, 'playlistId');
    if (list !== '') lists.add(list);
    return true;
  });
  return { videos, lists };
};

/** A result leads to one video or to one list. Cards around the results lead to several, or to none. */
const leadsToOne = (block: JsonObject): boolean => {
  const { videos, lists } = targetsIn(block);
  return videos.size === 1 || lists.size === 1;
};

/** Whether the page has so many unread results that its ranking is wrong. Saved real pages have none. */
export const hasLostResults = (reading: Reading, { left }: ParsedPage): boolean =>
  areTooMany(reading.mayRank.filter(leadsToOne).length, left.filter(isRanked).length);
