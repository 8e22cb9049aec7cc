/** The whole service in one process: the template of the stage `local`, synthesised here and played, with its first user. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { TaskKey } from '../../lib/model/workflow.ts';
import { type FirstUser, makeFirstUser } from './first-user.ts';
import { type Play, playTemplate } from './run-template.ts';
import type { LocalSettings } from './settings.ts';
import { startEmulators } from './stores/emulators.ts';

export type Stack = Play & FirstUser;

/** What a running stack tells of itself: where it is, and what its resources are called. */
export const Running = v.object({
  awsEndpoint: v.string(),
  url: v.string(),
  endpoints: v.object({ dynamodb: v.string(), sqs: v.string() }),
  environment: v.record(v.string(), v.string()),
});
export type Running = v.InferOutput<typeof Running>;

/** What a former process has written without a message that stands for it, half a batch perhaps, is due now. */
const takeUpUnqueued = async (kept: string[]): Promise<void> => {
  // Imported late: the stores behind it read the environment.
  const { requeueLost } = await import('../../lib/task/requeue-lost.ts');
  const Body = v.pipe(v.string(), v.parseJson(), TaskKey);
  const queued = kept.map((body) => v.safeParse(Body, body));
  await requeueLost(queued.flatMap(({ success, output }) => (success ? [output] : [])));
};

/** Where it tells so, for the commands that work beside it. */
export const runningFile = (dataDir: string) => join(dataDir, 'running.json');

/**
 * Starts the service; resolves when it accepts requests. `died` is called if the stores end by themselves. Throws with a
 * sentence where a setting is malformed, or where port or folder are in use. One stack a process.
 */
export const startStack = async (
  settings: LocalSettings,
  died: () => void = () => undefined,
): Promise<Stack> => {
  mkdirSync(settings.dataDir, { recursive: true });
  // The stores start in their own process while this one synthesises.
  const [emulators, source] = await Promise.all([
    startEmulators(settings.dataDir, died),
    import('../synthesize.ts').then(({ synthesize }) =>
      synthesize('local', { bundle: false, outdir: join(settings.dataDir, 'template') }),
    ),
  ]);

  try {
    const made = Promise.withResolvers<FirstUser>();
    const play = await playTemplate(emulators, source, {
      ...settings,
      prepare: async () => {
        await takeUpUnqueued(emulators.kept);
        made.resolve(await makeFirstUser(settings));
      },
    });
    const user = await made.promise;
    const file = runningFile(settings.dataDir);
    const { awsEndpoint, url, endpoints, environment } = play;
    writeFileSync(file, JSON.stringify({ awsEndpoint, url, endpoints, environment } satisfies Running));
    return {
      ...play,
      ...user,
      stop: async () => {
        rmSync(file, { force: true });
        await play.stop();
      },
    };
  } catch (error) {
    await emulators.stop();
    throw error;
  }
};
