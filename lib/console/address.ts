/**
 * Addresses inside the console. They are in the hash, so that each view has a link and the server needs to
 * know none of them.
 */

export type Address = { path: string[]; query: URLSearchParams };

/** Reads a hash such as `#/tasks/v2/17?tab=json`. */
export const addressOf = (hash: string): Address => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const decode = (part: string): string => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
    query: new URLSearchParams(query),
  };
};

/** The hash of a view. Values that are undefined or empty are left out. */
export const hrefOf = (
  path: readonly (string | number)[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${path.map((part) => encodeURIComponent(part)).join('/')}${search && `?${search}`}`;
};
