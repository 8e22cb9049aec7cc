/**
 * Users who ask for suggestions, trends and ideas. Two of them ask the same question at once, and come back
 * when its answer is too old.
 */
import { finals } from '../check/end.ts';
import type { Ledger } from '../check/ledger.ts';
import { phrases } from '../plan/action.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';

type Options = {
  world: World;
  ledger: Ledger;
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
  /** By how much the age of an answer can be wrong (seconds). */
  skewSeconds: number;
};

/** An answer of a source is used for an hour: the default of `SUGGEST_CACHE` and `TRENDS_CACHE`. */
const keptSeconds = 3600;

/** A volume is used for a day: the default of `METRICS_HOURS`. */
const volumeSeconds = 24 * keptSeconds;

const apartMs = 100;

/** Each request that comes after another one that the source has failed asks the source again. */
const failing = `http_500: ${phrases[0]}`;

const place = { location_name: 'United States', iso_code: 'US' };

const paths = {
  suggestions: '/api/v1/keyword-research/suggest/live',
  trends: '/api/v1/keyword-research/trends/live',
  ideas: '/api/v1/keyword-research/ideas',
};

/** What an answer says, as texts that begin with the words that were asked for. */
const textsOf = ({ body }: Reply): string[] => {
  const { top = [] } = (body.related_queries ?? {}) as { top?: { query: string }[] };
  return [...((body.suggestions ?? []) as string[]), ...top.map(({ query }) => query)];
};

export const newResearchers = ({ world, ledger, until, skewSeconds }: Options) => {
  const { scheduler, ask } = world;

  const question = async (key: string, what: 'suggestions' | 'trends', keyword: string, language = 'en') => {
    const body = { keyword, ...place, language_code: language };
    const reply = await ask(key, 'POST', paths[what], body);
    if (reply.status !== 200) return undefined;
    const texts = textsOf(reply);
    if (texts.length === 0 || !texts.every((text) => text.startsWith(keyword)))
      ledger.violate('answers fit their questions', `${what} of ${keyword} are ${texts.join(', ')}`);
    if (Number(reply.headers.age) > keptSeconds + skewSeconds)
      ledger.violate('old answers are not used', `${what} of ${keyword} are ${reply.headers.age} s old`);
    return texts.join();
  };

  /** Two users ask the same at once, and each then something else. */
  const together = async (one: string, other: string, what: 'suggestions' | 'trends'): Promise<void> => {
    const later = scheduler.sleep(apartMs).then(() => question(other, what, phrases[0] ?? ''));
    const [first, second] = await Promise.all([question(one, what, phrases[0] ?? ''), later]);
    if (first !== undefined && second !== undefined && first !== second)
      ledger.violate('answers fit their questions', `two users get the ${what} ${first} and ${second}`);
    await question(one, what, phrases[1] ?? '');
    const german = await question(other, what, phrases[1] ?? '', 'de');
    if (
      what === 'suggestions' &&
      german !== undefined &&
      german === (await question(one, what, phrases[1] ?? ''))
    )
      ledger.violate('answers fit their questions', `the ${what} of two languages are ${german}`);
  };

  /** Requests that waited for a call that failed get its error. A later request makes a new call. */
  const failTwice = async (one: string, other: string): Promise<void> => {
    const before = ledger.failedQuestions;
    const body = { keyword: failing, ...place };
    const replies = [
      await ask(one, 'POST', paths.suggestions, body),
      await ask(other, 'POST', paths.suggestions, body),
    ];
    if (replies.some(({ status }) => status === 200))
      ledger.violate('answers fit their questions', 'a source that fails has given suggestions');
    // The answer of the gateway for a process that ended says nothing of the source.
    const areOfSource = replies.every(({ status, body }) => status === 502 && body.detail !== undefined);
    if (areOfSource && ledger.failedQuestions - before < replies.length)
      ledger.violate('failures are not kept', 'a source is not asked again after it has failed');
  };

  /** Asks for ideas. Returns the path of the task. */
  const askForIdeas = async (key: string): Promise<string | undefined> => {
    const { status, body } = await ask(key, 'POST', paths.ideas, { keywords: phrases.slice(0, 2) });
    return status === 200 ? `${paths.ideas}/${body.id}` : undefined;
  };

  /** Volumes are used for as many hours as the setting says, and no longer. */
  const askForVolumes = async (key: string): Promise<void> => {
    const body = { keywords: phrases, location_code: 2840, language_code: 'en' };
    const { headers } = await ask(key, 'POST', '/api/v1/keyword-sv/live', body);
    if (Number(headers.age) > volumeSeconds + skewSeconds)
      ledger.violate('old answers are not used', `volumes are ${headers.age} s old`);
  };

  /** The task has ended. Its user can read it, and another user cannot. */
  const readIdeas = async (one: string, other: string, path: string): Promise<void> => {
    const { status, body } = await until(() => ask(one, 'GET', path));
    if (status === 200 && !finals.includes(String(body.status)))
      ledger.violate('tasks end', `the ideas at ${path} are still ${body.status}`);
    if (body.status === 'success' && (body.results as unknown[]).length === 0)
      ledger.violate('answers fit their questions', `there are no ideas at ${path}`);
    if ((await until(() => ask(other, 'GET', path))).status === 200)
      ledger.violate('access', `${path} was shown to another user`);
  };

  const askForSuggestions = (one: string, other: string) => together(one, other, 'suggestions');

  /** Asks everything once. */
  const research = async (one: string, other: string): Promise<void> => {
    await askForSuggestions(one, other);
    await together(one, other, 'trends');
    await failTwice(one, other);
  };

  return { research, askForSuggestions, askForIdeas, askForVolumes, readIdeas };
};
