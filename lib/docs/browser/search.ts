/**
 * The search of the documentation, in a dialog. It loads its text when the dialog opens for the first time.
 */
import MiniSearch from 'minisearch';
import { type Section, wordsIn } from '../section.ts';

const maxResults = 20;

/** Characters of the text of a section that a result shows before and after the first word that was found. */
const around = { before: 60, after: 140 };

type Found = { section: Section; words: string[] };

const loadIndex = async (base: string): Promise<(query: string) => Found[]> => {
  const response = await fetch(`${base}docs/search.json`);
  const sections: Section[] = await response.json();
  const index = new MiniSearch({
    fields: ['heading', 'title', 'names', 'text'],
    tokenize: wordsIn,
    searchOptions: {
      boost: { heading: 3, title: 2, names: 4 },
      combineWith: 'AND',
      prefix: true,
      fuzzy: 0.15,
    },
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return (query) =>
    index
      .search(query)
      .slice(0, maxResults)
      .flatMap(({ id, terms }) => {
        const section = sections[id];
        return section ? [{ section, words: terms }] : [];
      });
};

/** The part of a text around the first of the words, with every word marked. */
const excerpt = (text: string, words: string[]): Node[] => {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = Math.max(0, Math.min(...places, text.length) - around.before);
  const from = places.length > 0 ? first : 0;
  const part = text.slice(from, from + around.before + around.after);
  const nodes: Node[] = from > 0 ? [document.createTextNode('… ')] : [];
  let end = 0;
  while (end < part.length) {
    const rest = part.slice(end).toLowerCase();
    const [next] = words
      .map((word) => ({ at: rest.indexOf(word), length: word.length }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => one.at - other.at || other.length - one.length);
    if (!next) break;
    const mark = document.createElement('mark');
    mark.textContent = part.slice(end + next.at, end + next.at + next.length);
    nodes.push(document.createTextNode(part.slice(end, end + next.at)), mark);
    end += next.at + next.length;
  }
  return [...nodes, document.createTextNode(part.slice(end))];
};

const itemFor = (base: string, { section, words }: Found): HTMLLIElement => {
  const { page, title, heading, anchor, text } = section;
  const link = document.createElement('a');
  link.href = `${base}docs${page === 'index' ? '' : `/${page}`}${anchor === '' ? '' : `#${anchor}`}`;
  const where = document.createElement('strong');
  where.textContent = heading === '' ? title : `${title} › ${heading}`;
  const shown = document.createElement('span');
  shown.append(...excerpt(text, words));
  link.append(where, shown);
  const item = document.createElement('li');
  item.append(link);
  return item;
};

const messageFor = (query: string, count: number): string => {
  if (query === '') return '';
  if (count === 0) return 'Nothing found. Try fewer words.';
  return count === 1 ? '1 section' : `${count} sections`;
};

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

/** Moves the focus between the field and the results. */
const moveFocus = (event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [input, ...list.querySelectorAll('a')];
  const next = stops[stops.indexOf(document.activeElement as HTMLInputElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
};

export const prepareSearch = (): void => {
  const base = document.querySelector<HTMLScriptElement>('script[data-base]')?.dataset.base ?? '';
  const opener = document.querySelector<HTMLButtonElement>('#open-search');
  const dialog = document.querySelector<HTMLDialogElement>('#search');
  const input = document.querySelector<HTMLInputElement>('#query');
  const status = document.querySelector('#found');
  const list = document.querySelector<HTMLElement>('#results');
  if (!opener || !dialog || !input || !status || !list) return;

  let loading: ReturnType<typeof loadIndex> | undefined;

  const show = async (): Promise<void> => {
    const query = input.value.trim();
    try {
      loading ??= loadIndex(base);
      const found = (await loading)(query);
      if (query !== input.value.trim()) return;
      status.textContent = messageFor(query, found.length);
      list.replaceChildren(...found.map((each) => itemFor(base, each)));
    } catch {
      loading = undefined;
      status.textContent = 'The search could not be loaded. Try it again.';
    }
  };

  const open = (): void => {
    dialog.showModal();
    input.focus();
    input.select();
    void show();
  };

  opener.hidden = false;
  opener.addEventListener('click', open);
  dialog.querySelector('#close-search')?.addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', (event) => moveFocus(event, input, list));
  list.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a')) dialog.close();
  });
  input.addEventListener('input', () => void show());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || dialog.open || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey)
      return;
    event.preventDefault();
    open();
  });
};
