/**
 * Runs the snippets of the reference in Python, and those of curl in a shell, against an embedded stack. They
 * need programs that `npm test` must not need.
 */
import { spawnSync } from 'node:child_process';
import { startService } from '../e2e/service.ts';
import { findPython } from '../python-environment.ts';
import { readPages } from './pages.ts';
import { type Runners, runSnippets } from './run.ts';

const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).status === 0;

/** Returns the faults. @throws if there is no Python. */
export const runWithRealPrograms = async (say: (line: string) => void): Promise<string[]> => {
  const runners: Runners = {
    python: { command: findPython(), file: 'snippet.py' },
    ...(hasProgram('curl') && { bash: { command: 'bash', file: 'snippet.sh' } }),
  };
  if (!runners.bash) {
    say('curl is not installed: `npm test` runs its snippets without it');
    const { runCurl } = await import('./curl.ts');
    runners.bash = runCurl;
  }
  const service = await startService({ CLOCK_RATE: '60' });
  const variables = {
    BASE_URL: service.url,
    API_KEY: service.apiKey,
    WEBHOOK_SECRET: service.webhookSecret,
  };
  const faults: string[] = [];
  try {
    for (const [page, snippets] of readPages()) {
      const found = await runSnippets(snippets, runners, variables);
      const count = snippets.filter(({ language }) => runners[language]).length;
      say(`${page}: ${count} snippets, ${found.length} faults`);
      faults.push(...found);
    }
  } finally {
    await service.stop();
  }
  return faults;
};
