/**
 * The synthesised template. If it is not kept, another process makes it: CDK changes functions of Node that
 * packages call when they are loaded, and these changes read the clock.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cachedTemplate, localTemplate } from '../../../infra/local/cached-template.ts';

export const templateForWorlds = async (): Promise<object> => {
  const template = await cachedTemplate(async () => {
    execFileSync(process.execPath, [fileURLToPath(import.meta.url)], { stdio: 'ignore' });
    return localTemplate();
  });
  return template as object;
};

if (import.meta.main) await localTemplate();
