/** What the rotations of keys and of webhook secrets have in common. */
import * as v from 'valibot';
import { HttpError } from '../model/http-error.ts';
import { type Account, defaultGraceSeconds, maxGraceSeconds } from '../model/user.ts';
import { readAccount } from '../store/users.ts';

const graceRule = 'The grace must be a whole number of seconds, at most 30 days';

/**
 * `grace`: seconds for which the former one stays valid. `lost`: replace the newest one only; the grace then
 * has no effect.
 */
const Rotation = v.object({
  grace: v.optional(
    v.pipe(
      v.number(graceRule),
      v.integer(graceRule),
      v.minValue(0, graceRule),
      v.maxValue(maxGraceSeconds, graceRule),
    ),
    defaultGraceSeconds,
  ),
  lost: v.optional(v.boolean(), false),
});
export type Rotation = v.InferInput<typeof Rotation>;

/** @throws HttpError 422 if the grace is out of bounds. */
export const checkRotation = (rotation: Rotation): v.InferOutput<typeof Rotation> => {
  const checked = v.safeParse(Rotation, rotation);
  if (!checked.success) throw new HttpError(422, checked.issues[0].message);
  return checked.output;
};

/** `id`: negative if it was beyond the largest possible one. */
export const noSuchUser = (id: number): HttpError =>
  new HttpError(404, id < 0 ? 'There is no such user' : `There is no user ${id}`);

/** @throws HttpError 404 if there is no such account. */
export const requireAccount = async (id: number): Promise<Account> => {
  const account = await readAccount(id);
  if (!account) throw noSuchUser(id);
  return account;
};

/** The error of a rotation while the former key or secret is valid until `until` (Unix time). */
export const stillRotating = (id: number, noun: string, until: number): HttpError =>
  new HttpError(
    409,
    `User ${id} already has two ${noun}s; the former one is valid until ${new Date(until * 1000).toISOString()}. ` +
      'Rotate again after that, or with the grace 0, which ends both',
  );

/** The error of a rotation that lost a race. Nothing was written. */
export const changedMeanwhile = (id: number): HttpError =>
  new HttpError(
    409,
    `The keys or secrets of user ${id} were changed at the same time, so nothing was done. Try again`,
  );
