/** Starts the whole service on this machine: synthesises the template of the stage `local`, runs it, and makes the first user. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { TaskKey } from '../../lib/model/workflow.ts';
import { runCalendar } from './calendar.ts';
import { type FirstUser, makeFirstUser } from './first-user.ts';
import { type RunningTemplate, runTemplate } from './run-template.ts';
import { type Running, runningFile } from './running.ts';
import type { LocalSettings } from './settings.ts';
import { startEmulators } from './stores/emulators.ts';

export type Stack = RunningTemplate & FirstUser;

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
 * Starts the service; resolves when it accepts requests. Calls `locked` when no other process uses the folder, before anything in it
 * changes. Calls `died` with a sentence if the process of the stores ends unexpectedly.
 * Throws an error for people if a setting is malformed, if the port or the folder is in use, or if a file in the folder cannot be
 * used. Start only one stack in a process.
 */
export const startStack = async (
  settings: LocalSettings,
  died: (reason: string) => void = () => undefined,
  locked: () => void = () => undefined,
): Promise<Stack> => {
  mkdirSync(settings.dataDir, { recursive: true });
  const lock = Promise.withResolvers<void>();
  // The stores start in their own process while this process synthesises the template.
  const [emulators, source] = await Promise.all([
    startEmulators(settings.dataDir, died, lock.resolve),
    Promise.all([import('../synthesize.ts'), lock.promise.then(locked)]).then(([{ synthesize }]) => {
      const outdir = join(settings.dataDir, 'template');
      // CDK's own error about a file in this place is not for people.
      mkdirSync(outdir, { recursive: true });
      return synthesize('local', { bundle: false, outdir });
    }),
  ]);

  let running: RunningTemplate | undefined;
  let stopCalendar: (() => void) | undefined;
  try {
    stopCalendar = runCalendar(settings.dataDir, settings.clockRate);
    const firstUser = Promise.withResolvers<FirstUser>();
    const started = await runTemplate(emulators, source, {
      ...settings,
      prepare: async () => {
        await requeueUnqueued(emulators.kept);
        firstUser.resolve(await makeFirstUser(settings));
      },
    });
    const user = await firstUser.promise;
    const file = runningFile(settings.dataDir);
    running = started;
    const { awsEndpoint, url, endpoints, environment } = started;
    writeFileSync(file, JSON.stringify({ awsEndpoint, url, endpoints, environment } satisfies Running));
    return {
      ...started,
      ...user,
      stop: async () => {
        rmSync(file, { force: true });
        await started.stop();
        stopCalendar?.();
      },
    };
  } catch (error) {
    stopCalendar?.();
    await (running ?? emulators).stop();
    throw error;
  }
};
