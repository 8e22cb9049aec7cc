/** Rules about what a webhook says: whose it is, its signature, and its results. */
import { createHmac } from 'node:crypto';
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import { placeIn, rankedType, rankingOf, volumeOf } from '../models/engines.ts';
import type { Arrival } from '../models/receivers.ts';
import { type Market, marketOf } from '../plan/markets.ts';
import { mayFail } from './end.ts';
import type { Ledger } from './ledger.ts';
import { hasNoSecondPage } from './states.ts';

/** From the time that a webhook is signed with until it arrives: calls that faults make slow (seconds). */
const signedSeconds = 120;

/**
 * The user whose receiver this is, and the secrets that sign its webhooks, the newest first. `formerUntil`:
 * when the others end; 0 if they do not. `replacedAt`: when a secret was replaced last (seconds).
 */
export type Receiver = { id: number; secrets: readonly string[]; formerUntil: number; replacedAt: number };

type Told = {
  ledger: Ledger;
  arrival: Arrival;
  /** The row of the task or batch, as the table has it now. */
  row: WireItem;
  receiver: Receiver;
  skewSeconds: number;
};

/** An attribute of a row; empty if it has its default value, which rows do not have. */
const textOf = (row: WireItem, name: string): string => String(row[name]?.S ?? row[name]?.N ?? '');

const isSigned = ({ id, text, headers }: Arrival, secret: string): boolean => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${id}.${headers['webhook-timestamp']}.${text}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return (headers['webhook-signature'] ?? '').split(' ').includes(`v1,${signature}`);
};

/** Reading 34: each secret of the user signs, and the time of the attempt is in seconds. */
const checkSignature = ({ ledger, arrival, receiver, skewSeconds }: Told): void => {
  const { id, at, headers } = arrival;
  const { secrets, formerUntil, replacedAt } = receiver;
  const [newest, ...formers] = secrets;
  const margin = signedSeconds + skewSeconds;
  const now = at / 1000;
  // A secret may be replaced after the webhook was made.
  const isNewest = newest === undefined || isSigned(arrival, newest) || now < replacedAt + margin;
  const [doSign, endedSign] = [formerUntil === 0 || now < formerUntil - margin, now > formerUntil + margin];
  const areFormers = formers.every((secret) =>
    isSigned(arrival, secret) ? !(formerUntil > 0 && endedSign) : !doSign,
  );
  if (!isNewest || !areFormers)
    ledger.violate('webhooks are signed', `${id} has the signature ${headers['webhook-signature']}`);
  const late = now - Number(headers['webhook-timestamp']);
  if (!(Math.abs(late) <= margin))
    ledger.violate('webhooks are signed', `${id} has the time ${headers['webhook-timestamp']}`);
};

/** Reading 33: version 2 knows only `success` and `error`. */
const checkStatus = ({ ledger, arrival, row }: Told): void => {
  const told = arrival.body.status;
  const status = textOf(row, 'status');
  const isV2 = textOf(row, 'kind') === 'serp' && textOf(row, 'api') !== 'v1';
  const right = isV2 && status !== 'success' ? 'error' : status;
  if (told !== undefined && textOf(row, 'kind') !== 'batch' && told !== right)
    ledger.violate('webhooks say how tasks ended', `${arrival.id} says ${told}, and its task is ${status}`);
};

type Item = { type?: string; url: string; position: number | string };

/** What an engine ranks of the results that a webhook has, in its order; undefined if it has none. */
const rankedOf = ({ result }: Arrival['body'], type: string): Item[] | undefined => {
  const { organic, left } = (result ?? {}) as { organic?: Item[]; left?: Item[] };
  return organic ?? left?.filter((item) => item.type === type);
};

type Tracking = Record<string, { type?: string; results?: { organic?: { position: number | string } } }>;

/** Readings 6 and 17: a tracked domain has the place of its first result, and 1000 if no page has it. */
const checkTracking = ({ ledger, arrival, row }: Told, drawn: readonly string[]): void => {
  const domain = textOf(row, 'domain');
  const place = placeIn(drawn, domain) ?? 1000;
  const tracking = (arrival.body.tracking ?? arrival.body.result ?? {}) as Tracking;
  const owner = tracking[domain];
  const told = owner?.results?.organic?.position;
  if (owner?.type !== 'owner' || told === undefined)
    ledger.violate('a tracked domain is reported', `${arrival.id} does not say where ${domain} is`);
  else if (Number(told) !== place)
    ledger.violate(
      'results are those of the page',
      `${arrival.id} says that ${domain} is in place ${told}, the pages ${place}`,
    );
};

/** Reading 5: version 2 has as many results as were asked for, version 1 all of its pages. */
const mostOf = (row: WireItem): number =>
  textOf(row, 'api') === 'v1' ? Number.POSITIVE_INFINITY : Number(textOf(row, 'depth') || 10);

/** Engines draw other pages from one quarter of a day to the next (seconds). */
const quarterSeconds = 6 * 3600;

/** Pages that were fetched so shortly beside the end of a quarter may be of both. */
const isBetweenQuarters = (crawledAt: number, skewSeconds: number): boolean => {
  const since = crawledAt % quarterSeconds;
  return Math.min(since, quarterSeconds - since) < 60 + 2 * skewSeconds;
};

/** The place of each result is its number on the pages that the engine drew. */
const checkRanking = (told: Told, market: Market): void => {
  const { ledger, arrival, row, skewSeconds } = told;
  const crawledAt = Number(textOf(row, 'crawled_at'));
  if (row.complete?.BOOL !== true || isBetweenQuarters(crawledAt, skewSeconds)) return;
  const engine = textOf(row, 'engine');
  const keyword = textOf(row, 'keyword');
  const pages = (row.pages?.L as unknown[] | undefined)?.length ?? 1;
  const all = rankingOf(engine, keyword, market, crawledAt, pages);
  if (!all) return;
  if (textOf(row, 'domain') !== '') checkTracking(told, all);
  const ranked = rankedOf(arrival.body, rankedType(engine));
  if (!ranked) return;
  const drawn = all.slice(0, mostOf(row));
  const wrong = drawn.findIndex((url, n) => ranked[n]?.url !== url || Number(ranked[n]?.position) !== n + 1);
  if (wrong >= 0 || ranked.length > drawn.length)
    ledger.violate(
      'results are those of the page',
      `${arrival.id} (${engine}: ${keyword}) has ${ranked.length} results, of ${drawn.length}, and ${JSON.stringify(ranked[wrong])?.slice(0, 120)} in place ${wrong + 1}, the page ${drawn[wrong]}`,
    );
};

/** Reading 6: of a search whose second page never comes, only the results of the first page are told. */
const checkPartial = ({ ledger, arrival, row, skewSeconds }: Told, market: Market): void => {
  const crawledAt = Number(textOf(row, 'crawled_at'));
  if (isBetweenQuarters(crawledAt, skewSeconds)) return;
  const engine = textOf(row, 'engine');
  const keyword = textOf(row, 'keyword').replace(hasNoSecondPage, '');
  const drawn = rankingOf(engine, keyword, market, crawledAt) ?? [];
  const ranked = rankedOf(arrival.body, rankedType(engine)) ?? [];
  const wrong = ranked.findIndex(({ url, position }, n) => url !== drawn[n] || Number(position) !== n + 1);
  if (wrong >= 0)
    ledger.violate(
      'partial results end before the failed page',
      `${arrival.id} (${textOf(row, 'keyword')}) has ${ranked[wrong]?.url} in place ${wrong + 1}`,
    );
};

type KeywordResult = { text: string; keyword_idea_metrics: { avg_monthly_searches: number } }[];

const checkVolume = ({ ledger, arrival, row }: Told): void => {
  const [told] = (arrival.body.result ?? []) as KeywordResult;
  const key = textOf(row, 'key');
  const right = volumeOf(key, Number(textOf(row, 'loc_id')), arrival.at / 1000);
  if (told?.text !== key || told.keyword_idea_metrics.avg_monthly_searches !== right)
    ledger.violate(
      'volumes are those of the keyword',
      `${arrival.id} has ${told?.keyword_idea_metrics.avg_monthly_searches} for ${key}, and the source ${right}`,
    );
};

type FormResult = { keyword: string; search_volume?: number }[];

/** The figures of keyword data in the form of DataForSEO, in the language that was asked for. */
const checkFormVolumes = ({ ledger, arrival, row }: Told): void => {
  const [task] = (arrival.body.tasks ?? []) as { result?: FormResult | null }[];
  const location = Number(textOf(row, 'location_code'));
  const language = textOf(row, 'language_code');
  for (const { keyword, search_volume } of task?.result ?? []) {
    const right = volumeOf(keyword, location, arrival.at / 1000, language);
    if (search_volume !== undefined && !mayFail.test(keyword) && search_volume !== right)
      ledger.violate(
        'volumes are those of the keyword',
        `${arrival.id} has ${search_volume} for ${keyword} (${language}), and the source ${right}`,
      );
  }
};

/**
 * Reading 46: a batch has its tasks, which have all ended. Also one that was never acknowledged: its client
 * knows nothing of it, and gets no webhook if the tasks are missing.
 */
const checkBatch = ({ ledger, arrival }: Told): void => {
  const { type, counts = {}, total } = arrival.body;
  if (type !== 'batch.finished' || ledger.erased.size > 0) return;
  const sum = Object.values(counts as Record<string, number>).reduce((all, count) => all + count, 0);
  if (sum !== total) ledger.violate('batches add up', `${arrival.id} counts ${sum} of ${total} tasks`);
};

/** Checks a webhook in our own form of a task or a batch. */
export const checkContent = (told: Told): void => {
  const { ledger, arrival, row, receiver } = told;
  if (textOf(row, 'user_id') !== String(receiver.id))
    ledger.violate('webhooks go to their users', `${arrival.id} arrived at user ${receiver.id}`);
  checkSignature(told);
  checkStatus(told);
  checkBatch(told);
  const { body } = arrival;
  if (textOf(row, 'kind') === 'ideas') checkFormVolumes(told);
  const name = textOf(row, 'kind') === 'keyword' ? 'key' : 'keyword';
  if (body[name] !== undefined && body[name] !== textOf(row, name))
    ledger.violate('webhooks are about their tasks', `${arrival.id} is about ${body[name]}`);
  const asked = textOf(row, name);
  const market = marketOf(textOf(row, 'iso_code'), textOf(row, 'device') || 'desktop');
  if (body.status === 'success' && hasNoSecondPage.test(asked) && market) checkPartial(told, market);
  if (body.status !== 'success' || mayFail.test(asked) || body.tasks !== undefined) return;
  if (textOf(row, 'kind') === 'keyword') checkVolume(told);
  if (textOf(row, 'kind') === 'serp' && market) checkRanking(told, market);
};
