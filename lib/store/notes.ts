/** The notes of projects, in the tracking table beside the project. */
import { DeleteCommand, GetCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Note } from '../model/note.ts';
import { dynamo } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { leavingOut } from '../runtime/later-release.ts';
import { durablyIf } from './conditional.ts';
import { layouts } from './layouts.ts';
import { upgrading } from './version.ts';

const table = resource('TRACKING_TABLE');

const partitionOf = (projectId: number): string => `project#${projectId}`;
const keyOf = (projectId: number, noteId: number) => ({
  pk: partitionOf(projectId),
  sk: `note#${String(noteId).padStart(16, '0')}`,
});

const toPresent = upgrading('note', []);

const noteOf = (item: Record<string, unknown>): Note => {
  const { pk, sk, version, ...note } = toPresent(item);
  return note as Note;
};

export const readNote = async (projectId: number, noteId: number): Promise<Note | undefined> => {
  if (noteId < 0) return undefined;
  const get = new GetCommand({ TableName: table, Key: keyOf(projectId, noteId), ConsistentRead: true });
  const { Item } = await dynamo.send(get);
  return Item && noteOf(Item);
};

/** Writes a note. `isNew`: false if it must exist. Returns false, and writes nothing, if it does not. */
export const putNote = async (projectId: number, note: Note, isNew: boolean): Promise<boolean> => {
  const put = new PutCommand({
    TableName: table,
    Item: { ...keyOf(projectId, note.note_id), version: layouts.note.rowVersion, ...note },
    ConditionExpression: isNew ? 'attribute_not_exists(pk)' : 'attribute_exists(pk)',
  });
  return (await durablyIf('write-tracking', () => dynamo.send(put))) !== undefined;
};

export const deleteNote = async (projectId: number, noteId: number): Promise<void> => {
  const remove = new DeleteCommand({ TableName: table, Key: keyOf(projectId, noteId) });
  await durably('write-tracking', () => dynamo.send(remove));
};

/** All notes of a project, by day, and those of a day in the order in which they were made. */
export const listNotes = async (projectId: number): Promise<Note[]> => {
  const query = {
    TableName: table,
    IndexName: undefined,
    KeyConditionExpression: 'pk = :project AND begins_with(sk, :note)',
    ExpressionAttributeValues: { ':project': partitionOf(projectId), ':note': 'note#' },
    ConsistentRead: true,
  };
  const notes: Note[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
    notes.push(...Items.flatMap((item) => leavingOut(() => noteOf(item)) ?? []));
  }
  return notes.toSorted((a, b) => (a.date === b.date ? a.note_id - b.note_id : a.date < b.date ? -1 : 1));
};
