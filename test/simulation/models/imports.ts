/** Users who import lists of keywords, and some who add the same keywords meanwhile. */
import type { Ledger, Tracked } from '../check/ledger.ts';
import type { Action } from '../plan/action.ts';
import { hashText } from '../world/random.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';

export type Owned = Pick<Tracked, 'user' | 'userId' | 'projectId' | 'domain'>;

export const place = { location_name: 'United States', iso_code: 'US', language_code: 'en' };

type Importing = Extract<Action, { kind: 'import' }>;

type Options = {
  world: World;
  ledger: Ledger;
  /** The API key of a user. */
  keyOf: (user: number) => { id: number; key: string };
  /** Repeats a request whose outcome is unknown. */
  until: (work: () => Promise<Reply>) => Promise<Reply>;
  /** In some worlds, ends all processes between these times after a request was sent (milliseconds). */
  crash: (path: string, leastMs: number, mostMs: number) => void;
  /** A keyword that the user tracks. */
  chosen: (action: Pick<Action, 'user' | 'at'>) => Pick<Owned, 'projectId' | 'domain'> | undefined;
  /** Notes the keywords that were added. */
  list: (owned: Owned, keywords: readonly string[]) => Promise<void>;
};

/** A request for an import writes it and adds its first keywords within these times. */
const firstCutMs = 30;
const lastCutMs = 150;

/** How often an import is looked at. */
const pollMs = 30_000;

/** A request for an import adds its first parts by then (milliseconds). */
const besideMs = 120;

export const newImports = ({ world, ledger, keyOf, until, crash, chosen, list }: Options) => {
  const { scheduler, ask } = world;

  /** Adds the keywords of an import with another request meanwhile, the last one first. */
  const addBeside = async (user: number, projectId: number, keywords: readonly string[]): Promise<void> => {
    const path = `/api/v1/projects/${projectId}/keywords`;
    await scheduler.sleep(20 + (hashText(`${path} beside`) % besideMs));
    const bodies = keywords.toReversed().map((keyword) => ({ keyword, ...place }));
    await until(() => ask(keyOf(user).key, 'POST', path, bodies));
  };

  /** The project of an import: one that the user has, or a new one. */
  const projectFor = async ({ user, at, domain, isShared }: Importing): Promise<Owned | undefined> => {
    const { id: userId, key } = keyOf(user);
    const own = isShared ? chosen({ user, at }) : undefined;
    if (own) return { user, userId, projectId: own.projectId, domain: own.domain };
    const body = { name: `import ${user}-${at}`, domain };
    const made = await until(() => ask(key, 'POST', '/api/v1/projects', body));
    return made.status === 200
      ? { user, userId, projectId: Number(made.body.project_id), domain }
      : undefined;
  };

  /** Waits for the end of an import, which shows the refused lines. Returns whether it has ended well. */
  const isImported = async (user: number, path: string, refused: number): Promise<boolean> => {
    for (let tries = 0; tries < 40; tries++) {
      const { status, body } = await ask(keyOf(user).key, 'GET', path);
      if (status === 200 && body.status !== 'running') {
        const lines = body.refused_lines as unknown[];
        if (lines.length !== refused)
          ledger.violate('imports add up', `${path} shows ${lines.length} refused lines of ${refused}`);
        return body.status === 'done';
      }
      if (status >= 400 && status < 500) return false;
      await scheduler.sleep(pollMs);
    }
    return false;
  };

  /** Imports a list with bad lines, and a line twice. Without a key, the same list is sent twice at once. */
  return async (action: Importing): Promise<void> => {
    const { user, at, keywords, isKeyed } = action;
    const owned = await projectFor(action);
    if (!owned) return;
    const { userId, projectId } = owned;
    const path = `/api/v1/projects/${projectId}/imports`;
    const bad = ['', ''];
    const texts = [...keywords, ...bad, String(keywords[0]).toUpperCase()];
    const body = texts.map((keyword) => ({ keyword, ...place }));
    const headers: Record<string, string> = isKeyed ? { 'Idempotency-Key': `import-${user}-${at}` } : {};
    const send = () => until(() => ask(keyOf(user).key, 'POST', `${path}?on_error=skip`, body, headers));
    crash(path, firstCutMs, lastCutMs);
    const beside =
      hashText(`${user} ${at} beside`) % 2 === 0 ? addBeside(user, projectId, keywords) : undefined;
    const replies = await Promise.all([send(), send()]);
    await beside;
    const accepted = replies.filter(({ status }) => status === 202);
    const ids = [...new Set(accepted.map((reply) => Number(reply.body.import_id)))];
    for (const importId of ids)
      ledger.imports.push({
        user,
        userId,
        projectId,
        importId,
        good: keywords,
        lines: texts.length,
        refused: bad.length,
      });
    if (isKeyed && ids.length > 1)
      ledger.violate('idempotency', `the key of an import began ${ids.join(' and ')}`);
    const [first] = ids;
    if (first !== undefined && (await isImported(user, `${path}/${first}`, bad.length)))
      await list(owned, keywords);
  };
};
