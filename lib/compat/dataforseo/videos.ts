/** The elements of a page of YouTube in the form of DataForSEO. Pure. */
import type { ResultItem } from '../../model/result.ts';
import { countOf, secondsOf } from '../numbers.ts';
import { videoIdOf } from '../video-id.ts';
import type { Shown, Single } from './element.ts';

const video = (item: ResultItem): Shown => ({
  channel_id: item.channel_id,
  url: item.url,
  title: item.title,
  video_id: videoIdOf(item.url),
  thumbnail_url: item.image_url,
  channel_name: item.channel,
  channel_url: item.channel_url,
  description: item.snippet,
  is_shorts: item.type === 'short',
  is_movie: item.type === 'movie',
  views_count: countOf((item.views ?? '').replace(/\s*\p{L}{2,}.*$/u, '')),
  publication_date: item.date,
  duration_time: item.duration,
  duration_time_seconds: secondsOf(item.duration),
});

/** The elements of YouTube by our types. */
export const videos: Partial<Record<ResultItem['type'], Single>> = {
  video: { type: 'youtube_video', show: video },
  short: { type: 'youtube_video', show: video },
  movie: { type: 'youtube_video', show: video },
  ad: { type: 'youtube_video_paid', show: video },
  channel: {
    type: 'youtube_channel',
    show: (item) => ({
      channel_id: item.channel_id,
      url: item.url,
      name: item.title,
      logo: item.image_url,
      video_count: countOf((item.videos_count ?? '').replace(/\s*\p{L}{2,}.*$/u, '')),
      description: item.snippet,
    }),
  },
  playlist: {
    type: 'youtube_playlist',
    show: (item) => ({
      url: item.url,
      title: item.title,
      playlist_id: URL.parse(item.url)?.searchParams.get('list'),
      thumbnail_url: item.image_url,
      channel_name: item.channel,
      channel_url: item.channel_url,
      videos_count: countOf((item.videos_count ?? '').replace(/\s*\p{L}{2,}.*$/u, '')),
    }),
  },
};
