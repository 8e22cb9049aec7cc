/** The kinds of searches whose cost is measured. */

/** How every page of a search was read: over plain HTTP, or in the browser after two refusals over HTTP. */
export type Path = 'HTTP' | 'browser';

export type Kind = { path: Path; depth: number; webhook: boolean };

export const kinds: Kind[] = (['HTTP', 'browser'] as const).flatMap((path) =>
  [10, 100].flatMap((depth) => [false, true].map((webhook) => ({ path, depth, webhook }))),
);

/** `HTTP, depth 10, webhook`. */
export const nameOf = ({ path, depth, webhook }: Kind): string =>
  `${path}, depth ${depth}${webhook ? ', webhook' : ''}`;

/** Searches of a measured batch: 100, or fewer where 100 would take minutes on a laptop. */
export const batchOf = ({ path, depth }: Kind): number => {
  if (path === 'HTTP') return depth === 10 ? 100 : 10;
  return depth === 10 ? 10 : 2;
};
