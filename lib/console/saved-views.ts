/**
 * Saved views of the keywords of a project: names for addresses, which have all state of a view. They are
 * kept in this browser, for each user and project.
 */

/** `query`: the part of the address that a view keeps, such as `tag=brand&sort=movement`. */
export type SavedView = { name: string; query: string };

export const maxNameLength = 60;
export const maxViews = 200;

/** What belongs to a moment, not to a view: the tab, and where in the list a person was. */
const passing = ['tab', 'cursor', 'page'];

/** The part of an address that a view keeps, in one order. */
export const keptQuery = (query: URLSearchParams): string => {
  const kept = [...query].filter(([name, value]) => !passing.includes(name) && value !== '');
  return new URLSearchParams(kept.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
};

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'query' in value &&
  typeof value.name === 'string' &&
  value.name !== '' &&
  typeof value.query === 'string';

/** The views in a stored text, which may be anything. */
export const viewsIn = (text: string | null): SavedView[] => {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value)
      ? value
          .filter(isView)
          .map(({ name, query }) => ({ name, query: keptQuery(new URLSearchParams(query)) }))
      : [];
  } catch {
    return [];
  }
};

/** Signs that cannot be seen, and those that turn the direction of the text after them. */
const unseen = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** A name as it is kept; empty if nothing of it can be seen. */
export const cleanName = (name: string): string => {
  const text = name.normalize('NFC').toWellFormed().replace(/\s+/g, ' ').replace(unseen, '').trim();
  return /[^\p{Cf}\p{Z}\p{M}]/u.test(text) ? [...text].slice(0, maxNameLength).join('') : '';
};

/**
 * The views with one more. A view with the same name, in either case, is replaced. Null: there are as many as
 * can be kept.
 */
export const withView = (views: readonly SavedView[], name: string, query: string): SavedView[] | null => {
  const clean = cleanName(name);
  if (clean === '') return [...views];
  const others = views.filter((each) => each.name.toLowerCase() !== clean.toLowerCase());
  if (others.length >= maxViews) return null;
  return [...others, { name: clean, query }].toSorted((a, b) => a.name.localeCompare(b.name));
};

export const storageKey = (userId: number, projectId: string): string => `views/${userId}/${projectId}`;

/** Forgets the views of a project that was deleted. */
export const forgetViews = (userId: number, projectId: string): void => {
  try {
    localStorage.removeItem(storageKey(userId, projectId));
  } catch {
    // A browser without storage has no views.
  }
};
