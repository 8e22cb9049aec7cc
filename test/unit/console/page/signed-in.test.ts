// @vitest-environment jsdom
/**
 * Which user the console shows when the answers of the service arrive late, or in another order than the
 * requests. A double of `BroadcastChannel` sends what other tabs would send.
 */
import { h, options, render } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from '../../../../lib/console/session.ts';
import { useSession } from '../../../../lib/console/signed-in.ts';

type Asked = {
  method: string;
  path: string;
  /** Whom the tab shows. */
  shown: string | null;
  signal: AbortSignal | null | undefined;
  answer: (body: unknown, status?: number) => void;
  fail: () => void;
};

let asked: Asked[] = [];
/** The tab hears this from another one. */
let hear: (message: string) => void = () => undefined;
let said: unknown[] = [];
let session: ReturnType<typeof useSession>;
let place: HTMLElement;

const Probe = () => {
  session = useSession();
  return null;
};

const user = (id: number) => ({ id, name: '', email: '', permissions: [], read_only: false });

/** A response whose bytes are there at once. */
const responseOf = (body: unknown, status = 200): Response =>
  Object.assign(new Response(null, { status, headers: { 'content-type': 'application/json' } }), {
    arrayBuffer: async () => new TextEncoder().encode(JSON.stringify(body)).buffer,
  });

beforeEach(() => {
  asked = [];
  said = [];
  vi.stubGlobal('fetch', (address: URL, { method = 'GET', headers, signal }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    signal?.addEventListener('abort', () => reject(signal.reason));
    asked.push({
      method,
      path: address.pathname.replace(/.*\//, ''),
      shown: new Headers(headers).get('x-console-user'),
      signal,
      answer: (body, status) => resolve(responseOf(body, status)),
      fail: () => reject(new TypeError('no network')),
    });
    return promise;
  });
  class Channel {
    onmessage: (event: { data: string }) => void = () => undefined;
    constructor() {
      hear = (data) => this.onmessage({ data });
    }
    postMessage(data: unknown) {
      said.push(data);
    }
    close() {}
  }
  vi.stubGlobal('BroadcastChannel', Channel);
  // jsdom draws no frames. Without this, effects would wait for one.
  options.requestAnimationFrame = queueMicrotask;
  place = document.createElement('div');
});

afterEach(() => {
  render(null, place);
  Reflect.deleteProperty(options, 'requestAnimationFrame');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Far above what it takes on a busy machine. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });

/** All that follows from an answer is done: it waits for promises only. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

/** Opens the tab, with the questions that it has asked. */
const open = async () => {
  render(h(Probe, null), place);
  await until(() => expect(asked).not.toEqual([]));
};

const last = (): Asked => {
  const found = asked.at(-1);
  if (!found) throw new Error('Nothing was asked');
  return found;
};

/** Opens the tab of a user. */
const openAs = async (id: number) => {
  await open();
  last().answer({ user: user(id) });
  await until(() => expect(session.user?.id).toBe(id));
  await turn();
};

test('a browser that refuses a channel to other tabs shows the console all the same', async () => {
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }
    },
  );
  await openAs(1);
  session.signIn(user(2));

  await until(() => expect(session.user?.id).toBe(2));
});

test('of two questions for the user, the answer to the later one counts, whichever comes first', async () => {
  await open();
  const [first] = asked;
  hear('signed-in');
  await turn();
  last().answer({ user: user(2) });
  await until(() => expect(session.user?.id).toBe(2));
  first?.answer({ user: user(1) });
  await turn();

  expect(session.user?.id).toBe(2);
});

test('an answer that was asked for before a sign-in does not undo it', async () => {
  await open();
  session.signIn(user(2));
  last().answer({ user: null });
  await turn();

  expect([session.user?.id, said]).toEqual([2, ['signed-in']]);
});

test('a sign-out elsewhere needs no answer, and a late one does not bring the user back', async () => {
  await openAs(1);
  hear('signed-in');
  await turn();
  const late = last();
  hear('signed-out');
  await until(() => expect(session.user).toBeNull());
  late.answer({ user: user(1) });
  await turn();

  expect([session.user, session.reason]).toEqual([null, 'You have signed out in another tab.']);
});

test('a call after a sign-in names its user, and a refusal of a call from before it ends no session', async () => {
  await openAs(1);
  const before = call('api/v1/status').catch(() => undefined);
  const refused = last();
  session.signIn(user(2));
  call('api/v1/status').catch(() => undefined);
  refused.answer({ detail: 'Another user has signed in' }, 401);
  await before;
  await turn();

  expect([refused.shown, last().shown, session.isEnded]).toEqual(['1', '2', false]);
});

test('a refused call shows who is signed in now; if nobody is, the session has ended', async () => {
  await openAs(1);
  const refused = call('api/v1/status').catch(() => undefined);
  last().answer({ detail: 'Another user has signed in' }, 401);
  await refused;
  await until(() => expect([last().path, session.isEnded]).toEqual(['session', true]));
  last().answer({ user: user(2) });

  await until(() => expect([session.user?.id, session.isEnded]).toEqual([2, false]));
});

/** Lets a tab in sight come to the time of the next renewal. Gives the call for it. */
const renewal = async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
  document.dispatchEvent(new Event('visibilitychange'));
  await until(() => expect(last().method).toBe('POST'));
  return last();
};

test.each(['signed-out', 'signed-in'])('a renewal is given up when another tab says %s', async (message) => {
  await openAs(1);
  const { signal, path } = await renewal();
  hear(message);

  expect([path, signal?.aborted]).toEqual(['session', true]);
});

test('a renewal is given up by a sign-out, whose answer would come before that of the renewal', async () => {
  await openAs(1);
  const { signal } = await renewal();
  session.signOut();
  await until(() => expect(last().method).toBe('DELETE'));
  last().answer({ user: null });
  await until(() => expect(session.user).toBeNull());

  expect([signal?.aborted, said]).toEqual([true, ['signed-out']]);
});

test('without an answer to the sign-out the user is still signed in, and the other tabs hear nothing', async () => {
  await openAs(1);
  session.signOut();
  await until(() => expect(last().method).toBe('DELETE'));
  last().fail();
  await until(() => expect(session.failure).toContain('You are still signed in.'));

  expect([session.user?.id, said]).toEqual([1, []]);
});
