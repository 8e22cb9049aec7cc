/**
 * DynamoDB by dynalite, on disk. Patches close two gaps through which a SIGKILL could lose a row for good (dynalite writes an index
 * apart from the row, and it cannot finish a table that it had begun to make), stop a leak, and make reads fast.
 */
import type { Server } from 'node:http';
import { closeIterators, forgetHalfMade, openServer, readAtOnce, writeTogether } from './dynalite-patches.ts';

/** The server of the tables in this folder, ready to listen. Throws if a patch of dynalite does not take effect. */
export const openTables = async (path: string): Promise<Server> => {
  await writeTogether();
  const { server, store } = await openServer(path);
  await closeIterators(store);
  await readAtOnce(store);
  await forgetHalfMade(store);
  return server;
};
