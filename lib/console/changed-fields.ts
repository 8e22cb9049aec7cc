/** What a person has changed in a form. */

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The fields of a form that differ from those with which it was opened: what was changed elsewhere since then
 * stays as it is.
 */
export const changedFields = <Fields extends object>(opened: Fields, present: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(present).filter(([name, value]) => !isSame(value, opened[name as keyof Fields])),
  ) as Partial<Fields>;
