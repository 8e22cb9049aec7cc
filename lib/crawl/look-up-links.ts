/**
 * Looks up the targets of a page's hidden links. Each link is requested once, and its redirect is not
 * followed. A refusal ends the lookup; it costs only the remaining targets, whose links stay `opaque`.
 */
import type { EngineName } from '../model/engine.ts';
import { clockMs } from '../runtime/clock.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { heldMs } from '../runtime/processor-limit.ts';
import type { HiddenLinks } from '../serp/engine-reader.ts';
import { readers } from '../serp/reader.ts';

const concurrency = 5;

/** No genuine page of ten results has more. A page that does was not made for people. */
const maxLinks = 100;

/** No lookup begins later. */
const deadlineMs = 20_000;

/** Each lookup has a time limit of 5 s. */
const lastLookUpMs = 6000;

/** The maximum duration of all lookups of a page. */
export const lookUpMs = deadlineMs + lastLookUpMs;

/** Milliseconds of a clock that does not move while the reading of a page holds this thread. */
const freeMs = (): number => clockMs() - heldMs();

/** The time of `freeMs` from which no lookup begins, if all lookups may take `remainingMs` together. */
export const lookUpUntil = (remainingMs: number, now = freeMs()): number =>
  now + Math.min(deadlineMs, remainingMs - lastLookUpMs);

type Ask = (link: string) => Promise<string | null>;

/**
 * Looks up each link once, in order, until one is refused or `until` (a time of `freeMs`) has passed. Returns
 * the targets found.
 */
export const lookUpAll = async (
  links: readonly string[],
  readLocation: HiddenLinks['readLocation'],
  ask: Ask,
  until = lookUpUntil(lookUpMs),
): Promise<Record<string, string>> => {
  const targets: Record<string, string> = {};
  let refused = false;
  await inParallel(
    links.slice(0, maxLinks),
    concurrency,
    async (link) => {
      const target = readLocation(await ask(link));
      if (target === 'refused') refused = true;
      else if (target) targets[link] = target;
    },
    () => refused || freeMs() >= until,
  );
  return targets;
};

/** Looks up hidden links of a page of the engine. `until`: the value of `lookUpUntil`. */
export const lookUpLinks = (
  links: readonly string[],
  engine: EngineName,
  ask: Ask,
  until: number,
): Promise<Record<string, string>> => lookUpAll(links, readers[engine].hiddenLinks.readLocation, ask, until);
