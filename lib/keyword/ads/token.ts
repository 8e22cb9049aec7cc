/**
 * What authorizes the calls of the source of volumes: the operator's secret, and an access token that is kept
 * until shortly before its end.
 */
import type { Access, Authorization, Fault, Read, VolumeSource } from '../../provider/contract.ts';
import { clock } from '../../runtime/clock.ts';
import { resource, setting } from '../../runtime/env.ts';
import { keepSecret } from '../../runtime/secret.ts';
import { sendRequest } from './send-request.ts';
import { customOrigin, isSandbox, volumeSource } from './source.ts';

/** The secrets that a source of volumes may name. */
const secrets: Record<Authorization['secret'], () => Promise<string>> = {
  GOOGLE_ADS_CREDENTIALS: keepSecret(resource('GOOGLE_ADS_CREDENTIALS_SECRET')),
};

/** A token is renewed so long before its end. */
const marginSeconds = 120;

const deadlineMs = 4000;

const noCredentials = (reason: string): Fault => ({
  ok: false,
  problem: 'credentials',
  word: 'upstream',
  reason,
});

const readCredentials = async ({
  title,
  authorization,
}: Pick<VolumeSource, 'title'> & Required<Pick<VolumeSource, 'authorization'>>): Promise<Read<string>> => {
  const { secret, placeholder, isReadable } = authorization;
  if (isSandbox()) return { ok: true, value: placeholder };
  const given = await secrets[secret]();
  if (given === '') {
    return customOrigin()
      ? { ok: true, value: placeholder }
      : noCredentials(`the service has no credentials of ${title}: the operator must set ${secret}`);
  }
  return isReadable(given)
    ? { ok: true, value: given }
    : noCredentials(`the credentials of ${title} cannot be read: see ${secret}`);
};

type Kept = { from: string; token: string; until: number };
let kept: Kept | undefined;

/** Drops the kept token, because the source does not accept it. */
export const dropToken = (): void => {
  kept = undefined;
};

/**
 * The credentials and a valid access token, from the cache (`isKept`) or from the token service. Both are
 * empty if the source wants none.
 */
export const authorize = async (now = clock()): Promise<Read<Access & { isKept: boolean }>> => {
  const version = setting('ADS_VERSION');
  const { name, title, authorization } = volumeSource();
  if (!authorization) {
    return { ok: true, value: { credentials: '', token: '', version, isKept: false } };
  }
  const read = await readCredentials({ title, authorization });
  if (!read.ok) return read;
  const credentials = read.value;
  const { token: provider } = authorization;
  if (!provider) return { ok: true, value: { credentials, token: '', version, isKept: false } };
  const from = JSON.stringify([name, customOrigin(), credentials]);
  if (kept?.from === from && now < kept.until) {
    return { ok: true, value: { credentials, token: kept.token, version, isKept: true } };
  }
  const answer = await sendRequest(provider.request(credentials), deadlineMs);
  const token = answer.ok ? provider.read(answer.value) : answer;
  if (!token.ok) return token;
  kept = { from, token: token.value.token, until: now + token.value.seconds - marginSeconds };
  return { ok: true, value: { credentials, token: token.value.token, version, isKept: false } };
};
