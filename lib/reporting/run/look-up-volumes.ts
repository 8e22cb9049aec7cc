/**
 * Looks up the volumes of tracked keywords that have none or old ones, many keywords with one call (Reading
 * 38).
 */
import { findVolumes } from '../../keyword/ads/find-volumes.ts';
import { type Volumes as Found, formsOf } from '../../keyword/ads/volumes.ts';
import { adsLanguage } from '../../model/ads-language.ts';
import { locationOfCountry } from '../../model/country-location.ts';
import { hasData, keywordForm, liveMetricOf } from '../../model/keyword-metrics.ts';
import type { TrackedKeyword, Volumes } from '../../model/tracking.ts';
import type { Market } from '../../provider/contract.ts';
import { calendar } from '../../runtime/calendar.ts';
import { log } from '../../runtime/log.ts';
import { collectErrors, type RunErrors } from '../../runtime/run-errors.ts';
import { timeLimit } from '../../runtime/time-limit.ts';
import { changeChunk, readChunk } from '../../store/chunks.ts';
import {
  type Check,
  claimCheck,
  endCheck,
  listDueChecks,
  postponeCheck,
} from '../../store/project-checks.ts';
import { lacksVolumes } from './lacks-volumes.ts';

/**
 * The market of a keyword's place. The source has numbers for countries that the service knows, and numbers
 * for smaller places that only the source knows, so a city has the volumes of its country. A language that
 * the source does not have means any language.
 */
const marketOf = ({ iso_code, language_code }: TrackedKeyword): Market => ({
  location: locationOfCountry(iso_code) ?? null,
  language: language_code !== '' && adsLanguage(language_code) !== undefined ? language_code : null,
});

/**
 * The whole world in the language of a market, so that its volume contains that of the place (Reading 38).
 */
const worldOf = ({ language }: Market): Market => ({ location: null, language });

const keyOf = ({ location, language }: Market): string => `${location}/${language}`;

/**
 * The volumes of a keyword; undefined if the source has not given both of them, null if it knows neither.
 */
const volumesOf = (
  keyword: TrackedKeyword,
  local: Found | undefined,
  world: Found | undefined,
  at: number,
): Volumes | null | undefined => {
  const form = keywordForm(keyword.keyword);
  const here = local?.get(form)?.metrics;
  const everywhere = world?.get(form)?.metrics;
  if (!here || !everywhere) return undefined;
  if (!hasData(here) && !hasData(everywhere)) return null;
  const { sv, cpc } = liveMetricOf(form, here);
  // The source rounds each number by itself.
  return { local_sv: sv, global_sv: Math.max(sv, everywhere.volume ?? 0), cpc, at };
};

/** The keyword after a look-up. */
const keywordWith = (
  { volumes_unknown_at: _, ...keyword }: TrackedKeyword,
  volumes: Volumes | null,
  at: number,
): TrackedKeyword => ({ ...keyword, volumes, ...(volumes === null && { volumes_unknown_at: at }) });

type Wanted = { check: Check; keywords: TrackedKeyword[] };

/** Looks up the keywords of one user's chunks, and stores what was found in them. */
const lookUp = async (
  userId: number,
  wanted: readonly Wanted[],
  now: number,
  errors: RunErrors,
): Promise<void> => {
  const keywords = wanted.flatMap((each) => each.keywords);
  // The words to ask for in each market, places and the whole world.
  const asked = Map.groupBy(
    keywords.flatMap((keyword) => {
      const market = marketOf(keyword);
      return [worldOf(market), market].map((each) => ({ market: each, text: keyword.keyword }));
    }),
    ({ market }) => keyOf(market),
  );
  const found = new Map<string, Found>();
  let retryAt: number | undefined;
  for (const [key, ofMarket] of asked) {
    const [first] = ofMarket;
    if (!first || retryAt !== undefined) continue;
    const answer = await findVolumes(userId, formsOf(ofMarket.map(({ text }) => text)), first.market);
    found.set(key, answer.found);
    retryAt = answer.retryAt;
  }
  const volumesFor = (keyword: TrackedKeyword) => {
    const market = marketOf(keyword);
    return volumesOf(keyword, found.get(keyOf(market)), found.get(keyOf(worldOf(market))), now);
  };
  const store = async (check: Check): Promise<void> => {
    const { project_id, chunk = 0 } = check;
    await changeChunk(project_id, chunk, (before) => {
      const after = before.map((keyword) => {
        const volumes = lacksVolumes(keyword, now) ? volumesFor(keyword) : undefined;
        return volumes === undefined ? keyword : keywordWith(keyword, volumes, now);
      });
      return after.some((keyword, n) => keyword !== before[n]) ? after : before;
    });
    if (retryAt === undefined) await endCheck(check, now);
    else await postponeCheck(check, Math.max(now + 1, calendar(retryAt)));
  };
  for (const { check } of wanted) await errors.attempt(() => store(check));
};

/** Chunks of a run, which have up to 50 keywords each. */
const checksOfRun = 200;

/** Longer than a run lasts. */
const claimSeconds = 300;

/** No call for a further user begins after this time. */
const runSeconds = 60;

/**
 * Looks up what results have asked for. Returns the number of chunks that were handled. What AWS services
 * refuse is left for a later run.
 */
export const lookUpVolumes = async (now = calendar(), isOver = timeLimit(runSeconds)): Promise<number> => {
  const errors = collectErrors();
  const wanted: Wanted[] = [];
  for (const check of await listDueChecks('volumes', now, checksOfRun)) {
    await errors.attempt(async () => {
      const claimed = await claimCheck(check, now + claimSeconds);
      if (!claimed) return;
      const { keywords } = await readChunk(claimed.project_id, claimed.chunk ?? 0);
      wanted.push({ check: claimed, keywords: keywords.filter((keyword) => lacksVolumes(keyword, now)) });
    });
  }
  for (const [userId, ofUser] of Map.groupBy(wanted, ({ check }) => check.user_id)) {
    // Those that were claimed are taken up again at the end of their claim.
    if (isOver()) break;
    await errors.attempt(() => lookUp(userId, ofUser, now, errors));
  }
  if (wanted.length > 0) log.info('volumes looked up', { chunks: wanted.length });
  errors.throwFirst();
  return wanted.length;
};
