/**
 * SQS and S3 by fauxqs, on disk: for this machine only, at work again directly after a crash, without a wait
 * at each write, and with fair queues.
 */
import { join } from 'node:path';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { unusable } from '../unusable.ts';
import { newRoom } from './disk-room.ts';
import { importPersistence, startPrepared } from './fauxqs-database.ts';
import { importSending, startFairly } from './fauxqs-fairness.ts';
import { refuseWithoutRoom, startOnLoopback } from './fauxqs-server.ts';

/**
 * Starts the queues and buckets of this folder on a free port. `kept` are the bodies of the messages in the
 * queues. Throws an error that names the file if the database in it cannot be used. Throws if a patch of
 * fauxqs does not take effect.
 */
export const openQueues = async (
  folder: string,
  room = newRoom(folder),
): Promise<{ fauxqs: FauxqsServer; kept: string[] }> => {
  const [persistence, sending] = await Promise.all([importPersistence(), importSending()]);
  return startPrepared(
    persistence,
    () =>
      refuseWithoutRoom(room, () =>
        startFairly(sending, () =>
          startOnLoopback(() => startFauxqs({ port: 0, logger: false, dataDir: folder })),
        ),
      ),
    room,
  ).catch((error: unknown) => {
    const isDatabase = error instanceof Error && 'code' in error;
    throw isDatabase ? unusable(join(folder, 'fauxqs.db'), error) : error;
  });
};
