/** Finds the name that somebody probably meant. */

/**
 * The number of edits (a letter added, removed or replaced, or two neighbours swapped) that turn `from` into
 * `to`.
 */
export const editDistance = (from: string, to: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      now[column] = Math.min(
        now[column - 1]! + 1,
        last[column]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwap ? before[column - 2]! + 1 : Infinity,
      );
    }
    [before, last] = [last, now];
  }
  return last[to.length]!;
};

/** A long name leaves more room for typing errors. */
const editsAllowed = (name: string): number => (name.length >= 9 ? 2 : 1);

/**
 * The name that `word` differs from by one edit, or by two if the name is long; case is ignored. Undefined if
 * there is none.
 */
export const nearest = <Name extends string>(word: string, names: readonly Name[]): Name | undefined => {
  const from = word.toLowerCase();
  return (
    names
      .map((name) => ({ name, to: name.toLowerCase() }))
      // Each letter more or less is an edit. Most names differ in length, and counting edits takes longer.
      .filter(({ name, to }) => Math.abs(to.length - from.length) <= editsAllowed(name))
      .map(({ name, to }) => ({ name, edits: editDistance(from, to) }))
      .filter(({ name, edits }) => edits <= editsAllowed(name))
      .sort((a, b) => a.edits - b.edits)[0]?.name
  );
};
