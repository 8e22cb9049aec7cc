/**
 * The hidden links of a page, each asked once where it leads, and followed nowhere. A refusal ends it, and costs nothing but the
 * targets that are left: their links stay `opaque`.
 */
import type { Device } from '../model/crawl-request.ts';
import { hiddenLinks, readLocation } from '../serp/google/hidden-link.ts';
import { readGooglePage } from '../serp/google/reader.ts';
import { openPage } from '../serp/page.ts';

const sideBySide = 5;

/** No page of ten results has more; a page that does was not written for readers. */
const mostLinks = 100;

/** None is begun later; each has 5 s of its own. */
const deadlineMs = 20_000;

/** The most that the lookups of a page take. */
export const lookUpMs = deadlineMs + 6000;

type Ask = (link: string) => Promise<string | null>;

/** Asks for each link once, the first ones first, until one is refused or time is up. */
export const lookUpAll = async (
  links: readonly string[],
  ask: Ask,
  until = Date.now() + deadlineMs,
): Promise<Record<string, string>> => {
  const targets: Record<string, string> = {};
  const waiting = links.slice(0, mostLinks);
  let refused = false;
  const worker = async () => {
    while (!refused && Date.now() < until) {
      const link = waiting.shift();
      if (link === undefined) return;
      const target = readLocation(await ask(link));
      if (target === 'refused') refused = true;
      else if (target) targets[link] = target;
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  return targets;
};

/** Looks up the hidden links of a page of results. */
export const lookUpLinks = (html: string, device: Device, ask: Ask): Promise<Record<string, string>> =>
  lookUpAll(hiddenLinks(readGooglePage(openPage(html), device)), ask);
