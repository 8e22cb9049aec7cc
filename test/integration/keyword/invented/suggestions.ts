/**
 * An invented source of suggestions: one host for all engines, which is asked with a POST and answers lines.
 */
import type { SuggestSource } from '../../../../lib/provider/contract.ts';
import { malformed, refusalOf } from '../../../../lib/provider/refusal.ts';

export const inventedSuggestions: SuggestSource = {
  name: 'invented',
  data: 'suggestions',
  request: ({ keyword, engine_name, iso_code }) => ({
    method: 'POST',
    url: 'https://suggestions.example/suggest',
    headers: { 'content-type': 'text/plain' },
    body: [engine_name, iso_code, keyword].join('\n'),
  }),
  read: (answer) => {
    const refusal = refusalOf(answer);
    if (refusal) return refusal;
    const [first, ...lines] = answer.body.split('\n');
    return first === 'suggestions'
      ? { ok: true, value: lines }
      : malformed('the answer is not a list of lines');
  },
};
