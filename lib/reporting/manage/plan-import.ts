/** What an import is to add to its project, and the room that the project has for it. */
import { setTimeout } from 'node:timers/promises';
import { sitesOf } from '../../model/engine.ts';
import { HttpError, type ValidationError } from '../../model/http-error.ts';
import type { ImportQuery, RefusedLine } from '../../model/keyword-import.ts';
import { maxProjectKeywords } from '../../model/request-limits.ts';
import type { KeywordRequest } from '../../model/tracked-keyword.ts';
import type { Project } from '../../model/tracking.ts';
import { calendar } from '../../runtime/calendar.ts';
import { clock } from '../../runtime/clock.ts';
import { readPresentChunks } from '../../store/chunks.ts';
import { dropClaim, putClaim, readClaimed } from '../../store/import-claims.ts';
import type { ImportedKeyword } from '../../store/keyword-imports.ts';
import { identityOf, newKeyword } from '../new-keyword.ts';
import { tooMany } from '../write-keywords.ts';
import { matchPlaces, placeKey, warningsOf } from './add-keywords.ts';
import { costOf } from './keyword-cost.ts';

/** The lines of a file. `errors`: those of the refused lines, as a 422 has them. */
export type Lines = {
  accepted: readonly { row: number; place: number; request: KeywordRequest }[];
  refused: readonly RefusedLine[];
  errors: readonly ValidationError[];
};

const inOrder = (refused: readonly RefusedLine[]): RefusedLine[] => refused.toSorted((a, b) => a.row - b.row);

/** Refuses the lines that need the domain of the project, if their engine cannot track it. */
export const withDomainErrors = ({ accepted, refused, errors }: Lines, { domain }: Project): Lines => {
  const bad = accepted.flatMap(({ row, place, request }) => {
    const { isSite, noun } = sitesOf(request.engine);
    if (request.domain || isSite(domain)) return [];
    return [
      { row, place, column: 'domain', message: `domain is missing, and that of the project is not ${noun}` },
    ];
  });
  const rows = new Set(bad.map(({ row }) => row));
  const found = bad.map(({ place, column, message }) => ({
    loc: ['body', place, column],
    type: 'value_error',
    msg: message,
  }));
  return {
    accepted: accepted.filter(({ row }) => !rows.has(row)),
    refused: inOrder([...refused, ...bad.map(({ place: _, ...line }) => line)]),
    errors: [...errors, ...found],
  };
};

/**
 * `lines`: without those that there is no room for. `keywords`: each once, with the places that the table of
 * places knows. `added`: how many of them are new. `present`: the keywords of the project.
 */
export type Planned = {
  lines: Lines;
  keywords: ImportedKeyword[];
  added: number;
  present: number;
  warnings: string[];
  cost: Awaited<ReturnType<typeof costOf>>;
};

/** The reason of a line that there is no room for. */
const noRoom = (claimed: number): string => `There is no room for the keyword: ${tooMany(claimed).detail}`;

/**
 * Plans an import into a project with its present keywords. `claimed`: keywords that other imports may still
 * add. A keyword beyond the room of the project is refused with its lines; the first ones of the file fit.
 */
const plan = async (lines: Lines, project: Project, claimed: number): Promise<Planned> => {
  const now = calendar();
  const requests = lines.accepted.map(({ request }) => request);
  const places = await matchPlaces(requests);
  const found = lines.accepted.map((line) => {
    const { unknown_fields: _, ...request } = {
      ...line.request,
      location_name: places.get(placeKey(line.request))?.name ?? '',
    };
    return { line, request, ...newKeyword(request, request.location_name, project, now) };
  });
  const present = (await readPresentChunks(project.project_id)).flatMap(({ keywords }) => keywords);
  const known = new Set(present.map(identityOf));
  const missing = new Set(found.map(({ identity }) => identity).filter((identity) => !known.has(identity)));
  const room = Math.max(0, maxProjectKeywords - present.length - claimed);
  const left = new Set([...missing].slice(room));
  const kept = left.size === 0 ? found : found.filter(({ identity }) => !left.has(identity));
  const beyond = found.filter(({ identity }) => left.has(identity));
  const once = [...Map.groupBy(kept, ({ identity }) => identity).values()].flatMap(([first]) => first ?? []);
  const added = once.filter(({ identity }) => missing.has(identity));
  const message = noRoom(claimed);
  return {
    lines: {
      accepted: kept.map(({ line }) => line),
      refused: inOrder([
        ...lines.refused,
        ...beyond.map(({ line: { row } }) => ({ row, column: null, message })),
      ]),
      errors: lines.errors,
    },
    keywords: once.map(({ request }, n) => ({ n, request })),
    added: added.length,
    present: present.length,
    warnings: warningsOf(requests, places),
    cost: await costOf(
      added.map(({ keyword }) => keyword),
      present,
    ),
  };
};

/** What an import would add now. */
export const planDryRun = async (lines: Lines, project: Project): Promise<Planned> =>
  plan(lines, project, await readClaimed({ ...project, import_id: 0 }, clock()));

/** Tries of imports that claim the last room of a project at the same time. */
const claimTries = 10;
const longestWaitMs = 200;

/**
 * Plans an import, and claims room for its new keywords.
 * @throws HttpError 409 if the project would have too many keywords and `on_error` is `refuse`, or if others
 * keep claiming the same room.
 */
export const planImport = async (
  lines: Lines,
  project: Project,
  import_id: number,
  { on_error }: Pick<ImportQuery, 'on_error'>,
): Promise<Planned> => {
  const named = { project_id: project.project_id, import_id };
  for (let tries = 0; tries < claimTries; tries++) {
    const claimed = await readClaimed(named, clock());
    const planned = await plan(lines, project, claimed);
    const { added, present } = planned;
    if (on_error === 'refuse' && planned.lines.accepted.length < lines.accepted.length)
      throw tooMany(claimed);
    if (added === 0) return planned;
    await putClaim(named, added, clock());
    if (present + added + (await readClaimed(named, clock())) <= maxProjectKeywords) return planned;
    await dropClaim(named);
    await setTimeout(Math.random() * longestWaitMs);
  }
  throw new HttpError(409, 'The project is being changed at the same time: send the request again');
};
