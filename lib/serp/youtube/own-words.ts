/**
 * What a page says of itself: the query, the page and the time that it is for. Compared with the request
 * (Reading 7).
 */

import type { Device } from '../../model/crawl-request.ts';
import { engines } from '../../model/engine.ts';
import type { NextPage, PageFetch } from '../engine-reader.ts';
import { freshForSeconds, isFromEngine } from '../own-words.ts';
import { isSameQuery } from '../query.ts';
import { interfacePath } from './address.ts';
import { at, findIn, type JsonObject, stringAt } from './json.ts';
import { bytesIn, decodeMessage, numberIn, readMessage, searchFields } from './message.ts';
import type { Reading } from './reading.ts';

const { resultsPerPage } = engines.youtube;

export type OwnWords = {
  /** The query that the filters of the page are for, as it was asked; empty if the page has none. */
  asked: string;
  /**
   * The query that the results are for: the asked one, or a corrected one; empty if the page does not name
   * it.
   */
  searched: string;
  /** The offset of the next page; undefined if there is no link to it. */
  nextOffset: number | undefined;
  /** The token for the next page; undefined if there is none that names a page. */
  nextToken: string | undefined;
  /** The script that the page was made for: `WEB` on desktops, `MWEB` on phones, with its version. */
  client: NextPage['client'];
  /** Whether it is an answer to a token: items for the end of a page, without the page. */
  isContinuation: boolean;
  /** The selected filter, in base64; undefined if the page does not name its filter. */
  filter: string | undefined;
  /** The times of the response in the data, in Unix seconds; empty if it has none. */
  times: number[];
  /**
   * The time of the visitor's token, in Unix seconds, which is that of the response or up to some months
   * before; undefined if there is none.
   */
  stamp: number | undefined;
};

/** Fields of a token for a further page: the search, its query, and the parameters of the page in base64. */
const tokenFields = { search: 2, query: 2, parameters: 3 };

type Search = { query: string; offset: number | undefined; filter: string };

const searchIn = (token: string): Search | null => {
  const search = bytesIn(decodeMessage(token), tokenFields.search);
  const query = search && bytesIn(readMessage(search), tokenFields.query);
  if (!search || !query) return null;
  const parameters = bytesIn(readMessage(search), tokenFields.parameters)?.toString('latin1') ?? '';
  const message = decodeMessage(parameters);
  return {
    query: query.toString('utf8'),
    offset: numberIn(message, searchFields.offset),
    filter: bytesIn(message, searchFields.filter)?.toString('base64') ?? '',
  };
};

/** The field of a visitor's token with the time of the response. */
const stampField = 5;

const visitorOf = (data: JsonObject): string =>
  findIn(data.responseContext, (object) => stringAt(object, 'visitorData') || undefined) ?? '';

/** Fields of a tracking token: the event, and its time in microseconds. */
const trackingFields = { event: 4, time: 1 };

const longestToken = 400;

/** No response is from before this time, in Unix seconds: a smaller number is no time. */
const firstTime = Date.UTC(2005, 0, 1) / 1000;

/** Every item has a token with the time of the response, other than that of the visitor. */
const timesOf = (tokens: string[]): number[] =>
  tokens
    .map((token) => {
      const event = bytesIn(decodeMessage(token.slice(0, longestToken)), trackingFields.event);
      return (event ? (numberIn(readMessage(event), trackingFields.time) ?? 0) : 0) / 1e6;
    })
    .filter((time) => time >= firstTime);

/** A parameter that the page's script reports with its measurements. */
const reportedIn = (data: JsonObject, name: string): string =>
  findIn(at(data, 'responseContext', 'serviceTrackingParams'), ({ key, value }) =>
    key === name && typeof value === 'string' ? value : undefined,
  ) ?? '';

/** A whole page may have commands, too. */
const isContinuation = (data: JsonObject): boolean =>
  data.contents === undefined &&
  (data.onResponseReceivedCommands ?? data.onResponseReceivedActions ?? data.continuationContents) !==
    undefined;

/** `queries` of the filters are all the same; corrections and tokens are for other queries, too. */
export const ownWordsOf = (data: JsonObject, reading: Reading): OwnWords => {
  const { queries, tokens, trackingTokens, corrected } = reading;
  const nextToken = tokens.find((token) => searchIn(token)?.offset !== undefined);
  const next = searchIn(nextToken ?? '');
  const visitor = visitorOf(data);
  return {
    asked: [...queries][0] ?? '',
    searched: next?.query ?? corrected,
    nextOffset: next?.offset,
    nextToken,
    client: { name: reportedIn(data, 'c'), version: reportedIn(data, 'cver'), visitor },
    isContinuation: isContinuation(data),
    filter: next?.filter,
    times: timesOf(trackingTokens),
    stamp: numberIn(decodeMessage(visitor), stampField),
  };
};

/**
 * Whether the results are for another query than the asked one. A corrected query counts only if the page
 * says so, or the page before it: its token then names the corrected query. Videos are not compared with the
 * words of the query, as the results of web engines are: the page names its query, and titles in another
 * language or without any of the words are common.
 */
export const isForOtherQuery = (
  found: OwnWords,
  { left }: Reading,
  { query, token = '' }: PageFetch,
): boolean => {
  if (query === '') return false;
  if (found.asked !== '' && !isSameQuery(found.asked, query)) return true;
  const corrected = left.filter(({ type }) => type === 'spelling').map(({ title }) => title);
  const known = [query, ...corrected, searchIn(token)?.query ?? query];
  return found.searched !== '' && !known.some((one) => isSameQuery(one, found.searched));
};

/**
 * Whether the answer has the form of the end of a page, and was requested as such. The token of the request
 * names its query.
 */
const answersToken = (found: OwnWords, { token }: PageFetch): boolean =>
  token !== undefined && found.isContinuation;

/**
 * Whether the page names a query. The start page and the pages of channels have videos, too, but name none.
 */
export const namesQuery = (found: OwnWords, fetch: PageFetch): boolean =>
  fetch.query === '' || found.asked !== '' || found.searched !== '' || answersToken(found, fetch);

/**
 * Whether the final URL is another host, path, query or page of the engine than the one asked. An empty URL
 * is unknown.
 */
const isAtOtherAddress = (
  { filter }: OwnWords,
  { url, query, page, token, isReplay }: PageFetch,
): boolean => {
  const final = url === '' || isReplay ? null : URL.parse(url);
  if (!final) return false;
  const isOwnHost = /^(?:www\.|m\.)?youtube\.com$/.test(final.hostname);
  if (token !== undefined) return !isOwnHost || final.pathname !== interfacePath;
  const parameters = decodeMessage(final.searchParams.get('sp') ?? '');
  const asked = final.searchParams.get('search_query') ?? final.searchParams.get('q');
  const offset = numberIn(parameters, searchFields.offset) ?? 0;
  return (
    !isOwnHost ||
    final.pathname !== '/results' ||
    (asked !== null && query !== '' && !isSameQuery(asked, query)) ||
    (page !== undefined && offset !== resultsPerPage * (page - 1)) ||
    (filter !== undefined && filter !== (bytesIn(parameters, searchFields.filter)?.toString('base64') ?? ''))
  );
};

/** The scripts of pages for each device, as the engine calls them. */
const scripts: Record<Device, string> = { desktop: 'WEB', mobile: 'MWEB' };

/** Whether the page was made for the script of another device, or of another service. */
const isForOtherDevice = ({ client: { name } }: OwnWords, { device }: PageFetch): boolean =>
  name !== '' && name !== scripts[device];

/** Whether the page says that it is another page, or has another filter or layout, than the one asked. */
export const isForOtherRequest = (found: OwnWords, fetch: PageFetch): boolean =>
  isAtOtherAddress(found, fetch) ||
  isForOtherDevice(found, fetch) ||
  (fetch.token !== undefined && !fetch.isReplay && !found.isContinuation) ||
  (found.nextOffset !== undefined &&
    fetch.page !== undefined &&
    found.nextOffset !== resultsPerPage * fetch.page);

/**
 * The visitor's token, which a browser keeps for months, and the recorded day of a saved page may be so far
 * from the time of the page.
 */
const keptForSeconds = 180 * 86_400;
const aheadSeconds = 7 * 86_400;

const isNear = (time: number, { fetchedAt }: PageFetch): boolean =>
  Math.abs(time - fetchedAt) <= freshForSeconds;

const isKept = (time: number, { fetchedAt }: PageFetch): boolean =>
  time >= fetchedAt - keptForSeconds && time <= fetchedAt + aheadSeconds;

/**
 * Whether the page was stored before this fetch: its time is far from that of the fetch, or, if it only has
 * that of its visitor or none, it did not come from the engine itself.
 */
export const isStored = (found: OwnWords, fetch: PageFetch): boolean => {
  const { times, stamp } = found;
  if (stamp !== undefined && !isKept(stamp, fetch)) return true;
  if (times.length === 0) return !isFromEngine(fetch) && !isFresh(found, fetch);
  return !times.every((time) => (fetch.isTimed ? isNear : isKept)(time, fetch));
};

/** Whether the page was generated for this fetch. A page without a time is not fresh. */
export const isFresh = ({ times, stamp }: OwnWords, fetch: PageFetch): boolean =>
  times.length > 0 ? times.every((time) => isNear(time, fetch)) : stamp !== undefined && isNear(stamp, fetch);
