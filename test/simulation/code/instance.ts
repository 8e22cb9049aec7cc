/**
 * A process of the service: one run of its script, with a clock, randomness, timers, an environment and AWS
 * clients of the world. Its modules keep their state until it is thrown away.
 */
import { isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import type { Random } from '../world/random.ts';
import type { Scheduler, Timer } from '../world/scheduler.ts';
import { builtinsOf, files } from './builtins.ts';
import { type Code, root } from './bundle.ts';
import { rememberPages } from './remembered-pages.ts';
import { requireOnce } from './require-once.ts';
import { sdkOf, type Transport } from './sdk.ts';
import { webCrypto } from './web-crypto.ts';

const rootUrl = pathToFileURL(root).href;

const parameters = [
  'module',
  'exports',
  'require',
  'moduleUrl',
  'network',
  'isNextRelease',
  'isWide',
  'process',
  'Date',
  'Math',
  'performance',
  'console',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'fetch',
  'crypto',
  'AbortSignal',
] as const;

export type Script = {
  run: (...values: unknown[]) => void;
  pure: Record<string, unknown>;
  /** What the script imports from packages of the AWS SDK. */
  sdkNames: ReadonlySet<string>;
};

/** Packages that open connections or start programs, and imports that only the site has. */
const doubled = ['undici', 'puppeteer-core', '@sparticuz/chromium', '#console', '#docs'];

/** Compiles the code once for all processes that run it, and loads its pure modules. */
export const compile = ({ service, pure }: Code): Script => {
  const module = { exports: {} as Record<string, object> };
  // Loaded before any world begins: what loads a package may read the machine.
  for (const [, name = ''] of service.matchAll(/\brequire\("([^"]+)"\)/g)) {
    if (!isBuiltin(name) && !name.startsWith('pure:') && !doubled.includes(name)) requireOnce(name);
  }
  compileFunction(pure, ['module', 'exports', 'require', 'moduleUrl'], { filename: 'pure' })(
    module,
    module.exports,
    (name: string) => (name === 'node:fs/promises' ? files : requireOnce(name)),
    rootUrl,
  );
  // The script exports getters, which processes would call at each use.
  const modules = Object.fromEntries(
    Object.entries(module.exports).map(([file, members]) => [file, { ...members }]),
  );
  rememberPages(modules);
  return {
    run: compileFunction(service, [...parameters], { filename: 'service' }) as Script['run'],
    pure: modules,
    sdkNames: new Set(
      [...service.matchAll(/\bimport_(?:client|lib)_\w+\.(\w+)/g)].map(([, name = '']) => name),
    ),
  };
};

export type Network = {
  post: (post: {
    url: string;
    headers: Record<string, string>;
    body: string | Uint8Array;
  }) => Promise<unknown>;
  call: (call: { url: string; body?: string }) => Promise<unknown>;
  /** Called as a page is requested from an engine. */
  page: (page: RequestedPage) => void;
  /** Called as the text of the AI overview of a page is requested. The number of the page is negative. */
  overview: (page: RequestedPage) => void;
  /**
   * Called as something is requested from a source of keyword data. Gives the answer; undefined if the
   * sandbox gives it.
   */
  source: (request: SourceRequest) => Promise<SourceAnswer | undefined>;
  /** What all requests to sources of keyword data meet; empty: nothing. */
  misfortune: () => string;
};

/** A request to a source of keyword data. `body`: empty if it has none. */
export type SourceRequest = { url: string; body: string };

/** An answer of a source over HTTP. */
export type SourceAnswer = { status: number; headers: Record<string, string>; body: string };

/** A page of a run of a task. */
export type RequestedPage = { engine: string; id: number; attempt: number; page: number };

export type Exports = Record<string, (...values: never[]) => unknown>;

export type Instance = {
  exports: Exports;
  /** After it, no call and no timer of the process goes on. */
  kill: () => void;
  isDead: () => boolean;
};

export type InstanceOptions = {
  scheduler: Scheduler;
  random: Random;
  environment: Record<string, string>;
  /** Whether the process runs the release that writes the next version of each layout. */
  isNextRelease: boolean;
  /** Whether the tables have as many partitions as on AWS. */
  isWide: boolean;
  /** Milliseconds by which the clock of the process is ahead. */
  skewMs: number;
  transport: Transport;
  network: Network;
  /** Receives each line that the process logs. */
  onLog: (line: string) => void;
};

/** A dispatcher of undici that connects to nothing. */
class Unconnected {
  request(): never {
    throw new Error('A simulated process has no connections');
  }
}

/** A promise of each caller's own: a common one would keep all that wait for it. */
const never = () => new Promise<never>(() => {});

/** Work of a process that was killed never ends, and no other process learns of it. */
const untilKilled =
  <Values extends unknown[], Result>(isDead: () => boolean, work: (...values: Values) => Promise<Result>) =>
  async (...values: Values): Promise<Result> => {
    if (isDead()) return never();
    try {
      const result = await work(...values);
      return isDead() ? never() : result;
    } catch (error) {
      if (isDead()) return never();
      throw error;
    }
  };

const dateOf = (now: () => number) =>
  class extends Date {
    constructor(...values: unknown[]) {
      super(...((values.length === 0 ? [now()] : values) as [number]));
    }
    static override now = now;
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.toString.call(value) === '[object Date]';
    }
  };

const timersOf = (scheduler: Scheduler, isDead: () => boolean) => {
  const handle = (timer: Timer) => ({ ...timer, ref() {}, unref() {}, hasRef: () => false });
  const unlessDead = (run: (...values: unknown[]) => void, values: unknown[]) => () => {
    if (!isDead()) run(...values);
  };
  const clear = (timer?: { cancel?: () => void } | null) => timer?.cancel?.();
  return {
    setTimeout: (run: () => void, milliseconds = 0, ...values: unknown[]) =>
      handle(scheduler.after(milliseconds, unlessDead(run, values))),
    setImmediate: (run: () => void, ...values: unknown[]) =>
      handle(scheduler.after(0, unlessDead(run, values))),
    setInterval: () => {
      throw new Error('A simulated process has no intervals');
    },
    clearTimeout: clear,
    clearInterval: clear,
  };
};

/** `AbortSignal`, whose timeouts are those of the world. */
const signalsOf = (setTimer: (run: () => void, milliseconds: number) => unknown) =>
  Object.assign(Object.create(AbortSignal), {
    any: (signals: AbortSignal[]) => AbortSignal.any(signals),
    abort: (reason?: unknown) => AbortSignal.abort(reason),
    timeout: (milliseconds: number) => {
      const controller = new AbortController();
      setTimer(
        () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
        milliseconds,
      );
      return controller.signal;
    },
  });

const processOf = (environment: Record<string, string>, now: () => number, onLog: (line: string) => void) => {
  const stream = { write: (line: string) => onLog(line), isTTY: false, on() {}, once() {}, emit() {} };
  return {
    env: environment,
    stdout: stream,
    stderr: stream,
    pid: 1,
    platform: 'linux',
    arch: 'x64',
    version: 'v24.0.0',
    versions: { node: '24.0.0' },
    argv: ['node'],
    execArgv: [],
    on() {},
    once() {},
    emitWarning() {},
    cwd: () => '/',
    nextTick: process.nextTick,
    uptime: () => 0,
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0 }),
    threadCpuUsage: () => ({ user: 0, system: 0 }),
    hrtime: Object.assign(() => [Math.floor(now() / 1000), 0], {
      bigint: () => BigInt(Math.floor(now() * 1e6)),
    }),
  };
};

export const start = (script: Script, options: InstanceOptions): Instance => {
  const { scheduler, random, environment, skewMs, onLog } = options;
  let dead = false;
  const isDead = () => dead;
  const now = () => Math.floor(scheduler.now() + skewMs);
  const sleep = untilKilled(isDead, (milliseconds: number) => scheduler.sleep(milliseconds));
  const timers = timersOf(scheduler, isDead);
  const abortable = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    signal
      ? new Promise((resolve, reject) => {
          const timer = timers.setTimeout(resolve, milliseconds);
          signal.addEventListener('abort', () => {
            timer.cancel();
            reject(signal.reason);
          });
        })
      : sleep(milliseconds);
  const builtin = builtinsOf(random, { sleep: abortable, callbacks: timers });
  const sdk = sdkOf(script.sdkNames, untilKilled(isDead, options.transport), random, sleep);
  const requirePackage = (name: string): unknown => {
    const double = builtin(name) ?? sdk(name);
    if (double) return double;
    if (name === 'undici') return { Agent: Unconnected, Client: Unconnected, ProxyAgent: Unconnected };
    if (name === 'puppeteer-core' || name === '@sparticuz/chromium') return {};
    return script.pure[name.replace('pure:', '')] ?? requireOnce(name);
  };
  const SimulatedDate = dateOf(now);
  const log = (...values: unknown[]) => onLog(values.map(String).join(' '));
  const module = { exports: {} as Exports };
  const { post, call, source, ...others } = options.network;
  const network = {
    post: untilKilled(isDead, post),
    call: untilKilled(isDead, call),
    ...others,
    source: untilKilled(isDead, source),
  };
  script.run(
    module,
    module.exports,
    requirePackage,
    rootUrl,
    network,
    options.isNextRelease,
    options.isWide,
    processOf(environment, now, onLog),
    SimulatedDate,
    Object.create(Math, { random: { value: random.next } }),
    { now: () => scheduler.now(), timeOrigin: 0 },
    { log, info: log, warn: log, error: log, debug: log },
    timers.setTimeout,
    timers.clearTimeout,
    timers.setInterval,
    timers.clearInterval,
    timers.setImmediate,
    () => {
      throw new Error('A simulated process has no network');
    },
    webCrypto,
    signalsOf(timers.setTimeout),
  );
  return {
    exports: module.exports,
    kill: () => {
      dead = true;
    },
    isDead,
  };
};
