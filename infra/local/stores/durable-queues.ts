/** SQS and S3 by fauxqs, on disk: for this machine only, at work again directly after a crash, and without a wait at each write. */
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { importPersistence, startOnLoopback, startPrepared } from './fauxqs-patches.ts';

/**
 * Starts the queues and buckets of this folder on a free port. `kept` are the bodies of the messages in the queues.
 * Throws if a patch of fauxqs does not take effect.
 */
export const openQueues = async (folder: string): Promise<{ fauxqs: FauxqsServer; kept: string[] }> =>
  startPrepared(await importPersistence(), () =>
    startOnLoopback(() => startFauxqs({ port: 0, logger: false, dataDir: folder })),
  );
