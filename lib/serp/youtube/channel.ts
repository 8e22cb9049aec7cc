/** A channel as a result, and the channels that a result belongs to. */
import { isChannelId } from '../../model/channel.ts';
import type { ResultItem } from '../../model/result.ts';
import type { Draft } from '../walker.ts';
import { address } from './address.ts';
import { at, firstText, isObject, type Json, type JsonObject, stringAt, walk } from './json.ts';
import { channelTarget } from './link.ts';

type Channel = { id: string; title: string; url: string };

/**
 * The channels that a byline links to, each once. The channels of a common video are in a dialog that the
 * byline opens.
 */
const channelsIn = (byline: Json | undefined): Channel[] => {
  const found = new Map<string, Channel>();
  walk(byline ?? null, '', (object, _, title) => {
    const id = stringAt(object, 'browseEndpoint', 'browseId');
    const path = stringAt(object, 'browseEndpoint', 'canonicalBaseUrl') || `/channel/${id}`;
    if (isChannelId(id) && !found.has(id)) found.set(id, { id, title, url: `${address.origin}${path}` });
    return firstText(object, 'text', 'title') || title;
  });
  return [...found.values()];
};

/**
 * Whose video or playlist it is: the name as shown, and the channel behind it. `profiles` has all channels of
 * a common video.
 */
export const ownerIn = (
  byline: Json | undefined,
  name: string,
): Pick<ResultItem, 'channel' | 'channel_url' | 'channel_id' | 'profiles'> => {
  const channels = channelsIn(byline);
  const [first] = channels;
  return {
    ...(name && { channel: name }),
    ...(first && { channel_url: first.url, channel_id: first.id }),
    ...(channels.length > 1 && { profiles: channels.map(({ title, url }) => ({ title, url })) }),
  };
};

/**
 * Since 2022, the field for subscribers has the handle, and the field for videos has the subscribers. A
 * channel may hide its subscribers.
 */
const countsOf = (object: JsonObject): Pick<ResultItem, 'subscribers' | 'videos_count'> => {
  const [first, second] = [firstText(object, 'subscriberCountText'), firstText(object, 'videoCountText')];
  const [subscribers, videos] = first.startsWith('@') ? [second, ''] : [first, second];
  return { ...(subscribers && { subscribers }), ...(videos && { videos_count: videos }) };
};

export const isChannel = (object: JsonObject): boolean =>
  isChannelId(stringAt(object, 'channelId')) && isObject(object.title);

export const readChannel = (object: JsonObject): Draft | null => {
  const title = firstText(object, 'title', 'displayName');
  const id = stringAt(object, 'channelId');
  if (title === '' || !isChannelId(id)) return null;
  return {
    title,
    ...channelTarget(id),
    snippet: firstText(object, 'descriptionSnippet'),
    ...ownerIn(at(object, 'navigationEndpoint'), ''),
    ...countsOf(object),
  };
};
