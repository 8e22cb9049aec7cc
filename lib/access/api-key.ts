/**
 * API keys: `serp_`, 40 characters of base62, 6 characters of checksum (Reading 23). Only their SHA-256 is
 * stored.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const checksum = (secret: string): string => {
  let rest = crc32(secret);
  let digits = '';
  while (digits.length < 6) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
};

export const makeApiKey = (): string => {
  const secret = Array.from({ length: 40 }, () => base62.charAt(randomInt(62))).join('');
  return `serp_${secret}${checksum(secret)}`;
};

/**
 * Whether a text has the form of an API key. A mistyped or invented key is refused without reading the table.
 */
export const isApiKey = (text: string): boolean => {
  const parts = /^serp_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/.exec(text);
  return parts?.[1] !== undefined && checksum(parts[1]) === parts[2];
};

export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');
