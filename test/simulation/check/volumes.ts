/** A rule about the volumes of tracked keywords. */
import { volumeOf } from '../models/engines.ts';
import { home } from '../plan/markets.ts';
import { mayFail, type Row } from './end.ts';
import type { Tracked } from './ledger.ts';
import type { Context } from './tracked.ts';

/** The volumes of a keyword are looked up within some minutes of its first position. */
const volumesMs = 30 * 60_000;

/** The volumes of a keyword are those of Google Ads for its country and its language (Reading 38). */
export const checkVolumes = (
  { ledger, world, calmFrom, sourceFrom, shared }: Context,
  { user, keyword }: Tracked,
  chunked: Row | undefined,
): void => {
  if (mayFail.test(keyword)) return;
  const volumes = chunked?.volumes as { local_sv: number; global_sv: number } | null | undefined;
  const seconds = world.scheduler.now() / 1000;
  if (!volumes) {
    const [rank] = (chunked?.ranks ?? []) as { current: { at: number } | null }[];
    const since = Math.max(
      Number(rank?.current?.at ?? Number.POSITIVE_INFINITY) * 1000,
      calmFrom,
      sourceFrom,
    );
    // One call is for all keywords of a user, and fails with one of them.
    const own = [...ledger.tracked, ...ledger.imports].filter((each) => each.user === user);
    const texts = own.flatMap((each) => ('good' in each ? each.good : [each.keyword]));
    // A shared keyword that throttles the source pauses it for all users, and stays in the other list if it
    // is removed from one.
    texts.push(...shared);
    if (seconds * 1000 > since + volumesMs && !texts.some((text) => mayFail.test(text)))
      ledger.violate('volumes are those of the keyword', `${keyword} has no volumes`);
    return;
  }
  const local = volumeOf(keyword, home.location, seconds, home.language);
  const everywhere = Math.max(local, volumeOf(keyword, null, seconds, home.language));
  if (volumes.local_sv !== local || volumes.global_sv !== everywhere)
    ledger.violate(
      'volumes are those of the keyword',
      `${keyword} has ${volumes.local_sv} and ${volumes.global_sv}, the source ${local} and ${everywhere}`,
    );
};
