/** The keys of a list: `/` goes to the search, `j` to the next row, `k` to the one before. */
import { useEffect } from 'preact/hooks';

/** Whether the person types text somewhere. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Moves the focus to a link in the first cell of the next row, or of the one before. */
const step = (by: 1 | -1): void => {
  const links: Element[] = [...document.querySelectorAll('.keywords tbody th a')];
  const at = links.indexOf(document.activeElement ?? document.body);
  const next = links[at === -1 ? (by === 1 ? 0 : links.length - 1) : at + by];
  if (!(next instanceof HTMLElement)) return;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
};

/** Lets the keys work as long as the view is there. */
export const useRowKeys = (): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') document.querySelector<HTMLElement>('.filters input[type=search]')?.focus();
      else if (event.key === 'j') step(1);
      else if (event.key === 'k') step(-1);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
};
