/** Runs the program of the CDK, or that of the CDK for emulators, with its output in this terminal. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const files = { cdk: 'aws-cdk/bin/cdk', cdklocal: 'aws-cdk-local/bin/cdklocal' };

/** @throws with a sentence if the program ends with an exit code other than 0. */
export const runCdk = (program: keyof typeof files, ...args: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const file = createRequire(import.meta.url).resolve(files[program]);
    const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args[0]} failed with exit code ${code}. Its output is above.`));
    });
  });
