/** S3 in this process: the operations that the service uses. */
import { AwsFault } from '../code/sdk.ts';

type Stored = { bytes: Buffer; at: number; headers: Record<string, unknown> };
type Input = Record<string, unknown>;

const missing = () => new AwsFault('NoSuchKey', 'The specified key does not exist.', 404);

const bodyOf = (bytes: Buffer) => ({
  transformToByteArray: async () => new Uint8Array(bytes),
  transformToString: async () => bytes.toString('utf8'),
});

export type Objects = {
  call: (operation: string, input: Input) => unknown;
  keys: () => string[];
  has: (key: string) => boolean;
  /** When an object was stored (milliseconds). */
  storedAt: (key: string) => number;
  /** Deletes the objects of which `isGone` says so, by key and time of storage. Returns their number. */
  expire: (isGone: (key: string, storedAt: number) => boolean) => number;
};

const mostPerList = 1000;

export const newObjects = (now: () => number): Objects => {
  const stored = new Map<string, Stored>();
  const find = (input: Input): Stored => {
    const found = stored.get(String(input.Key));
    if (!found) throw missing();
    return found;
  };
  const list = ({ Prefix = '', ContinuationToken = '', MaxKeys = mostPerList }: Input) => {
    const keys = [...stored.keys()]
      .filter((key) => key.startsWith(String(Prefix)) && key > String(ContinuationToken))
      .sort();
    const page = keys.slice(0, Number(MaxKeys));
    const isCut = page.length < keys.length;
    return {
      KeyCount: page.length,
      IsTruncated: isCut,
      ...(isCut && { NextContinuationToken: page.at(-1) }),
      ...(page.length > 0 && {
        Contents: page.map((Key) => ({ Key, Size: stored.get(Key)?.bytes.length })),
      }),
    };
  };
  const operations: Record<string, (input: Input) => unknown> = {
    PutObject: ({ Bucket: _bucket, Key, Body, ...headers }) => {
      stored.set(String(Key), { bytes: Buffer.from(Body as string), at: now(), headers });
      return {};
    },
    GetObject: (input) => {
      const { bytes, headers } = find(input);
      return { ...headers, ContentLength: bytes.length, Body: bodyOf(bytes) };
    },
    HeadObject: (input) => {
      const found = stored.get(String(input.Key));
      if (!found) throw new AwsFault('NotFound', 'UnknownError', 404);
      return { ...found.headers, ContentLength: found.bytes.length };
    },
    CopyObject: ({ CopySource, Key }) => {
      const source = String(CopySource);
      stored.set(String(Key), { ...find({ Key: source.slice(source.indexOf('/') + 1) }), at: now() });
      return { CopyObjectResult: {} };
    },
    HeadBucket: () => ({}),
    DeleteObject: ({ Key }) => {
      stored.delete(String(Key));
      return {};
    },
    DeleteObjects: ({ Delete }) => {
      for (const { Key } of (Delete as { Objects: { Key: string }[] }).Objects) stored.delete(Key);
      return {};
    },
    ListObjectsV2: list,
  };
  return {
    call: (operation, input) => {
      const run = operations[operation];
      if (!run) throw new Error(`The simulated S3 has no ${operation}`);
      return run(input);
    },
    keys: () => [...stored.keys()].sort(),
    has: (key) => stored.has(key),
    storedAt: (key) => stored.get(key)?.at ?? now(),
    expire: (isGone) => {
      const gone = [...stored].filter(([key, { at }]) => isGone(key, at));
      for (const [key] of gone) stored.delete(key);
      return gone.length;
    },
  };
};
