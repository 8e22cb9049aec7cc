/**
 * Makes every reading of the machine's clock, randomness, network or environment an error while a world runs.
 * The code of the service gets doubles of them; this finds what reaches the real ones all the same.
 */
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import timers from 'node:timers/promises';
import tls from 'node:tls';

export class GuardError extends Error {
  override name = 'GuardError';
}

const seen: string[] = [];

const refuse = (what: string) => () => {
  seen.push(what);
  throw new GuardError(`A simulated world read ${what} of the machine`);
};

type Owner = Record<string, unknown>;

const targets: [Owner, string, string][] = [
  [Math as unknown as Owner, 'random', 'Math.random'],
  [globalThis.performance as unknown as Owner, 'now', 'performance.now'],
  [process as unknown as Owner, 'hrtime', 'process.hrtime'],
  [process as unknown as Owner, 'cpuUsage', 'process.cpuUsage'],
  [globalThis as unknown as Owner, 'setTimeout', 'setTimeout'],
  [globalThis as unknown as Owner, 'setInterval', 'setInterval'],
  [globalThis as unknown as Owner, 'setImmediate', 'setImmediate'],
  [globalThis as unknown as Owner, 'fetch', 'fetch'],
  [timers as unknown as Owner, 'setTimeout', 'timers.setTimeout'],
  ...['randomBytes', 'randomUUID', 'randomInt', 'randomFillSync'].map((name): [Owner, string, string] => [
    crypto as unknown as Owner,
    name,
    `crypto.${name}`,
  ]),
  [Object.getPrototypeOf(globalThis.crypto) as Owner, 'getRandomValues', 'crypto.getRandomValues'],
  [Object.getPrototypeOf(globalThis.crypto) as Owner, 'randomUUID', 'crypto.randomUUID'],
  [net as unknown as Owner, 'connect', 'net.connect'],
  [net as unknown as Owner, 'createConnection', 'net.createConnection'],
  [tls as unknown as Owner, 'connect', 'tls.connect'],
  [http as unknown as Owner, 'request', 'http.request'],
  [https as unknown as Owner, 'request', 'https.request'],
  [dns as unknown as Owner, 'lookup', 'dns.lookup'],
  [childProcess as unknown as Owner, 'spawn', 'child_process.spawn'],
];

const RealDate = Date;
const refuseDate = refuse('the date');

class GuardedDate extends RealDate {
  constructor(...values: [] | [number]) {
    if (values.length === 0) refuseDate();
    super(...(values as [number]));
  }
  static override now = refuse('Date.now') as () => number;
}

/** Runs work with the guard, and takes it away afterwards. Rejects with what the work read. */
export const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const kept = targets.map(([owner, name]) => [owner, name, owner[name]] as const);
  const { env } = process;
  seen.length = 0;
  for (const [owner, name, what] of targets) {
    Object.defineProperty(owner, name, { value: refuse(what), writable: true, configurable: true });
  }
  globalThis.Date = GuardedDate as DateConstructor;
  const environment = new Proxy(env, { get: (_, name) => refuse(`the variable ${String(name)}`)() });
  Object.defineProperty(process, 'env', { value: environment, writable: true, configurable: true });
  syncBuiltinESMExports();
  try {
    const result = await work();
    if (seen.length > 0) throw new GuardError(`A simulated world read ${[...new Set(seen)].join(', ')}`);
    return result;
  } finally {
    for (const [owner, name, value] of kept) {
      Object.defineProperty(owner, name, { value, writable: true, configurable: true });
    }
    globalThis.Date = RealDate;
    Object.defineProperty(process, 'env', { value: env, writable: true, configurable: true });
    syncBuiltinESMExports();
  }
};
