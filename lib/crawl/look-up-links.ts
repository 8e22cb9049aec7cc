/**
 * The hidden links of a page, each asked once where it leads, and followed nowhere. A refusal ends it, and costs nothing but the
 * targets that are left: their links stay `opaque`.
 */
import { inParallel } from '../runtime/in-parallel.ts';
import type { HiddenLinks } from '../serp/engine.ts';
import { readers } from '../serp/reader.ts';
import type { SerpRow } from '../store/task-row.ts';

const concurrency = 5;

/** No page of ten results has more; a page that does was not written for readers. */
const maxLinks = 100;

/** None is begun later; each has 5 s of its own. */
const deadlineMs = 20_000;

/** The most that the lookups of a page take. */
export const lookUpMs = deadlineMs + 6000;

type Ask = (link: string) => Promise<string | null>;

/** Asks for each link once, in order, until one is refused or `until` (milliseconds since 1970) has passed. */
export const lookUpAll = async (
  links: readonly string[],
  readLocation: HiddenLinks['readLocation'],
  ask: Ask,
  until = Date.now() + deadlineMs,
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
    () => refused || Date.now() >= until,
  );
  return targets;
};

/** Looks up the hidden links of a page of results. */
export const lookUpLinks = (
  body: string,
  { engine, device }: Pick<SerpRow, 'engine' | 'device'>,
  ask: Ask,
): Promise<Record<string, string>> => {
  const { open, hiddenLinks } = readers[engine];
  return lookUpAll(hiddenLinks.of(open(body).read(device)), hiddenLinks.readLocation, ask);
};
