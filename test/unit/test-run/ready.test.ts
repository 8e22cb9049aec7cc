/** A stack that a test starts, and that does not become ready: the error names it. */
import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readyUrl } from '../../e2e/service.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const given = () => {
  const child = Object.assign(new EventEmitter(), {
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    kill: vi.fn(),
  });
  const ready = readyUrl(child as unknown as ChildProcess, 'The embedded stack of a.test.ts', 5000);
  // An error is expected later than it may come.
  ready.catch(() => undefined);
  const lines = createInterface({ input: child.stdout });
  const print = async (line: string) => {
    const seen = once(lines, 'line');
    child.stdout.write(`${line}\n`);
    await seen;
  };
  return { child, ready, print };
};

test('the address is that of the line "ready"', async () => {
  const { ready, print } = given();
  await print('ready http://127.0.0.1:1234');

  expect(await ready).toBe('http://127.0.0.1:1234');
});

test('a stack that hangs is killed, and the error has what it printed last', async () => {
  const { child, ready, print } = given();
  for (let n = 1; n <= 30; n += 1) await print(`line ${n}`);
  vi.advanceTimersByTime(5000);

  await expect(ready).rejects.toThrow(
    /^The embedded stack of a\.test\.ts was not ready after 5 s\. It printed last:\nline 11\n.*\nline 30$/s,
  );
  expect(child.kill).toHaveBeenCalledWith('SIGKILL');
});

test('a stack that ends before it is ready gives its exit code', async () => {
  const { child, ready } = given();
  child.emit('close', 1);

  await expect(ready).rejects.toThrow(
    'The embedded stack of a.test.ts ended with 1 before it was ready. It printed nothing.',
  );
});

test('a stack that a signal ends, before it is ready, is known as killed', async () => {
  const { child, ready } = given();
  child.emit('close', null);

  const error: unknown = await ready.catch((each: unknown) => each);
  expect(error).toMatchObject({ isKilled: true, message: expect.stringContaining('was killed before') });
});
