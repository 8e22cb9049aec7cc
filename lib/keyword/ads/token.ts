/** The access token of Google Ads, kept until shortly before its end. */
import { type Credentials, credentialsIn } from '../../model/ads-credentials.ts';
import { readToken, tokenRequest } from '../../provider/google-ads/token.ts';
import type { Read } from '../../provider/provider.ts';
import { clock } from '../../runtime/clock.ts';
import { resource } from '../../runtime/env.ts';
import { keepSecret } from '../../runtime/secret.ts';
import { sendToAds } from './send.ts';
import { customOrigin, isSandbox } from './source.ts';

const secret = keepSecret(resource('GOOGLE_ADS_CREDENTIALS_SECRET'));

/** A token is renewed so long before its end. */
const marginSeconds = 120;

const deadlineMs = 4000;

/** For the sandbox, and for an origin that the operator has set: neither has an account at Google Ads. */
const placeholder: Credentials = {
  client_id: 'none',
  client_secret: 'none',
  refresh_token: 'none',
  customer_id: '0000000000',
};

const noCredentials = {
  ok: false,
  problem: 'credentials',
  reason: 'the service has no credentials of Google Ads: the operator must set GOOGLE_ADS_CREDENTIALS',
} as const;

const readCredentials = async (): Promise<Read<Credentials>> => {
  if (isSandbox()) return { ok: true, value: placeholder };
  const given = await secret();
  if (given === '') return customOrigin() ? { ok: true, value: placeholder } : noCredentials;
  const credentials = credentialsIn(given);
  return credentials
    ? { ok: true, value: credentials }
    : {
        ...noCredentials,
        reason: 'the credentials of Google Ads cannot be read: see GOOGLE_ADS_CREDENTIALS',
      };
};

type Kept = { from: string; token: string; until: number };
let kept: Kept | undefined;

/** Drops the kept token, because the source does not accept it. */
export const dropToken = (): void => {
  kept = undefined;
};

/** The credentials and a valid access token, from the cache (`isKept`) or from the token service. */
export const authorize = async (
  now = clock(),
): Promise<Read<{ credentials: Credentials; token: string; isKept: boolean }>> => {
  const read = await readCredentials();
  if (!read.ok) return read;
  const credentials = read.value;
  const from = JSON.stringify([customOrigin(), credentials]);
  if (kept?.from === from && now < kept.until) {
    return { ok: true, value: { credentials, token: kept.token, isKept: true } };
  }
  const answer = await sendToAds(tokenRequest(credentials), deadlineMs, true);
  const token = answer.ok ? readToken(answer.value) : answer;
  if (!token.ok) return token;
  kept = { from, token: token.value.token, until: now + token.value.seconds - marginSeconds };
  return { ok: true, value: { credentials, token: token.value.token, isKept: false } };
};
