/** Suggestions of an engine, live. */
import { setTimeout as sleep } from 'node:timers/promises';
import { engines } from '../../model/engine.ts';
import type { SuggestRequest } from '../../model/suggest.ts';
import { recordCall, takeCallTurns } from '../../pace/source-turn.ts';
import { suggestProviders } from '../../provider/suggest.ts';
import { isAccepted } from '../../runtime/back-pressure.ts';
import { clockMs } from '../../runtime/clock.ts';
import { callSource, newConversation } from './call-source.ts';
import { type SharedAnswer, shareAnswer } from './share-answer.ts';
import { callRate, lineOf, type Source } from './source.ts';
import { answerOf } from './source-failure.ts';

/** A source answers in a fraction of a second, or not at all. */
const deadlineSeconds = 10;

/**
 * What the engine suggests. An empty list is the engine's own answer.
 * @throws HttpError 502 if the engine gave no list, 503 if it may give one later.
 */
export const suggest = ({
  keyword,
  iso_code,
  language_code,
  engine_name,
}: SuggestRequest): Promise<SharedAnswer<string[]>> => {
  const source: Source = { name: 'suggest', engine: engine_name };
  const provider = suggestProviders[engine_name];
  const asked = { keyword, iso_code, language_code };
  return shareAnswer(source, provider.request(asked).url, async (seconds) => {
    const turn = await takeCallTurns(lineOf(source), callRate(source), 1);
    const begun = clockMs();
    await sleep(Math.max(0, turn.at * 1000 - begun));
    const left = seconds - (clockMs() - begun) / 1000;
    const conversation = newConversation({ source, isoCode: iso_code, language: language_code ?? '' });
    const result = await callSource(conversation, provider, asked, Math.min(deadlineSeconds, left) * 1000);
    await isAccepted(recordCall(turn, result.outcome === 'blocked' || result.outcome === 'throttled'));
    return answerOf(`suggestions of ${engines[engine_name].title}`, result);
  });
};
