/**
 * Addresses inside the console. They are in the hash, so that each view has a link and the server needs to
 * know none of them. All state of a view that is not typed into a form is in its address.
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

type Query = Readonly<Record<string, string | number | undefined>>;

/** The hash of a view. Values that are undefined or empty are left out. */
export const hrefOf = (path: readonly (string | number)[], query: Query = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${path.map((part) => encodeURIComponent(part)).join('/')}${search && `?${search}`}`;
};

/** The hash of the same view with some values changed. Undefined or empty removes a value. */
export const hrefWith = (changes: Query, hash = location.hash): string => {
  const { path, query } = addressOf(hash);
  return hrefOf(path, { ...Object.fromEntries(query), ...changes });
};

/** The views follow at once; the event of the browser comes later. */
const tellViews = (): void => {
  dispatchEvent(new HashChangeEvent('hashchange'));
};

/** Opens the same view with some values changed. */
export const changeQuery = (changes: Query): void => {
  location.hash = hrefWith(changes);
  tellViews();
};

/** As `changeQuery`, for what the way back skips, such as tabs. */
export const replaceQuery = (changes: Query): void => {
  history.replaceState(null, '', hrefWith(changes));
  tellViews();
};
