/**
 * Makes every reading of the machine's clock, randomness, network or environment an error while a world runs.
 * The code of the service gets doubles of them; this finds what reaches the real ones all the same.
 */
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import dgram from 'node:dgram';
import dns from 'node:dns';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import tls from 'node:tls';

export class GuardError extends Error {
  override name = 'GuardError';
}

/** What the world has read, each as the error that its reader got, and may have caught. */
const seen: GuardError[] = [];

const refuse = (what: string) => () => {
  const error = new GuardError(`A simulated world read ${what} of the machine`);
  seen.push(error);
  throw error;
};

type Owner = Record<string, unknown>;

/** The functions of an owner that read the machine, those that this version of Node has and lets replace. */
const functionsOf = (what: string, owner: unknown, names: readonly string[]): [Owner, string, string][] =>
  names
    .filter((name) => typeof (owner as Owner)[name] === 'function')
    .filter((name) => Object.getOwnPropertyDescriptor(owner, name)?.configurable !== false)
    .map((name) => [owner as Owner, name, what === '' ? name : `${what}.${name}`]);

const timerNames = ['setTimeout', 'setInterval', 'setImmediate'];
const webCrypto = Object.getPrototypeOf(globalThis.crypto);

const targets: [Owner, string, string][] = [
  ...functionsOf('Math', Math, ['random']),
  ...functionsOf('performance', Object.getPrototypeOf(globalThis.performance), [
    ...['now', 'mark', 'measure', 'toJSON', 'eventLoopUtilization'],
  ]),
  ...functionsOf('process', process, [
    ...['hrtime', 'uptime', 'cpuUsage', 'threadCpuUsage', 'resourceUsage', 'memoryUsage'],
    ...['availableMemory', 'constrainedMemory'],
  ]),
  ...functionsOf('', globalThis, [...timerNames, 'fetch']),
  ...functionsOf('timers', timers, timerNames),
  ...functionsOf('timers/promises', timersPromises, timerNames),
  ...functionsOf('timers/promises.scheduler', Object.getPrototypeOf(timersPromises.scheduler), [
    ...['wait', 'yield'],
  ]),
  ...functionsOf('AbortSignal', AbortSignal, ['timeout']),
  ...functionsOf('crypto', crypto, [
    ...['randomBytes', 'pseudoRandomBytes', 'prng', 'rng', 'randomUUID', 'randomUUIDv7', 'randomInt'],
    ...['randomFill', 'randomFillSync', 'getRandomValues', 'generateKey', 'generateKeySync'],
    ...['generateKeyPair', 'generateKeyPairSync', 'generatePrime', 'generatePrimeSync'],
  ]),
  ...functionsOf('crypto', webCrypto, ['getRandomValues', 'randomUUID']),
  ...functionsOf('crypto.subtle', Object.getPrototypeOf(globalThis.crypto.subtle), ['generateKey']),
  ...functionsOf('os', os, [
    ...['hostname', 'uptime', 'loadavg', 'freemem', 'totalmem', 'cpus', 'availableParallelism'],
    ...['networkInterfaces', 'userInfo', 'homedir', 'tmpdir', 'release', 'version'],
  ]),
  ...functionsOf('net', net, ['connect', 'createConnection', 'createServer']),
  ...functionsOf('tls', tls, ['connect', 'createServer']),
  ...functionsOf('http', http, ['request', 'get', 'createServer']),
  ...functionsOf('https', https, ['request', 'get', 'createServer']),
  ...functionsOf('http2', http2, ['connect']),
  ...functionsOf('dgram', dgram, ['createSocket']),
  ...functionsOf('dns', dns, ['lookup', 'resolve', 'resolve4', 'resolve6']),
  ...functionsOf('dns', dns.promises, ['lookup', 'resolve', 'resolve4', 'resolve6']),
  ...functionsOf('child_process', childProcess, [
    ...['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'],
  ]),
];

/** Without an argument, a format is that of the present. */
const formats = Intl.DateTimeFormat.prototype;
const { format: realFormat, formatToParts: realParts } = Object.getOwnPropertyDescriptors(formats);
const refuseFormat = refuse('Intl.DateTimeFormat of the present');

/** What is replaced by something else than a refusing function. */
const accessors: [object, string, PropertyDescriptor][] = [
  [
    formats,
    'format',
    {
      get(this: Intl.DateTimeFormat) {
        const format = realFormat?.get?.call(this) as (date: Date) => string;
        return (date?: Date) => (date === undefined ? refuseFormat() : format(date));
      },
    },
  ],
  [
    formats,
    'formatToParts',
    {
      value(this: Intl.DateTimeFormat, date?: Date) {
        return date === undefined ? refuseFormat() : realParts.value?.call(this, date);
      },
    },
  ],
  [Object.getPrototypeOf(globalThis.performance), 'timeOrigin', { get: refuse('performance.timeOrigin') }],
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

/** `Date()` without `new` is the present as text. */
const guardedDate = new Proxy(GuardedDate, { apply: () => refuseDate() });

/** Runs work with the guard, and takes it away afterwards. Rejects with what the work read. */
export const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const replacements = [
    ...targets.map(([owner, name, what]) => {
      // A property of the real function, such as `hrtime.bigint`, refuses as well.
      const value = new Proxy(refuse(what), { get: () => refuse(what) });
      return [owner, name, { value, writable: true } as PropertyDescriptor] as const;
    }),
    ...accessors,
  ];
  const kept = replacements.map(
    ([owner, name]) => [owner, name, Object.getOwnPropertyDescriptor(owner, name)] as const,
  );
  const { env } = process;
  seen.length = 0;
  for (const [owner, name, descriptor] of replacements)
    Object.defineProperty(owner, name, { ...descriptor, configurable: true });
  globalThis.Date = guardedDate as unknown as DateConstructor;
  const environment = new Proxy(env, { get: (_, name) => refuse(`the variable ${String(name)}`)() });
  Object.defineProperty(process, 'env', { value: environment, writable: true, configurable: true });
  syncBuiltinESMExports();
  try {
    const result = await work();
    // Its trace says where the machine was read.
    const [first] = seen;
    if (first) throw first;
    return result;
  } finally {
    for (const [owner, name, descriptor] of kept) {
      if (descriptor) Object.defineProperty(owner, name, descriptor);
      else Reflect.deleteProperty(owner, name);
    }
    globalThis.Date = RealDate;
    Object.defineProperty(process, 'env', { value: env, writable: true, configurable: true });
    syncBuiltinESMExports();
  }
};
