/** Deletes a user and all that is stored of it (`docs/privacy.md`). */
import { enableAccount } from '../access/enable-account.ts';
import { HttpError } from '../model/http-error.ts';
import { isUsable } from '../model/user.ts';
import { clock, sleepUntil } from '../runtime/clock.ts';
import { LaterReleaseError } from '../runtime/later-release.ts';
import { dropSettledMessages } from '../store/parked-deliveries.ts';
import { deleteAccount, readAccount, scanAccounts } from '../store/users.ts';
import { graceSeconds } from '../task/timing.ts';
import { type Counts, countedThings, passesOver } from './user-pass.ts';

/** An account that only a later release can read may be enabled, and an admin. */
const unreadable = { enabled: true, permissions: ['admin'] };

/** What the deletion must know of an account; undefined if there is none. */
const lookAt = async (id: number): Promise<{ enabled: boolean; permissions: string[] } | undefined> => {
  try {
    return await readAccount(id);
  } catch (error) {
    if (error instanceof LaterReleaseError) return unreadable;
    throw error;
  }
};

/** @throws HttpError 409 if no other admin could use the service without this one. */
const requireAnotherAdmin = async (id: number, now: number): Promise<void> => {
  if (!(await lookAt(id))?.permissions.includes('admin')) return;
  const accounts = await scanAccounts();
  const hasOther = accounts.some(
    (account) => account.id !== id && account.permissions.includes('admin') && isUsable(account, now),
  );
  if (hasOther) return;
  throw new HttpError(
    409,
    `User ${id} is the only admin that can be used. Make another one first: npm run user -- create --admin`,
  );
};

const isNothing = (counts: Counts): boolean => countedThings.every((thing) => counts[thing] === 0);

/** What is stored of a user. `hasAccount`: false if its account is deleted. */
export type Found = { hasAccount: boolean; counts: Counts };

/**
 * Counts what `eraseUser` would delete, and changes nothing. The history of a keyword is counted with it.
 * @throws HttpError 409 if the user is the only admin that can be used.
 */
export const countUser = async (id: number, now = clock()): Promise<Found> => {
  await requireAnotherAdmin(id, now);
  const account = await lookAt(id);
  return { hasAccount: account !== undefined, counts: await passesOver(id).count(now) };
};

/** More passes mean that something of the user is written again and again. */
const mostPasses = 20;

type Options = {
  /** Is told what a pass has found, before it is deleted, and the Unix time until which the command waits. */
  tell?: (progress: { found: Counts } | { waitsUntil: number }) => void;
  time?: () => number;
  wait?: (until: number) => Promise<void>;
};

/**
 * Deletes a user. First it disables the account, so that its keys stop. Then it deletes everything of the
 * user, until a pass finds nothing after the last work that was under way, and at last the account. May be
 * ended at any point and called again, also after the account is gone.
 * @throws HttpError 409 if the user is the only admin that can be used; Error if the user is still written
 * after 20 passes.
 */
export const eraseUser = async (
  id: number,
  { tell = () => {}, time = clock, wait = sleepUntil }: Options = {},
): Promise<Found> => {
  await requireAnotherAdmin(id, time());
  const account = await lookAt(id);
  const user = passesOver(id);
  // A request that began before takes 30 s at most, and a run of the planner or the recorder a minute.
  const requestsEnd = account?.enabled ? time() + graceSeconds : 0;
  if (account?.enabled) await enableAccount(id, false);
  const total = Object.fromEntries(countedThings.map((thing) => [thing, 0])) as Counts;
  for (let passes = 0; passes < mostPasses; passes++) {
    const found = await user.count(time());
    const quietAt = Math.max(requestsEnd, user.busyUntil());
    if (isNothing(found) && quietAt <= time()) {
      // Also of webhooks that were sent again, and of a pass that was ended after it deleted the copies.
      await dropSettledMessages();
      if (account) await deleteAccount(id);
      return { hasAccount: account !== undefined, counts: total };
    }
    if (isNothing(found)) {
      tell({ waitsUntil: quietAt });
      await wait(quietAt);
      // What such work writes last may have no other record: its history, its checks.
      await user.remove(time());
      continue;
    }
    tell({ found });
    for (const thing of countedThings) total[thing] += found[thing];
    await user.remove(time());
  }
  throw new Error(`Something of user ${id} is written again and again. Run the command again in ten minutes`);
};
