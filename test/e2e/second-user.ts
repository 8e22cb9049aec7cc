/** A second user of an embedded stack that a test or a benchmark started. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Makes a user without a request limit, as `npm run user -- create` does. */
export const makeSecondUser = async ({
  url,
  dataDir,
}: {
  url: string;
  dataDir: string;
}): Promise<{ url: string; apiKey: string }> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['infra/commands/user.ts', 'create', '--limit', '0'],
    { env: { ...process.env, DATA_DIR: dataDir } },
  );
  const [, apiKey] = /^API key +(\S+)/m.exec(stdout) ?? [];
  if (!apiKey) throw new Error(`No API key in: ${stdout}`);
  return { url, apiKey };
};
