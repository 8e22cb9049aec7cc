/** The part of Web Crypto that signs tokens. The real one works in another thread. */
import { createHmac } from 'node:crypto';

type Hmac = { name: 'HMAC'; hash: string };

type Key = { algorithm: { name: 'HMAC'; hash: { name: string } }; usages: string[]; bytes: Uint8Array };

const mac = ({ hash }: Hmac, { bytes }: Key, data: Uint8Array): Buffer =>
  createHmac(hash.replace('-', '').toLowerCase(), bytes).update(data).digest();

const subtle = {
  importKey: (_: 'raw', bytes: Uint8Array, { name, hash }: Hmac, _extractable: boolean, usages: string[]) =>
    Promise.resolve<Key>({ algorithm: { name, hash: { name: hash } }, usages, bytes }),
  sign: (algorithm: Hmac, key: Key, data: Uint8Array) => Promise.resolve(mac(algorithm, key, data)),
  verify: (algorithm: Hmac, key: Key, signature: Uint8Array, data: Uint8Array) =>
    Promise.resolve(mac(algorithm, key, data).equals(signature)),
};

export const webCrypto = { subtle };
