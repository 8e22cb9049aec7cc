/** Changes how many requests per minute a user may make (Reading 26). */
import * as v from 'valibot';
import { HttpError } from '../model/http-error.ts';
import { RateLimit } from '../model/user.ts';
import { changeAccount } from '../store/users.ts';
import { noSuchUser } from './rotation.ts';

/** @throws HttpError 422 if the limit is out of bounds. */
export const checkRateLimit = (rateLimit: number): number => {
  const checked = v.safeParse(RateLimit, rateLimit);
  if (!checked.success) throw new HttpError(422, checked.issues[0].message);
  return checked.output;
};

/**
 * Takes effect at the next request. 0 = no limit.
 * @throws HttpError 404 if there is no such account; 422 if the limit is out of bounds.
 */
export const limitAccount = async (id: number, rateLimit: number): Promise<void> => {
  if (!(await changeAccount(id, { rate_limit: checkRateLimit(rateLimit) }))) throw noSuchUser(id);
};
