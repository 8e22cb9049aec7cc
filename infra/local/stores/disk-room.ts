/**
 * Whether the disk has room for the stores. After a write that failed for lack of room, the stores refuse all
 * writes until they have recovered: a database may have written a part of a record, and records behind it
 * could be lost at the next start.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Room = {
  /** `full`: writes are refused. `recovering`: reads too, for a moment. */
  state: () => 'open' | 'full' | 'recovering';
  /** Reports a write that failed for lack of room. */
  failed: (error: unknown) => void;
  /** Adds a step of the recovery. A step that throws is tried again, with those before it. */
  whenBack: (step: () => Promise<void> | void) => void;
};

const checkMs = 500;

/** More than LevelDB needs to write its memory to a table, and SQLite to copy its log. */
const neededBytes = 8 * 1024 * 1024;

/** Throws if the disk has no room for one more file of some megabytes. */
const needRoom = (file: string): void => {
  try {
    writeFileSync(file, Buffer.alloc(neededBytes));
  } finally {
    rmSync(file, { force: true });
  }
};

/** The room in a folder. Checks nothing until a write fails. Tells `changed` whether writes are accepted. */
export const newRoom = (folder: string, changed: (isOpen: boolean) => void = () => undefined): Room => {
  let state: 'open' | 'full' | 'recovering' = 'open';
  const steps: (() => Promise<void> | void)[] = [];

  const recover = async (): Promise<void> => {
    try {
      needRoom(join(folder, 'room'));
      state = 'recovering';
      for (const step of steps) await step();
      state = 'open';
      changed(true);
      console.error(`${folder} has room again: the service continues.`);
    } catch {
      setTimeout(recover, checkMs);
    }
  };

  return {
    state: () => state,
    failed: (error) => {
      if (state !== 'open') return;
      state = 'full';
      changed(false);
      console.error(`No room in ${folder}: requests that must be stored are answered with 503. (${error})`);
      setTimeout(recover, checkMs);
    },
    whenBack: (step) => {
      steps.push(step);
    },
  };
};

export const noRoomMessage = 'The disk of the embedded stack has no room';
