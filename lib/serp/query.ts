/** Compares queries, for all engines. */

/**
 * Reduces a query to its letters and digits, because quotes, operators and spacing do not matter. Signs after
 * a letter count: `C++` and `C#` are two queries. A query without letters and digits stays as it is.
 */
export const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}+#]+|(?<![\p{L}\p{M}\p{N}+#])[+#]+/gu, '') || text.trim();

export const isSameQuery = (one: string, other: string): boolean =>
  one === other || normalized(one) === normalized(other);
