/** The sandbox in the place of a provider: the answer to a request, without a network. Imported on demand: a live stage has none of it. */
import type { Misfortune } from '../model/misfortune.ts';
import { type AdsAnswer, answerAds } from '../sandbox/google-ads/answer.ts';
import type { ProviderRequest } from './provider.ts';

export const sandboxAds = (
  request: ProviderRequest,
  now: number,
  misfortune: Misfortune | undefined,
): AdsAnswer => answerAds(request, now, misfortune);
