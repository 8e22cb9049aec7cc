/** Rules about the export of a user at the end: it has all that is stored of the user, once. */
import type { User, Users } from '../models/users.ts';
import type { World } from '../world/world.ts';
import { chunkOf } from './alerts.ts';
import type { Row } from './end.ts';
import type { Ledger } from './ledger.ts';
import { isListed } from './lists.ts';

const minute = 60_000;

type Line = { kind: string; data: Record<string, unknown> };

/** What is stored of a user, by the kind of its line: the name of each thing. */
type Named = Record<string, string[]>;

const textsOf = (values: readonly unknown[]): string[] => values.map(String).sort();

/** The name of what a line is about. */
const nameOf = ({ kind, data }: Line): string =>
  ({
    project: data.project_id,
    import: data.import_id,
    keyword: data.keyword_id,
    position: `${data.keyword_id} ${data.created_at}`,
    gap: `${data.keyword_id} ${data.created_at}`,
    'parked webhook': data.delivery,
    note: data.note_id,
  })[kind] as string;

/** The notes of a project, as lines of their own. */
const notesIn = ({ kind, data }: Line): Line[] =>
  kind === 'project' ? (data.notes as Line['data'][]).map((note) => ({ kind: 'note', data: note })) : [];

/** What the tables and the bucket have of a user. */
const storedOf = ({ tables, objects, name }: World, id: number): Named => {
  const rows = tables.all(name('TRACKING_TABLE'));
  const own = rows.filter((row) => row.pk === `user#${id}`);
  const ids = (pattern: RegExp): string[] =>
    own.flatMap(({ sk }) => pattern.exec(String(sk))?.[1] ?? []).map((text) => String(Number(text)));
  const projects = ids(/^project#0*(\d+)$/);
  const ofProjects = rows.filter(({ pk }) => projects.some((each) => pk === `project#${each}`));
  const keywords = ofProjects.flatMap(chunkOf).map(({ keyword_id }) => String(keyword_id));
  const history = rows.filter(({ pk }) => keywords.some((each) => pk === `keyword#${each}`));
  const entries = (isWanted: (row: Row) => boolean): string[] =>
    history.filter(isWanted).map(({ pk, at }) => `${String(pk).slice('keyword#'.length)} ${at}`);
  return {
    project: projects,
    keyword: keywords,
    import: ofProjects
      .filter(({ import_id, status }) => import_id && status)
      .map(({ import_id }) => String(import_id)),
    position: entries(({ reason }) => reason === undefined),
    gap: entries(({ reason }) => reason !== undefined),
    note: ofProjects.filter(({ note_id }) => note_id).map(({ note_id }) => String(note_id)),
    'parked webhook': objects
      .keys()
      .filter((key) => key.startsWith(`deliveries/${id}/`))
      .map((key) => /([^/]+)\.json$/.exec(key)?.[1] ?? ''),
  };
};

/** The number of hex digits of its hash that show which key it is. */
const hintLength = 8;

/** No export has a key, or what a key could be recognised by. */
const checkKeys = (
  { tables, name }: World,
  ledger: Ledger,
  { id, key }: User,
  lines: readonly Line[],
): void => {
  const account = tables.all(name('USERS_TABLE')).find((row) => row.id === id);
  const hints = [account?.key_hash, account?.other_key_hash].flatMap((hash) =>
    hash ? [String(hash).slice(0, hintLength)] : [],
  );
  const told = [key, ...hints].find((text) => JSON.stringify(lines).includes(text));
  if (told) ledger.violate('exports tell no keys', `the export of user ${id} has ${told}`);
};

/** The export of a user has all of its tasks, projects, keywords, their history, and parked webhooks. */
export const checkExport = async (world: World, ledger: Ledger, users: Users): Promise<void> => {
  const listed = ledger.acked.filter((task) => isListed(world, ledger, task));
  const trackers = listed.filter(({ user }) => ledger.tracked.some((each) => each.user === user));
  const user = (trackers.at(-1) ?? listed.at(-1))?.user;
  if (user === undefined) return;
  const owner = users.userOf(user);
  const { id } = owner;
  const read = world.exports().exportUser as unknown as (id: number, url: string) => AsyncGenerator<Line>;
  const check = async (): Promise<void> => {
    const lines: Line[] = [];
    for await (const line of read(id, 'https://api.example.com')) lines.push(line, ...notesIn(line));
    checkKeys(world, ledger, owner, lines);
    const known = new Set(lines.map(({ data }) => Number(data.batch_id ?? data.id)));
    const missing = listed.find((task) => task.user === user && !known.has(task.id));
    if (missing) ledger.violate('exports are complete', `the export of user ${id} lacks ${missing.id}`);
    for (const [kind, names] of Object.entries(storedOf(world, id))) {
      const told = textsOf(lines.filter((line) => line.kind === kind).map(nameOf));
      if (told.join() !== textsOf(names).join())
        ledger.violate(
          'exports are complete',
          `the export of user ${id} has ${told.length} lines about a ${kind}, and ${names.length} are stored`,
        );
    }
  };
  void check();
  await world.scheduler.runUntil(world.scheduler.now() + minute);
};
