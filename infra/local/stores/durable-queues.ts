/** SQS and S3 by fauxqs, on disk: for this machine only, at work again directly after a crash, and without a wait at each write. */
import { join } from 'node:path';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { unusable } from '../unusable.ts';
import { newRoom } from './disk-room.ts';
import { importPersistence, refuseWithoutRoom, startOnLoopback, startPrepared } from './fauxqs-patches.ts';

/**
 * Starts the queues and buckets of this folder on a free port. `kept` are the bodies of the messages in the queues.
 * Throws an error that names the file if the database in it cannot be used. Throws if a patch of fauxqs does not take effect.
 */
export const openQueues = async (
  folder: string,
  room = newRoom(folder),
): Promise<{ fauxqs: FauxqsServer; kept: string[] }> => {
  const persistence = await importPersistence();
  return startPrepared(
    persistence,
    () =>
      refuseWithoutRoom(room, () =>
        startOnLoopback(() => startFauxqs({ port: 0, logger: false, dataDir: folder })),
      ),
    room,
  ).catch((error: unknown) => {
    const isDatabase = error instanceof Error && 'code' in error;
    throw isDatabase ? unusable(join(folder, 'fauxqs.db'), error) : error;
  });
};
