/**
 * The hidden links of a fetched page: each is asked once where it leads, by the route that the page came by, and followed nowhere. A
 * refusal ends it, and costs nothing but the targets that are left: their links stay `opaque`.
 */
import type { AnsweredPage } from '../model/step.ts';
import { log } from '../runtime/log.ts';
import { hiddenLinks, readLocation } from '../serp/google/hidden-link.ts';
import { readGooglePage } from '../serp/google/read.ts';
import { openPage } from '../serp/page.ts';
import { readHtml } from '../store/html.ts';
import { putLinks } from '../store/links.ts';
import { readRow } from '../store/tasks.ts';
import { openLinks } from './link-source.ts';

const sideBySide = 5;

/** No page of ten results has more; a page that does was not written for readers. */
const mostLinks = 100;

/** All lookups of a page; each has less (`link-source.ts`). */
const deadlineMs = 20_000;

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

/** Looks up the hidden links of a page of the run that holds the task, and stores their targets beside it. */
export const resolveLinks = async (fetched: AnsweredPage): Promise<AnsweredPage> => {
  const row = await readRow(fetched.user_id, fetched.id);
  const planned = row?.pages.find(({ page }) => page === fetched.page);
  if (!row || !planned || row.attempt !== fetched.attempt) return fetched;

  const hidden = hiddenLinks(readGooglePage(openPage(await readHtml(fetched.html)), row.device));
  const { id, attempt, page, fetches } = fetched;
  const { ask, close } = openLinks({ ...row, url: planned.url }, `${id}-${attempt}-${page}-${fetches}`);
  try {
    const targets = await lookUpAll(hidden, ask);
    const found = Object.keys(targets).length;
    log.info('links looked up', { task_id: id, page, hidden: hidden.length, found });
    return found === 0 ? fetched : { ...fetched, links: await putLinks(fetched.html, targets) };
  } finally {
    await close();
  }
};
