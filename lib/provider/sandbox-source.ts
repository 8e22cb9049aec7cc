/** The sandbox as a source of suggestions and trends: it answers a request as the real source does, in the same format. */
import { isSourceMisfortune } from '../model/misfortune.ts';
import type { SourceRequest } from '../model/source.ts';
import { preciseClock } from '../runtime/clock.ts';
import { readPrefix } from '../sandbox/search.ts';
import { answer, type SandboxAnswer } from '../sandbox/sources/answer.ts';
import { misfortunes } from '../sandbox/sources/misfortunes.ts';
import { suggestSource } from '../sandbox/sources/suggest.ts';
import { trendsSource } from '../sandbox/sources/trends.ts';

/**
 * The answer to a request. `misfortune` is the operator's for all queries; one in the prefix of the words (`captcha: coffee`) wins. The
 * misfortunes that only result pages have are ignored.
 */
export const sandboxSource = (
  { url: address, headers }: SourceRequest,
  misfortune: string,
  now = preciseClock(),
): SandboxAnswer => {
  const url = new URL(address);
  const source = suggestSource(url) ?? trendsSource(url, headers, now);
  if (!source) return answer('text/html', '<title>Error 404 (Not Found)!!1</title>', { status: 404 });
  const prefix = readPrefix(source.query);
  const ordered = prefix && isSourceMisfortune(prefix.name) ? prefix : null;
  const answers = source.answersTo(ordered?.rest ?? source.query);
  const name = ordered?.name ?? misfortune;
  const isMet = isSourceMisfortune(name) && (!source.isFollowUp || name === 'empty');
  return isMet ? misfortunes[name](answers) : answers.usual();
};
