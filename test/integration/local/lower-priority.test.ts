/** The priority of a thread of functions, below that of its process, whatever that is. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const file = new URL('../../../infra/local/lambda/lower-priority.ts', import.meta.url).href;

/** The priority of a process that began with this one, before and after. */
const prioritiesOf = (priority: number): number[] => {
  const script = `
    const { getPriority, setPriority } = await import('node:os');
    const { lowerPriority } = await import('${file}');
    setPriority(Math.max(getPriority(), ${priority}));
    const before = getPriority();
    lowerPriority();
    console.log(JSON.stringify([before, getPriority()]));`;
  const options = { cwd: fileURLToPath(new URL('../../../', import.meta.url)), encoding: 'utf8' } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], options));
};

test.each([0, 10, 17])('is lower than a priority of %i, and never higher', (priority) => {
  const [before = 0, after] = prioritiesOf(priority);

  expect(after).toBe(process.platform === 'linux' ? Math.min(19, before + 5) : before);
});
