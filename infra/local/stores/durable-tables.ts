/**
 * DynamoDB by dynalite, on disk. Patches close two gaps through which a SIGKILL could lose a row for good
 * (dynalite writes an index apart from the row, and it cannot finish a table that it had begun to make), stop
 * a leak, and make reads fast.
 */
import type { Server } from 'node:http';
import { unusable } from '../unusable.ts';
import { newRoom } from './disk-room.ts';
import {
  closeIterators,
  forgetHalfMade,
  openServer,
  readAtOnce,
  refuseUnreadable,
  refuseWithoutRoom,
  writeTogether,
} from './dynalite-patches.ts';
import { parseOnce } from './known-conditions.ts';
import { checkDropped } from './known-files.ts';

/**
 * The server of the tables in this folder, ready to listen. Throws an error that names the folder or the file
 * if LevelDB cannot open it or lost rows of it. Throws if a patch of dynalite does not take effect.
 */
export const openTables = async (path: string, room = newRoom(path)): Promise<Server> => {
  await writeTogether();
  const fail = (error: unknown): never => {
    throw error instanceof Error && 'code' in error ? unusable(path, error) : error;
  };
  const { server, store } = await openServer(path).catch(fail);
  checkDropped(path);
  await closeIterators(store);
  await readAtOnce(store).catch(fail);
  await forgetHalfMade(store);
  await refuseUnreadable(server);
  await parseOnce(server);
  await refuseWithoutRoom(server, store, room);
  // Longer than the SDK keeps an idle connection, so that the server does not close a connection that the SDK
  // uses again.
  server.keepAliveTimeout = 75_000;
  return server;
};
