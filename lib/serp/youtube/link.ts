/**
 * Reads the engine's links: unwraps redirects offline, and gives each video, channel and playlist one
 * address.
 */

import { isChannelId, isVideoId } from '../../model/channel.ts';
import type { UrlResolution } from '../../model/result.ts';
import { parameter, type Target, urlOf, withoutTextFragment } from '../link.ts';
import { address } from './address.ts';
import { findIn, type Json, stringAt } from './json.ts';

/** The parameter of a redirect that holds its target. */
const redirects: [host: RegExp, path: RegExp, ...parameters: string[]][] = [
  [/^(?:www\.|m\.)?youtube\.com$/, /^\/redirect$/, 'q', 'url'],
  [/^(?:www\.|m\.)?youtube\.com$/, /^\/attribution_link$/, 'u'],
  [/^(?:www\.|m\.)?youtube\.com$/, /^\/signin$/, 'next'],
  [/^consent\.(?:youtube|google)\.com$/, /^\//, 'continue'],
  [/^accounts\.google\.com$/, /^\/(?:ServiceLogin|signin)/, 'continue'],
  [/^www\.google\.[a-z.]+$/, /^\/url$/, 'q', 'url'],
];

/** Links of ads go through a counter of clicks. It does not always name its target. */
const isCounter = ({ hostname, pathname }: URL): boolean =>
  /(?:^|\.)(?:googleadservices\.com|google\.[a-z.]{2,8}|doubleclick\.net)$/.test(hostname) &&
  /\/(?:aclk|clk)$/.test(pathname);

const parse = (href: string): URL | null => urlOf(href, address.origin);

const targetIn = (url: URL, names: string[]): URL | null => {
  const target = names.map((name) => parameter(url, name)).find(Boolean);
  return target ? parse(target) : null;
};

/** A sign-in may lead to a redirect that leads to the target. */
const maxRedirects = 3;

/** The target of a link, as an absolute http(s) URL without a text fragment. Null if there is none. */
export const targetOf = (href: string): Target | null => {
  let url = href === '' ? null : parse(href);
  let resolution: UrlResolution = 'direct';
  for (let step = 0; url && step < maxRedirects; step += 1) {
    const { hostname, pathname } = url;
    const isAd = isCounter(url);
    const redirect = redirects.find(([host, path]) => host.test(hostname) && path.test(pathname));
    if (!isAd && !redirect) break;
    const target = targetIn(url, isAd ? ['adurl', 'ds_dest_url'] : (redirect?.slice(2) as string[]));
    if (!target) {
      resolution = 'opaque';
      break;
    }
    url = target;
    resolution = 'unwrapped';
  }
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return { url: withoutTextFragment(url.href), url_resolution: resolution };
};

/** The first link of an object, or of anything in it. */
export const linkIn = (top: Json | undefined): string =>
  findIn(
    top,
    (object) =>
      stringAt(object, 'urlEndpoint', 'url') ||
      stringAt(object, 'commandMetadata', 'webCommandMetadata', 'url') ||
      undefined,
  ) ?? '';

const own = (path: string): Target => ({ url: `${address.origin}${path}`, url_resolution: 'direct' });

/** `PL…`, `RD…` (mixes), `OLAK…` (albums): longer than the id of a video. */
export const isPlaylistId = (id: string): boolean => /^[A-Z]{2}[\w-]{10,}$/.test(id) && !isChannelId(id);

/**
 * Links to videos also name a mix, a time or a search. A video in the ranking that is a Short has the same
 * address as any other.
 */
export const videoTarget = (id: string): Target => own(`/watch?v=${id}`);

export const shortTarget = (id: string): Target => own(`/shorts/${id}`);

export const channelTarget = (id: string): Target => own(`/channel/${id}`);

/** A mix is made for the viewer from its first video, so only a link to that video shows it. */
export const playlistTarget = (id: string, firstVideo: string): Target =>
  id.startsWith('RD') && isVideoId(firstVideo)
    ? own(`/watch?v=${firstVideo}&list=${id}`)
    : own(`/playlist?list=${id}`);
