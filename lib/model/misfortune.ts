/** The misfortunes of the sandbox by name: each is a way in which a real engine fails. */
import * as v from 'valibot';

export const Misfortune = v.picklist([
  'captcha',
  'script_wall',
  'consent',
  'soft_block',
  'slow',
  'cut',
  'reset',
  'decoy',
  'empty',
  'canned',
  'opaque_links',
  'drift',
  'http_500',
  'http_429',
]);
export type Misfortune = v.InferOutput<typeof Misfortune>;

export const isMisfortune = (name: string): name is Misfortune => v.is(Misfortune, name);

/**
 * The misfortunes of the sources of keyword data. `malformed`: data in an unknown format. `down`: nothing
 * accepts connections.
 */
export const SourceMisfortune = v.picklist([
  'captcha',
  'soft_block',
  'slow',
  'cut',
  'reset',
  'empty',
  'malformed',
  'down',
  'http_500',
  'http_429',
]);
export type SourceMisfortune = v.InferOutput<typeof SourceMisfortune>;

export const isSourceMisfortune = (name: string): name is SourceMisfortune => v.is(SourceMisfortune, name);
