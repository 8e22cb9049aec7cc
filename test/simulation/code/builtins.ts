/**
 * The doubles of Node's modules that the service's script gets. What only computes is the real module; what
 * reads clock, randomness or files of the machine, or works in another thread, is replaced.
 */
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import zlib from 'node:zlib';
import type { Random } from '../world/random.ts';

const requireReal = createRequire(import.meta.url);

export type Timers = {
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** The functions of `node:timers`. */
  callbacks: Record<string, unknown>;
};

type Callback = (error: unknown, value?: unknown) => void;

/** Modules that only compute. */
const pure = [
  'node:async_hooks',
  'node:buffer',
  'node:events',
  'node:net',
  'node:path',
  'node:querystring',
  'node:stream',
  'node:string_decoder',
  'node:url',
  'node:util',
  'node:util/types',
];

/** Modules that the script imports for what a simulation never does. Using one is an error. */
const unused = ['child_process', 'fs', 'http', 'https', 'module', 'os', 'tls'];

const kept = new Map<string, unknown>();

const mostKeptBytes = 32 * 1024 * 1024;

type Results = Map<string, Buffer>;

/**
 * Keeps results of pure functions of bytes and texts: worlds compress and unpack the same pages again and
 * again. A text is its own key: a long one is hashed once.
 */
const remembered = (work: (input: Buffer, options?: object) => Buffer) => {
  const results = new Map<string, Results>();
  let kept = 0;
  return (input: Buffer | string, options?: object): Buffer => {
    const kind = `${typeof input} ${options ? JSON.stringify(options) : ''}`;
    const ofKind: Results = results.get(kind) ?? new Map();
    const key = typeof input === 'string' ? input : Buffer.from(input).toString('latin1');
    const known = ofKind.get(key);
    if (known) return known;
    const result = work(Buffer.from(input as string), options);
    const size = result.length + key.length;
    kept += size;
    if (kept > mostKeptBytes) {
      results.clear();
      ofKind.clear();
      kept = size;
    }
    results.set(kind, ofKind.set(key, result));
    return result;
  };
};

/** At the fastest level: how small the results are is no part of a world. */
const fastest = { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 };

const sync: Record<string, (input: Buffer | string, options?: object) => Buffer> = {
  gzip: remembered((input, options) => zlib.gzipSync(input, { ...options, level: 1 })),
  gunzip: remembered(zlib.gunzipSync),
  deflateRaw: remembered(zlib.deflateRawSync),
  inflateRaw: remembered(zlib.inflateRawSync),
  brotliCompress: remembered((input, options: zlib.BrotliOptions = {}) =>
    zlib.brotliCompressSync(input, { ...options, params: { ...options.params, ...fastest } }),
  ),
  brotliDecompress: remembered(zlib.brotliDecompressSync),
};

/** The real functions work in other threads, which end in any order. */
const inThisThread = Object.fromEntries(
  Object.entries(sync).map(([name, work]) => [
    name,
    (input: Buffer, options: object | Callback, done?: Callback) => {
      const callback = (done ?? options) as Callback;
      let value: Buffer;
      try {
        value = work(input, done ? (options as object) : undefined);
      } catch (error) {
        process.nextTick(callback, error);
        return;
      }
      process.nextTick(callback, null, value);
    },
  ]),
);

const compression = { ...zlib, ...inThisThread, gzipSync: sync.gzip };

const readFile = (path: string | URL, encoding?: BufferEncoding | { encoding: BufferEncoding }) => {
  const key = `${path} ${JSON.stringify(encoding)}`;
  if (!kept.has(key)) kept.set(key, encoding ? readFileSync(path, encoding) : readFileSync(path));
  return Promise.resolve(kept.get(key));
};

/** `node:fs/promises`, with the function that modules read the project's files with. */
export const files = { readFile };

/** The functions of the real module, some of which Node makes when they are asked for. */
const realCrypto = { ...crypto };

const refusing = (name: string) =>
  new Proxy(
    {},
    {
      get: (_, member) => {
        if (member === '__esModule' || typeof member === 'symbol') return undefined;
        return class {
          constructor() {
            throw new Error(`A simulation has no ${name}.${String(member)}`);
          }
        };
      },
    },
  );

const uuidOf = (bytes: Buffer): string => {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** A name server that knows every name. */
const names = {
  Resolver: class {
    setServers() {}
    cancel() {}
    resolve4() {
      return Promise.resolve(['93.184.216.34']);
    }
    resolve6() {
      return Promise.resolve([]);
    }
  },
  lookup: () => Promise.resolve([{ address: '93.184.216.34', family: 4 }]),
};

/** Runs the script at once: the limit of processor time is that of a machine. */
const scripts = {
  createContext: (context: object) => context,
  Script: class {
    runInContext(context: { run: () => unknown }) {
      return context.run();
    }
  },
};

export const builtinsOf = (random: Random, { sleep, callbacks }: Timers): ((name: string) => unknown) => {
  const own: Record<string, unknown> = {
    'node:crypto': {
      ...realCrypto,
      randomBytes: (size: number) => random.bytes(size),
      randomUUID: () => uuidOf(random.bytes(16)),
      randomInt: (from: number, to?: number) =>
        to === undefined ? random.int(from) : from + random.int(to - from),
    },
    'node:dns/promises': names,
    'node:fs/promises': files,
    'node:timers': { ...callbacks },
    'node:timers/promises': {
      setTimeout: (milliseconds: number, value?: unknown, options?: { signal?: AbortSignal }) =>
        sleep(milliseconds, options?.signal).then(() => value),
    },
    'node:vm': scripts,
    'node:zlib': compression,
  };
  for (const double of Object.values(own)) Object.assign(double as object, { default: double });
  return (given) => {
    if (!isBuiltin(given)) return undefined;
    const name = `node:${given.replace('node:', '')}`;
    if (own[name]) return own[name];
    if (pure.includes(name)) return requireReal(name);
    if (unused.includes(name.replace('node:', ''))) return refusing(name);
    return undefined;
  };
};
