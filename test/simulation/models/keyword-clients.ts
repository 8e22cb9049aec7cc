/** Clients that ask for volumes of keywords, and for keyword data in the form of DataForSEO. */
import { mayFail } from '../check/end.ts';
import type { Ledger } from '../check/ledger.ts';
import type { Action, Search } from '../plan/action.ts';
import { askedTogether } from '../plan/live-calls.ts';
import type { Faults } from '../world/faults.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { Reply } from './clients.ts';
import { volumeOf } from './engines.ts';
import type { User } from './users.ts';

/** The pause before a live call is repeated: longer than another request can take. */
const repeatMs = 40_000;

/** All processes may end so long after a question was sent, while its source is asked. */
const lastCutMs = 1500;

/** How often the claim of another request can stand in the way, if faults end requests. */
const mostHeld = 3;

/** What a live call answers while another one asks the source the same. */
const isHeld = /same keywords|has not answered yet/;

type Options = {
  /** Sends a request that creates tasks. */
  create: (user: number, path: string, body: object, key?: string, headers?: object) => Promise<Reply>;
  /** Notes a task that was acknowledged. */
  ack: (user: number, body: Record<string, unknown>, search: Partial<Search>, kind: 'keyword') => void;
  userOf: (user: number) => User;
  hookOf: (user: number) => string;
  ledger: Ledger;
  scheduler: Scheduler;
  faults: Faults;
  /** Ends all processes. */
  crashAll: () => void;
  /** By how much clocks differ at most from the world's: the end of a claim is as late. */
  skewSeconds: number;
};

export const newKeywordClients = ({
  create,
  ack,
  userOf,
  hookOf,
  ledger,
  scheduler,
  faults,
  crashAll,
  skewSeconds,
}: Options) => {
  const { now, sleep } = scheduler;
  const volumes = async ({ user, keywords, hooked, market }: Extract<Action, { kind: 'volumes' }>) => {
    const bodies = keywords.map((key) => ({
      key,
      loc_id: market.location,
      ...(hooked && { postback_url: hookOf(user) }),
    }));
    const reply = await create(user, '/api/v1/keyword-sv', bodies);
    if (reply.status !== 200) return;
    for (const [n, task] of (reply.body as unknown as Record<string, unknown>[]).entries())
      ack(user, task, { keyword: keywords[n] ?? '', hooked }, 'keyword');
  };
  const keywordData = async (action: Extract<Action, { kind: 'keyword data' }>) => {
    const { user, keywords, name, webhook, language } = action;
    const { id, key } = userOf(user);
    const hook = `${hookOf(user)}?id=$id`;
    const about = { location_code: 2840, ...(language && { language_code: language }) };
    const task = { keywords, ...about, ...(webhook !== 'none' && { [webhook]: hook }) };
    const path = `/compat/dataforseo/v3/keywords_data/google_ads/${name}/task_post`;
    const Authorization = `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`;
    const { status, body } = await create(user, path, [task], undefined, { Authorization });
    const [made] = (status === 200 && (body.tasks as { id: string; status_code: number }[] | null)) || [];
    if (made?.status_code !== 20100) return;
    // The first half of the id is that of the task.
    const number = Number.parseInt(made.id.replaceAll('-', '').slice(0, 16), 16);
    const search = { keyword: keywords[0] ?? '', hooked: webhook !== 'none' };
    ack(user, { id: number, user_id: id }, search, 'keyword');
    const acked = ledger.acked.find((each) => each.id === number && each.userId === id);
    if (acked) acked.form = { name, webhook, id: made.id };
  };
  /**
   * Repeats a live call that fails. Another request that looks the same keywords up ends, or its claim of the
   * question does: it does not stand in the way for minutes.
   */
  const askAgain = async (ask: () => Promise<Reply>): Promise<Reply> => {
    let held = 0;
    const most = mostHeld + Math.ceil((2 * skewSeconds * 1000) / repeatMs);
    for (let tries = 1; ; tries++) {
      const reply = await ask();
      if (reply.status === 503 && isHeld.test(String(reply.body.detail))) held += 1;
      if (held > most)
        ledger.violate(
          'claims of questions end',
          `a live call was refused ${held} times, because another one asks the same`,
        );
      if (reply.status < 500 || tries > most + 1) return reply;
      await sleep(repeatMs);
    }
  };
  const mayCrash = (path: string): void => {
    if (faults.strikes('crash during a question', path))
      scheduler.after(faults.amount('crash during a question', lastCutMs), crashAll);
  };
  /** A question that its source has failed is asked again by the next request. */
  const askTwice = async (user: number, keywords: readonly string[]): Promise<void> => {
    const from = now();
    const asked = { keywords, location_code: 2840 };
    const send = () => create(user, '/api/v1/keyword-sv/live', asked);
    const [first, second] = [await send(), await send()];
    const isQuiet = faults.struck().every(({ at }) => at < from - repeatMs);
    if (first.status === 502 && isQuiet && isHeld.test(String(second.body.detail)))
      ledger.violate(
        'claims of questions end',
        `a live call about ${keywords[0]} is refused after a failed one`,
      );
  };
  /** Asks for the same keywords in one language after another, while the user waits. */
  const liveVolumes = async (action: Extract<Action, { kind: 'live volumes' }>): Promise<void> => {
    const { user, keywords, languages } = action;
    if (action.isFailing) return askTwice(user, keywords);
    if (keywords.some((keyword) => keyword.endsWith(askedTogether))) mayCrash('keyword-sv/live');
    for (const language of languages) {
      const asked = { keywords, location_code: 2840, ...(language && { language_code: language }) };
      const reply = await askAgain(() => create(user, '/api/v1/keyword-sv/live', asked));
      if (reply.status !== 200) continue;
      const results = reply.body.results as { key: string; sv: number }[];
      for (const [n, keyword] of keywords.entries()) {
        const right = volumeOf(keyword, 2840, now() / 1000, language);
        if (!mayFail.test(keyword) && (results[n]?.key !== keyword || results[n]?.sv !== right))
          ledger.violate(
            'volumes are those of the keyword',
            `a live call says ${results[n]?.sv} for ${keyword} (${language}), and the source ${right}`,
          );
      }
    }
  };
  const liveSuggestions = async ({ user, keyword }: Extract<Action, { kind: 'live suggestions' }>) => {
    mayCrash('suggest/live');
    const asked = { keyword, location_name: 'United States', iso_code: 'US' };
    const { status, body } = await askAgain(() =>
      create(user, '/api/v1/keyword-research/suggest/live', asked),
    );
    const texts = (body.suggestions ?? []) as string[];
    if (status === 200 && (texts.length === 0 || !texts.every((text) => text.startsWith(keyword))))
      ledger.violate('answers fit their questions', `suggestions of ${keyword} are ${texts.join(', ')}`);
  };
  return { volumes, keywordData, liveVolumes, liveSuggestions };
};
