/**
 * The sandbox in the place of a provider: it answers a request as the real provider does, in the same format,
 * without a network. Imported on demand: a live stage has none of it.
 */
import { isSourceMisfortune, type Misfortune } from '../model/misfortune.ts';
import { adsAnswer } from '../sandbox/google-ads/answer.ts';
import { readPrefix } from '../sandbox/search.ts';
import { answer, type SandboxAnswer } from '../sandbox/sources/answer.ts';
import { misfortunes } from '../sandbox/sources/misfortunes.ts';
import { suggestSource } from '../sandbox/sources/suggest.ts';
import { trendsSource } from '../sandbox/sources/trends.ts';
import type { ProviderRequest } from './contract.ts';

/** A request that no double knows. */
const unknown = (): SandboxAnswer =>
  answer('text/html', '<title>Error 404 (Not Found)!!1</title>', { status: 404 });

/**
 * The answer to a request at the Unix time `now`. `misfortune` is the operator's for all requests; one in the
 * prefix of the words (`captcha: coffee`) wins. The misfortunes that only result pages have are ignored.
 */
export const sandboxAnswer = (
  request: ProviderRequest,
  misfortune: Misfortune | '',
  now: number,
): SandboxAnswer => {
  const ofAds = adsAnswer(request, now, misfortune || undefined);
  if (ofAds) return ofAds;
  const url = new URL(request.url);
  const source = suggestSource(url) ?? trendsSource(url, request.headers, now);
  if (!source) return unknown();
  const prefix = readPrefix(source.query);
  const ordered = prefix && isSourceMisfortune(prefix.name) ? prefix : null;
  const answers = source.answersTo(ordered?.rest ?? source.query);
  const name = ordered?.name ?? misfortune;
  const isMet = isSourceMisfortune(name) && (!source.isFollowUp || name === 'empty');
  return isMet ? misfortunes[name](answers) : answers.usual();
};
