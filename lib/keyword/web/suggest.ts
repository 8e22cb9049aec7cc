/** Suggestions of an engine, live. */
import { setTimeout as sleep } from 'node:timers/promises';
import { whileWaiting } from '../../access/wait-slot.ts';
import { engines } from '../../model/engine.ts';
import type { SuggestRequest } from '../../model/suggest.ts';
import type { Account } from '../../model/user.ts';
import { recordCall, takeCallTurns } from '../../pace/source-turn.ts';
import { isRefusedNow } from '../../provider/contract.ts';
import { isAccepted } from '../../runtime/back-pressure.ts';
import { clockMs } from '../../runtime/clock.ts';
import { callSource } from './call-source.ts';
import { newConversation } from './conversation.ts';
import { requireValue } from './fault-response.ts';
import { type Hold, type SharedAnswer, shareAnswer } from './share-answer.ts';
import { callRate, lineOf, suggestionsOf, suggestSource } from './source.ts';

/** A source answers in a fraction of a second, or not at all. */
const deadlineSeconds = 10;

/**
 * What the engine suggests. An empty list is the source's own answer. `hold` runs what may wait.
 * @throws HttpError 502 if the source gave no list, 503 if it may give one later; 429 and 503 as
 * `whileWaiting`.
 */
export const suggest = (
  user: Account,
  { keyword, iso_code, language_code, engine_name }: SuggestRequest,
  hold: Hold = (run) => whileWaiting(user, run),
): Promise<SharedAnswer<string[]>> => {
  const provider = suggestSource();
  const source = suggestionsOf(engine_name);
  const asked = { keyword, iso_code, language_code, engine_name };
  const { url, body = '' } = provider.request(asked);
  const ask = async (seconds: number) => {
    const turn = await takeCallTurns(lineOf(source), callRate(source), 1);
    const begun = clockMs();
    await sleep(Math.max(0, turn.at * 1000 - begun));
    const left = seconds - (clockMs() - begun) / 1000;
    const conversation = newConversation({ source, isoCode: iso_code, language: language_code ?? '' });
    const read = await callSource(conversation, provider, asked, Math.min(deadlineSeconds, left) * 1000);
    await isAccepted(recordCall(turn, !read.ok && isRefusedNow(read)));
    return requireValue(`${provider.data} of ${engines[engine_name].title}`, read);
  };
  return shareAnswer(source, [url, body], ask, hold);
};
