/** A page that is made to keep the reader busy, in any size. */
import type { EngineName } from '../../lib/model/engine.ts';

export type HostilePage = {
  engine: EngineName;
  name: string;
  /** The page with so many characters, or some more. */
  of: (bytes: number) => string;
};
