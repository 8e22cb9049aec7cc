/**
 * Starts the whole service on this machine: runs the template of the stage `local`, and makes the first user.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { TaskKey } from '../../lib/model/workflow.ts';
import { localTemplate } from './cached-template.ts';
import { runCalendar } from './calendar.ts';
import { secondsBehind, watchClock } from './clock-watch.ts';
import { makeFirstUser, readFirstUser, type StartedUser } from './first-user.ts';
import { loadGatewayPackages } from './lambda/packages.ts';
import { prepareWorker } from './lambda/worker.ts';
import type { RunningTemplate } from './run-template.ts';
import { type Running, runningFile } from './running.ts';
import type { LocalSettings } from './settings.ts';
import { startEmulators } from './stores/emulators.ts';

/** `secondsBehind`: how far the clock was behind the last use of the folder when the service started. */
export type Stack = RunningTemplate & StartedUser & { secondsBehind: number };

/** Takes no turn at an engine for taken until a time that the clock has left. */
const forgetTurns = async (seconds: number): Promise<void> => {
  // Late imports, as above.
  const { log } = await import('../../lib/runtime/log.ts');
  const { clearPace } = await import('../../lib/store/clear-pace.ts');
  log.warn('clock set back', { seconds });
  await clearPace();
};

/** Makes tasks due now that a former process stored without a queue message, for example half of a batch. */
const requeueUnqueued = async (kept: string[]): Promise<void> => {
  // A late import, because the stores that it uses read the environment when they are imported.
  const { requeueLost } = await import('../../lib/task/requeue-lost.ts');
  // A keyword message has several tasks.
  const Keys = v.object({ ...TaskKey.entries, more: v.optional(v.array(v.number()), []) });
  const Body = v.pipe(v.string(), v.parseJson(), Keys);
  const queued = kept.flatMap((body) => {
    const { success, output } = v.safeParse(Body, body);
    return success ? [output.id, ...output.more].map((id) => ({ user_id: output.user_id, id })) : [];
  });
  await requeueLost(queued);
};

/**
 * Starts the service; resolves when it accepts requests. Calls `locked` when no other process uses the
 * folder, before anything in it changes. Calls `died` with a sentence if the process of the stores ends
 * unexpectedly. Throws an error for people if a setting is malformed, if the port or the folder is in use, or
 * if a file in the folder cannot be used. Start only one stack in a process.
 */
export const startStack = async (
  settings: LocalSettings,
  died: (reason: string) => void = () => undefined,
  locked: () => void = () => undefined,
  sourcesKey?: string,
): Promise<Stack> => {
  mkdirSync(settings.dataDir, { recursive: true });
  const lock = Promise.withResolvers<void>();
  // At once: the stores start in their own process, and the thread of the functions and this thread load
  // packages.
  const starting = startEmulators(settings.dataDir, died, lock.resolve);
  const worker = prepareWorker();
  const [emulators, source, { runTemplate }] = await Promise.all([
    starting,
    localTemplate(sourcesKey),
    import('./run-template.ts'),
    lock.promise.then(locked),
    loadGatewayPackages(),
  ]).catch(async (error) => {
    await Promise.all([
      worker.terminate(),
      starting.then(
        ({ stop }) => stop(),
        () => undefined,
      ),
    ]);
    throw error;
  });

  let running: RunningTemplate | undefined;
  let stopCalendar: (() => void) | undefined;
  const behind = secondsBehind(settings.dataDir);
  try {
    stopCalendar = runCalendar(settings.dataDir, settings.clockRate);
    const firstUser = Promise.withResolvers<StartedUser>();
    const started = await runTemplate(emulators, source, {
      ...settings,
      continues: readFirstUser(settings.dataDir) !== null,
      worker,
      prepare: async () => {
        if (behind > 0) await forgetTurns(behind);
        await requeueUnqueued(emulators.kept);
        firstUser.resolve(await makeFirstUser(settings));
      },
    });
    const user = await firstUser.promise;
    const file = runningFile(settings.dataDir);
    const stopWatch = watchClock(settings.dataDir, (seconds) => {
      forgetTurns(seconds).catch((error) => console.error(`The turns were not forgotten: ${error}`));
    });
    running = started;
    const { awsEndpoint, url, endpoints, environment } = started;
    writeFileSync(
      `${file}.new`,
      JSON.stringify({ awsEndpoint, url, endpoints, environment } satisfies Running),
    );
    renameSync(`${file}.new`, file);
    return {
      ...started,
      ...user,
      secondsBehind: behind,
      stop: async () => {
        rmSync(file, { force: true });
        stopWatch();
        await started.stop();
        stopCalendar?.();
      },
    };
  } catch (error) {
    stopCalendar?.();
    await worker.terminate();
    await (running ?? emulators).stop();
    throw error;
  }
};
