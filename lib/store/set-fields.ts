/** Updates of single fields of an item. */

/**
 * The parts of an update that sets some fields and removes others. A field `a` is `#a` in expressions, and
 * its new value `:a`.
 */
export const setFields = (set: Readonly<Record<string, unknown>>, removed: readonly string[] = []) => {
  const fields = Object.keys(set);
  return {
    UpdateExpression: [
      ...(fields.length > 0 ? [`SET ${fields.map((name) => `#${name} = :${name}`).join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ExpressionAttributeNames: Object.fromEntries([...fields, ...removed].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(fields.map((name) => [`:${name}`, set[name]])),
  };
};
