/**
 * What a later release has stored or queued in a form that this release does not know, after a rollback or
 * while a deployment replaces the functions. The work is postponed, as after a refusal: a later release
 * continues it.
 */
import { log } from './log.ts';
import { addToScope, scope } from './scope.ts';

export class LaterReleaseError extends Error {
  override name = 'LaterReleaseError';
  /** The name of the item for a client, such as `task 12`. */
  readonly item: string;
  /** The kind of the task, if the item is one. */
  readonly kind: unknown;

  /** `found` and `known`: what the item has, and what this release knows, such as `version 5`. */
  constructor(thing: string, found: string, known: string, item: Record<string, unknown> = {}) {
    super(`A ${thing} of ${found} was written by a later release; this one knows ${known}`);
    const id = item.project_id ?? item.id ?? (item.pk && `${item.pk}/${item.sk}`);
    this.item = id === undefined ? thing : `${thing} ${id}`;
    this.kind = item.kind;
  }
}

/**
 * Calls `read`. Returns undefined, and names the item in the answer of the request, if it is a later one's.
 */
export const leavingOut = <Value>(read: () => Value): Value | undefined => {
  try {
    return read();
  } catch (error) {
    leaveOut(error);
    return undefined;
  }
};

/** As `leavingOut`, for a reading that takes time. */
export const leavingOutLater = async <Value>(reading: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await reading;
  } catch (error) {
    leaveOut(error);
    return undefined;
  }
};

/**
 * Names an item that a list leaves out in the answer of the request, and in the log.
 * @throws any other error.
 */
export const leaveOut = (error: unknown): void => {
  if (!(error instanceof LaterReleaseError)) throw error;
  log.warn('A list leaves out what a later release wrote', { item: error.item, reason: error.message });
  addToScope({ leftOut: [...(scope().leftOut ?? []), error.item] });
};

/** Names that a warning has at most: a header has a limit. */
const mostNames = 20;

/** What the lists of this request have left out, in a sentence; none if they have everything. */
export const leftOutSentences = (): string[] => {
  const items = [...new Set(scope().leftOut)];
  if (items.length === 0) return [];
  const named = items.slice(0, mostNames).join(', ');
  const more = items.length > mostNames ? ` and ${items.length - mostNames} more` : '';
  return [
    `Left out, because a later release of the service wrote it: ${named}${more}. Read the list again later.`,
  ];
};
