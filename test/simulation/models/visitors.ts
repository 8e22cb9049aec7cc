/**
 * A further user with a token, a session at the console, a search key, and links to a chart and a report that
 * need no key. What the user ends works no more, nor does what is over. And a guest, who has none of it.
 */
import type { Ledger } from '../check/ledger.ts';
import type { Action } from '../plan/action.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';
import { newPageLimits } from './page-limits.ts';
import { newResearchers } from './researchers.ts';

type Options = {
  world: World;
  ledger: Ledger;
  adminKey: () => string;
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
  /** By how much clocks differ from that of the world at most. */
  skewSeconds: number;
};

type Account = { id: number; key: string };

const minute = 60_000;

/** An index shows a write up to 20 s late. */
const indexMs = 30_000;

/** A token works for an hour (Reading 24), and a session of the console for half a day. */
const tokenMs = 60 * minute;
const sessionMs = 12 * tokenMs;

/** How often the console makes its session longer. */
const renewalMs = 45 * minute;

/** Seconds for which what is replaced goes on. */
const graceSeconds = 1200;
const shortGraceSeconds = 30;

const rotationsApartMs = 8;

/** Keywords of the project of a visitor. */
const visitedKeywords = 6;

const me = '/api/v1/users/me';

const pathOf = (url: unknown): string => new URL(String(url)).pathname;

export const newVisitors = ({ world, ledger, adminKey, until, skewSeconds }: Options) => {
  const { scheduler, ask } = world;
  const { sleep } = scheduler;

  /** Two processes may have wrong clocks, and requests take some time. */
  const marginMs = 4 * minute + 2000 * skewSeconds;

  const { research, askForSuggestions, askForIdeas, askForVolumes, readIdeas } = newResearchers({
    world,
    ledger,
    until,
    skewSeconds: 2 * skewSeconds,
  });

  const send = (key: string, method: string, path: string, body?: object | string, headers = {}) =>
    until(() => ask(key, method, path, body, headers));

  const { crawlToLimit, exceedPages } = newPageLimits({
    world,
    ledger,
    setLimit: (id, rate_limit) => send(adminKey(), 'PATCH', `/api/v1/admin/users/${id}`, { rate_limit }),
    isOnTime: skewSeconds === 0,
  });

  /** What a request must find. An answer that is not known, after faults, says nothing. */
  const expect = async (what: string, must: 'work' | 'be refused', asking: Promise<Reply>): Promise<void> => {
    const { status } = await asking;
    if (status < 500 && status < 400 !== (must === 'work'))
      ledger.violate('access', `${what} must ${must}, and answers ${status}`);
  };
  const works = (what: string, key: string, path: string) => expect(what, 'work', send(key, 'GET', path));
  const fails = (what: string, key: string, path: string) =>
    expect(what, 'be refused', send(key, 'GET', path));

  const newUser = async (name: string): Promise<Account | undefined> => {
    const { status, body } = await send(adminKey(), 'POST', '/api/v1/users', { name });
    return status === 200 ? { id: Number(body.id), key: String(body.api_key) } : undefined;
  };

  const tokenFor = async ({ id, key }: Account): Promise<string> => {
    const form = new URLSearchParams({ grant_type: 'password', username: String(id), password: key });
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status, body } = await send('', 'POST', '/token', String(form), type);
    if (status >= 400 && status < 500) ledger.violate('access', `a token is refused with ${status}`);
    return String(body.access_token);
  };

  /** The console: it opens a session with a key, or makes the one of a cookie longer. */
  const openSession = (body: object, cookie = '') =>
    send('', 'POST', '/session', body, { 'x-console': '1', cookie });
  const cookieOf = ({ headers }: Reply): string => (headers['Set-Cookie'] ?? '').split(';')[0] ?? '';
  const isSignedIn = async (cookie: string): Promise<boolean | undefined> => {
    const { status, body } = await send('', 'GET', '/session', undefined, { 'x-console': '1', cookie });
    return status === 200 ? body.user !== null : undefined;
  };
  const expectSession = async (must: boolean, cookie: string, when: string): Promise<void> => {
    if ((await isSignedIn(cookie)) === !must)
      ledger.violate('access', `a session is ${must ? 'not there' : 'there'} ${when}`);
  };

  /** The guest reads, changes and deletes what is another user's. */
  const trespass = async (guest: Account, project: string, keywordId: number, noteId: number) => {
    const reads = 'keywords notes tags visibility overview cost export compare'.split(' ');
    for (const read of [...reads, `keywords/${keywordId}`])
      await fails('a project of another user', guest.key, `${project}/${read}`);
    await fails('a project of another user', guest.key, project);
    const writes = [
      ['PATCH', `${project}/notes/${noteId}`, { text: 'of a guest' }],
      ['DELETE', `${project}/notes/${noteId}`, undefined],
      ['POST', `${project}/report-link`, { days: 1 }],
      ['PATCH', `${project}/keywords/${keywordId}`, { paused: true }],
    ] as const;
    for (const [method, path, body] of writes)
      await expect('a write to a project of another user', 'be refused', send(guest.key, method, path, body));
  };

  /** Makes links, ends them, and makes new ones. Returns those that work. */
  const replaceLinks = async (key: string, project: string, keywordId: number): Promise<string[]> => {
    const keyword = `${project}/keywords/${keywordId}`;
    const shown = await send(key, 'GET', keyword);
    const linked = await send(key, 'POST', `${project}/report-link`, { days: 2 });
    const changed = await send(key, 'PATCH', keyword, { new_chart_url: true });
    const relinked = await send(key, 'POST', `${project}/report-link`, { days: 2, end_former: true });
    if ([shown, linked, changed, relinked].some(({ status }) => status >= 400)) return [];
    await fails('a link to a chart that was ended', '', pathOf(shown.body.chart_url));
    await fails('a link to a report that was ended', '', pathOf(linked.body.report_url));
    return [pathOf(changed.body.chart_url), pathOf(relinked.body.report_url)];
  };

  /** A project with keywords and a note, and links to it. */
  const tryProject = async (visitor: Account, guest: Account): Promise<void> => {
    const { key } = visitor;
    const made = await send(key, 'POST', '/api/v1/projects', { name: 'visited', domain: 'acme.example' });
    if (made.status !== 200) return;
    const project = `/api/v1/projects/${made.body.project_id}`;
    const place = { location_name: 'United States', iso_code: 'US' };
    const bodies = Array.from({ length: visitedKeywords }, (_, n) => ({ keyword: `visited ${n}`, ...place }));
    const added = await send(key, 'POST', `${project}/keywords`, bodies);
    const noted = await send(key, 'POST', `${project}/notes`, { date: '2026-11-02', text: 'of its owner' });
    const [keywordId] = (added.body.keyword_ids ?? []) as number[];
    if (keywordId === undefined || noted.status !== 200) return;
    await trespass(guest, project, keywordId, Number(noted.body.note_id));
    const links = await replaceLinks(key, project, keywordId);
    for (const link of links) await works('a link', '', link);
    const { status, body } = await send(key, 'GET', `${project}/notes`);
    const texts = ((body.data ?? []) as { text: string }[]).map(({ text }) => text);
    if (status === 200 && !texts.every((text) => text === 'of its owner'))
      ledger.violate('access', `a note of another user was changed: ${texts.join(', ')}`);
    await crawlToLimit(visitor, Number(made.body.project_id));
    if ((await send(key, 'DELETE', project)).status >= 400) return;
    for (const link of links) await fails('a link to a deleted project', '', link);
  };

  const trySearchKey = async ({ key }: Account): Promise<void> => {
    const path = `${me}/search-keys`;
    const made = await send(key, 'POST', path);
    if (made.status !== 200) return;
    const config = `/compat/searxng/${made.body.key}/config`;
    await works('a search key', '', config);
    if ((await send(key, 'DELETE', path)).status < 400)
      await fails('a search key that was ended', '', config);
  };

  const rotated = (key: string, what: string, grace: number) =>
    ask(key, 'POST', `${me}/${what}/rotate?grace=${grace}`);

  /**
   * Two requests replace a key at once: one of them does. Until the former key ends, no other one may take
   * its place. Undefined if an answer is lost, which would have the new key.
   */
  const replaceTogether = async ({ id, key }: Account): Promise<Account | undefined> => {
    const second = sleep(rotationsApartMs).then(() => rotated(key, 'api-key', graceSeconds));
    const replies = await Promise.all([rotated(key, 'api-key', graceSeconds), second]);
    if (replies.some(({ status }) => status >= 500)) return undefined;
    const [made, ...others] = replies.filter(({ status }) => status === 200);
    if (others.length > 0) ledger.violate('access', 'two requests at once have replaced one key');
    if (!made) return undefined;
    const renewed = { id, key: String(made.body.api_key) };
    await sleep(indexMs);
    await works('a former key', key, me);
    const early = rotated(renewed.key, 'api-key', graceSeconds);
    await expect('the replacement of a key whose former one works', 'be refused', early);
    return renewed;
  };

  /** A key whose former one has ended is replaced again. Undefined if the answer is lost. */
  const replaceOnceMore = async ({ id, key }: Account): Promise<Account | undefined> => {
    const { status, body } = await rotated(key, 'api-key', graceSeconds);
    if (status >= 400 && status < 500)
      ledger.violate(
        'access',
        `the replacement of a key whose former one has ended is refused with ${status}`,
      );
    await sleep(indexMs);
    return status === 200 ? { id, key: String(body.api_key) } : undefined;
  };

  /** A token and a session end with the key that they were made with. Returns the new key. */
  const replaceKey = async (visitor: Account): Promise<Account | undefined> => {
    const token = await tokenFor(visitor);
    const cookie = cookieOf(await openSession({ key: visitor.key }));
    await works('a token', token, me);
    if (cookie !== '') await expectSession(true, cookie, 'after its beginning');
    const renewed = await replaceTogether(visitor);
    if (!renewed) return undefined;
    await works('a token of a former key', token, me);
    const { status, body } = await rotated(renewed.key, 'api-key', 0);
    if (status !== 200) return undefined;
    await sleep(indexMs);
    await fails('a former key', visitor.key, me);
    await fails('a token of a replaced key', token, me);
    if (cookie !== '') await expectSession(false, cookie, 'after its key was replaced');
    return replaceOnceMore({ id: visitor.id, key: String(body.api_key) });
  };

  /** Each replacement of a secret sets when the former one ends; the end of an earlier one does not stay. */
  const replaceSecrets = async ({ key }: Account): Promise<void> => {
    if (skewSeconds > 0) return;
    if ((await rotated(key, 'webhook-secret', shortGraceSeconds)).status !== 200) return;
    await sleep(1000 * shortGraceSeconds + marginMs);
    const { status, body } = await rotated(key, 'webhook-secret', graceSeconds);
    const end = scheduler.now() / 1000 + graceSeconds;
    if (status === 200 && !(Number(body.former_until) > end - marginMs / 1000))
      ledger.violate('access', `a former secret signs until ${body.former_until}, not ${end}`);
  };

  /** A token is over after an hour. */
  const outliveToken = async (visitor: Account): Promise<void> => {
    const token = await tokenFor(visitor);
    await sleep(tokenMs - marginMs);
    await works('a token', token, me);
    await sleep(2 * marginMs);
    await fails('a token that is over', token, me);
  };

  /** The console makes its session longer until half a day is over. */
  const outliveSession = async ({ key }: Account): Promise<void> => {
    const from = scheduler.now();
    let cookie = cookieOf(await openSession({ key }));
    for (let isOver = cookie === ''; !isOver; ) {
      await sleep(renewalMs);
      const age = scheduler.now() - from;
      const reply = await openSession({}, cookie);
      isOver = reply.status >= 400;
      if (isOver && reply.status < 500 && age < sessionMs - marginMs)
        ledger.violate('access', `a session ends after ${Math.round(age / minute)} minutes`);
      if (!isOver && age > sessionMs + marginMs) {
        ledger.violate('access', `a session is made longer after ${Math.round(age / minute)} minutes`);
        return;
      }
      if (!isOver) cookie = cookieOf(reply);
    }
  };

  const visit = async ({ lasts }: Extract<Action, { kind: 'visit' }>): Promise<void> => {
    const visitor = await newUser('visitor');
    const guest = await newUser('guest');
    if (!visitor || !guest) return;
    await sleep(indexMs);
    const ideas = await askForIdeas(visitor.key);
    await askForVolumes(guest.key);
    await research(visitor.key, guest.key);
    await tryProject(visitor, guest);
    await trySearchKey(visitor);
    await replaceSecrets(visitor);
    const renewed = await replaceKey(visitor);
    if (!renewed) return;
    if (lasts !== 'minutes') {
      await outliveToken(renewed);
      await askForSuggestions(guest.key, renewed.key);
      if (ideas) await readIdeas(renewed.key, guest.key, ideas);
    }
    if (lasts === 'a session') {
      await exceedPages(renewed);
      await outliveSession(renewed);
      await sleep(sessionMs);
      await askForVolumes(guest.key);
    }
    const token = await tokenFor(renewed);
    const path = `/api/v1/admin/users/${visitor.id}`;
    if ((await send(adminKey(), 'PATCH', path, { enabled: false })).status !== 200) return;
    await sleep(indexMs);
    await fails('the token of a disabled user', token, me);
  };
  return { visit };
};
