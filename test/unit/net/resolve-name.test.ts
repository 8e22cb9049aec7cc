/** How names are resolved: by a name server first, then by the system. Both are replaced. */
import { lookup, type Resolver } from 'node:dns/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resolveEachOnce, resolveName, resolveWith } from '../../../lib/net/resolve-name.ts';

type Answer = () => Promise<string[]>;

/** What the name server answers, and what it was asked. */
const server = vi.hoisted(() => ({
  ip4: (async () => []) as Answer,
  ip6: (async () => []) as Answer,
  asked: [] as string[],
  made: [] as unknown[],
  cancelled: 0,
}));

vi.mock('node:dns/promises', () => ({
  lookup: vi.fn(),
  Resolver: class implements Partial<Resolver> {
    constructor(options: unknown) {
      server.made.push(options);
    }
    setServers(servers: readonly string[]) {
      server.made.push(servers);
    }
    resolve4(name: string) {
      server.asked.push(`4 ${name}`);
      return server.ip4() as never;
    }
    resolve6(name: string) {
      server.asked.push(`6 ${name}`);
      return server.ip6() as never;
    }
    cancel() {
      server.cancelled += 1;
    }
  },
}));

const failure = (code?: string) => Object.assign(new Error('no'), code === undefined ? {} : { code });
const failing = (code?: string) => (): Promise<never> => Promise.reject(failure(code));
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  vi.resetAllMocks();
  Object.assign(server, {
    ip4: failing('ENOTFOUND'),
    ip6: failing('ENODATA'),
    asked: [],
    made: [],
    cancelled: 0,
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const found = (...addresses: string[]) =>
  vi.mocked(lookup).mockResolvedValue(addresses.map((address) => ({ address, family: 4 })) as never);

describe('a name', () => {
  test('has the addresses of both kinds that the name server knows', async () => {
    server.ip4 = async () => ['192.0.2.1', '192.0.2.2'];
    server.ip6 = async () => ['2001:db8::1'];

    expect(await resolveWith(['127.0.0.1:53'])('Example.COM.')).toEqual([
      '192.0.2.1',
      '192.0.2.2',
      '2001:db8::1',
    ]);
    expect(server.asked).toEqual(['4 example.com', '6 example.com']);
    expect(server.made).toEqual([{ timeout: 1000, tries: 2 }, ['127.0.0.1:53']]);
    expect(lookup).not.toHaveBeenCalled();
  });

  test('has the addresses of one kind if there is no other', async () => {
    server.ip6 = async () => ['2001:db8::1'];

    expect(await resolveName('example.com')).toEqual(['2001:db8::1']);
    expect(server.made).toEqual([{ timeout: 1000, tries: 2 }]);
    expect(lookup).not.toHaveBeenCalled();
  });

  test.each(['localhost', 'LOCALHOST.', 'app.localhost'])('%s is this machine', async (name) => {
    expect(await resolveName(name)).toEqual(['127.0.0.1', '::1']);
    expect(server.asked).toEqual([]);
  });

  test('that only ends like localhost is asked for', async () => {
    found('192.0.2.9');

    expect(await resolveName('notlocalhost')).toEqual(['192.0.2.9']);
    expect(await resolveName('localhost.example')).toEqual(['192.0.2.9']);
  });

  test('that the name server does not know may be known to the system', async () => {
    found('192.0.2.9', '192.0.2.10');

    expect(await resolveName('printer')).toEqual(['192.0.2.9', '192.0.2.10']);
    expect(lookup).toHaveBeenCalledExactlyOnceWith('printer', { all: true });
  });

  test('that nobody knows has no addresses', async () => {
    vi.mocked(lookup).mockRejectedValue(failure('ENOTFOUND'));

    expect(await resolveName('nowhere.example')).toEqual([]);
  });

  test.each([[undefined], [5 as unknown as string]])(
    'whose look-up fails without a code (%s) is an error',
    async (code) => {
      vi.mocked(lookup).mockRejectedValue(failure(code));

      await expect(resolveName('nowhere.example')).rejects.toThrow('no');
    },
  );

  test('whose look-up fails with something that is no error is an error', async () => {
    vi.mocked(lookup).mockRejectedValue({ code: 'ENOTFOUND' });

    await expect(resolveName('nowhere.example')).rejects.toEqual({ code: 'ENOTFOUND' });
  });
});

describe('a name server that does not answer', () => {
  test.each(['ETIMEOUT', 'ECANCELLED'])('with %s is not followed by the system', async (code) => {
    server.ip4 = failing(code);

    expect(await resolveName('silent.example')).toEqual([]);
    expect(lookup).not.toHaveBeenCalled();
  });

  test('with any other error is followed by the system', async () => {
    server.ip4 = failing('ESERVFAIL');
    server.ip6 = failing();
    found('192.0.2.9');

    expect(await resolveName('example.com')).toEqual(['192.0.2.9']);
  });

  test('is asked for two seconds', async () => {
    vi.useFakeTimers();
    server.ip4 = never;
    void resolveName('silent.example');
    await vi.advanceTimersByTimeAsync(1999);
    expect(server.cancelled).toBe(0);
    await vi.advanceTimersByTimeAsync(1);

    expect(server.cancelled).toBe(1);
  });

  test('is asked until the signal', async () => {
    const stop = new AbortController();
    server.ip4 = never;
    void resolveName('silent.example', stop.signal);
    stop.abort();

    expect(server.cancelled).toBe(1);
  });
});

test('an answer leaves neither a timer nor a listener', async () => {
  vi.useFakeTimers();
  const stop = new AbortController();
  server.ip4 = async () => ['192.0.2.1'];
  await resolveName('example.com', stop.signal);
  stop.abort();

  expect(vi.getTimerCount()).toBe(0);
  expect(server.cancelled).toBe(0);
});

test('nobody is asked after the signal', async () => {
  const stop = new AbortController();
  server.ip4 = async () => {
    stop.abort();
    throw failure('ENOTFOUND');
  };
  found('192.0.2.9');

  expect(await resolveName('example.com', stop.signal)).toEqual([]);
  expect(await resolveName('example.com', AbortSignal.abort())).toEqual([]);
  expect(server.asked).toHaveLength(2);
  expect(lookup).not.toHaveBeenCalled();
});

test('the system looks up two names at a time, in order, also after one has failed', async () => {
  const waiting: { name: string; settle: (error?: Error) => void }[] = [];
  vi.mocked(lookup).mockImplementation(
    ((name: string) =>
      new Promise((resolve, reject) =>
        waiting.push({ name, settle: (error) => (error ? reject(error) : resolve([])) }),
      )) as never,
  );
  const turns = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    return waiting.map(({ name }) => name);
  };

  const all = ['a', 'b', 'c', 'd'].map((name) => resolveName(name));
  expect(await turns()).toEqual(['a', 'b']);
  waiting[1]?.settle(failure('ENOTFOUND'));
  expect(await turns()).toEqual(['a', 'b', 'c']);
  waiting[0]?.settle();
  expect(await turns()).toEqual(['a', 'b', 'c', 'd']);
  waiting[2]?.settle();
  waiting[3]?.settle();
  expect(await Promise.all(all)).toEqual([[], [], [], []]);

  const later = ['e', 'f', 'g'].map((name) => resolveName(name));
  expect((await turns()).slice(4)).toEqual(['e', 'f']);
  waiting[4]?.settle();
  await turns();
  waiting[5]?.settle();
  waiting[6]?.settle();
  await Promise.all(later);
});

describe('the names of one request', () => {
  test('are looked up once each, however they are written', async () => {
    const resolve = vi.fn(async (name: string) => [name]);
    const stop = new AbortController();
    const each = resolveEachOnce(stop.signal, resolve);

    expect(await each('Example.com.')).toEqual(['example.com']);
    expect(await each('example.COM')).toEqual(['example.com']);
    expect(await each('example.org')).toEqual(['example.org']);
    expect(resolve.mock.calls).toEqual([
      ['example.com', stop.signal],
      ['example.org', stop.signal],
    ]);
  });

  test('have no addresses after the signal, unless they were known before', async () => {
    const stop = new AbortController();
    const resolve = vi.fn((name: string) => (name === 'silent.example' ? never() : Promise.resolve([name])));
    const each = resolveEachOnce(stop.signal, resolve);
    await each('known.example');
    const silent = each('silent.example');
    stop.abort();

    expect(await silent).toEqual([]);
    expect(await each('known.example')).toEqual(['known.example']);
    expect(await each('late.example')).toEqual([]);
    expect(resolve).toHaveBeenCalledTimes(2);
  });
});
