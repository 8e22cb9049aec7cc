/** The part of dynalite that we use; the package brings no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  type Options = { path?: string; createTableMs?: number; updateTableMs?: number; deleteTableMs?: number };
  export default function dynalite(options?: Options): Server;
}
