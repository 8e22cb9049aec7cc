/** The function `ask` of the runbook ends, whatever CloudWatch answers. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bareEnvironment } from '../bare-environment.ts';

const [, functions = ''] = /```bash\n(.*?)```/s.exec(readFileSync('infra/RUNBOOK.md', 'utf8')) ?? [];

/** Runs `ask` with a command `aws` that answers as given; the time limit ends a function that waits. */
const ask = (start: string, status: string) => {
  const aws = `aws() { case "$*" in
    *start-query*) ${start} ;;
    *describe-log-groups*) echo group ;;
    *'--query status'*) ${status} ;;
    *) echo 'a result' ;;
  esac; }`;
  const script = `${functions}\n${aws}\nsleep() { :; }\nask Serp 'limit 1'`;
  return spawnSync('bash', ['-c', script], { env: bareEnvironment, encoding: 'utf8', timeout: 60_000 });
};

test('shows the results of a query that completes', () => {
  expect(ask('echo 7', 'echo Complete')).toMatchObject({ status: 0, stdout: 'a result\n' });
});

test.each([
  ['a query that cannot start', 'return 254', 'echo Complete'],
  ['a query that fails', 'echo 7', 'echo Failed'],
  ['credentials that have ended', 'echo 7', 'return 255'],
])('%s: fails, and does not wait for ever', (_, start, status) => {
  const { status: code, signal, stdout } = ask(start, status);

  expect(signal).toBeNull();
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
});
