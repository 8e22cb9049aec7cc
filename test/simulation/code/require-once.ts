/** Loads packages that all processes of all worlds share. */
import { createRequire } from 'node:module';

const requirePackage = createRequire(import.meta.url);

const loaded = new Map<string, unknown>();

/** Gives a package. Node looks for it once, which it otherwise does at each call. */
export const requireOnce = <Package = unknown>(name: string): Package => {
  const known = loaded.get(name) ?? requirePackage(name);
  loaded.set(name, known);
  return known as Package;
};
