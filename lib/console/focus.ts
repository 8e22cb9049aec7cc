/**
 * Where the focus goes when its element is disabled or removed. The browser then gives it to the page, and a
 * screen reader begins at the top.
 */

const focusable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary';

/** The element itself, or the first one in it, that can have the focus. */
const firstIn = (element: HTMLElement): HTMLElement | null =>
  element.matches(focusable) ? element : element.querySelector<HTMLElement>(focusable);

/** The element and what it is in, up to the content of the page. */
const placesOf = (element: Element | null): HTMLElement[] => {
  const places: HTMLElement[] = [];
  for (let at = element; at instanceof HTMLElement && !at.matches('main, body'); at = at.parentElement)
    places.push(at);
  return places;
};

/**
 * Remembers where the focus is. The returned function gives it back if the browser has taken it away: to the
 * same element, or if that is gone, to the first one of what it was in.
 */
export const rememberFocus = (): (() => void) => {
  const places = placesOf(document.activeElement);
  return () => {
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const left = places.find((place) => place.isConnected && firstIn(place));
    if (left) firstIn(left)?.focus({ preventScroll: true });
  };
};
