/** The parsed items on a rebuilt page: where they are, and their marks. */

/** What is looked for on the page. */
export type Sought = { title: string; url: string; terms?: readonly string[] | undefined };

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** An address without what may differ between two links to the same page. */
const keyOf = (url: string): string =>
  url
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/#.*$/s, '')
    .replace(/(?<!\/)\/+$/, '')
    .toLowerCase();

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Some redirects have their target in base64, after `u=a1`. */
const unpacked = (text: string): string => {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
};

/** The addresses in a link: its own, and the targets that redirects of engines have as parameters. */
export const addressesIn = (href: string): string[] => {
  const text = decoded(href);
  const packed = /[?&]u=a1([\w-]+)/.exec(href)?.[1];
  return [
    href,
    ...[...text.matchAll(/https?:\/\/[^\s"'<>]+/gi)].flatMap(([all]) => [
      all,
      all.replace(/&.*$/, ''),
      all.replace(/\/R[KS]=.*$/, ''),
    ]),
    ...(packed ? [unpacked(packed)] : []),
  ];
};

/** Text of a block at most, so that a lonely item does not mark the whole page. */
const maxBlockText = 1800;

const add = <Key>(map: Map<Key, Element[]>, key: Key, element: Element): void => {
  const list = map.get(key);
  if (list) list.push(element);
  else map.set(key, [element]);
};

/**
 * The block of each item on the page, by its link or its title; null if it cannot be found. A block is the
 * largest element around the link that has no other item in it.
 */
export const findBlocks = (
  { body }: Document,
  links: ReadonlyMap<Element, string>,
  items: readonly Sought[],
): (Element | null)[] => {
  const byAddress = new Map<string, Element[]>();
  for (const [element, href] of links) {
    for (const key of new Set(addressesIn(href).map(keyOf))) add(byAddress, key, element);
  }
  const byText = new Map<string, Element[]>();
  for (const element of body.querySelectorAll('h1,h2,h3,h4,[role=heading],a,b,strong,span,div,p,td,li')) {
    if (element.childElementCount > 6) continue;
    const text = plain(element.textContent ?? '');
    if (text !== '' && text.length < 400) add(byText, text, element);
  }

  const used = new Set<Element>();
  const unused = (found: readonly Element[] | undefined): Element | undefined =>
    found?.find((element) => !used.has(element));
  const find = ({ title, url, terms = [] }: Sought): Element | null => {
    const wanted = plain(title);
    const linked = url === '' ? undefined : byAddress.get(keyOf(url));
    const titled = linked?.filter(
      (element) => wanted !== '' && plain(element.textContent ?? '').includes(wanted),
    );
    const found =
      unused(titled) ??
      unused(linked) ??
      unused(wanted === '' ? undefined : byText.get(wanted)) ??
      terms.map((term) => unused(byText.get(plain(term)))).find((each) => each !== undefined) ??
      linked?.[0] ??
      null;
    if (found) used.add(found);
    return found;
  };
  const found = items.map(find);

  /** How many items are in an element. */
  const inside = new Map<Element, number>();
  for (const element of new Set(found)) {
    for (let each = element; each; each = each.parentElement) inside.set(each, (inside.get(each) ?? 0) + 1);
  }
  return found.map((element) => {
    let block = element;
    for (let each = element?.parentElement; each && each !== body; each = each.parentElement) {
      if ((inside.get(each) ?? 0) > 1 || (each.textContent ?? '').length > maxBlockText) break;
      block = each;
    }
    return block;
  });
};

/** The element of the frame that holds the labels, beside the body with the page. */
const layerName = 'mark-labels';

/** Marks all blocks, and one of them as the present one. */
export const markBlocks = (
  target: Document,
  blocks: readonly (Element | null)[],
  present: number | null,
): void => {
  for (const marked of target.querySelectorAll('[data-mark]')) marked.removeAttribute('data-mark');
  for (const block of blocks) block?.setAttribute('data-mark', 'item');
  if (present !== null) blocks[present]?.setAttribute('data-mark', 'now');
  for (const label of target.querySelectorAll(`html > ${layerName} > button`)) {
    label.setAttribute('aria-pressed', String(label.getAttribute('data-item') === String(present)));
  }
};

/** CSS pixels of a label, which is above its block. */
const labelHeight = 18;

type Blocks = readonly (Element | null)[];

/** Moves the labels to their blocks. */
const placeLabels = (target: Document, labels: readonly (HTMLElement | null)[], blocks: Blocks): void => {
  const { scrollX = 0, scrollY = 0 } = target.defaultView ?? {};
  // All is measured before anything is moved.
  const places = blocks.map((block) => block?.getBoundingClientRect());
  for (const [n, label] of labels.entries()) {
    const place = places[n];
    if (!label || !place) continue;
    label.hidden = place.width === 0 || place.height === 0;
    label.style.left = `${Math.max(0, place.left + scrollX)}px`;
    label.style.top = `${Math.max(0, place.top + scrollY - labelHeight)}px`;
  }
};

/**
 * Puts a label on each block: a button with the number and the kind of its item, which chooses it. Labels
 * follow their blocks. Returns what removes them.
 */
export const labelBlocks = (
  target: Document,
  blocks: Blocks,
  texts: readonly string[],
  choose: (item: number) => void,
): (() => void) => {
  const layer = target.createElement(layerName);
  const labels = blocks.map((block, n) => {
    if (!block) return null;
    const label = target.createElement('button');
    label.type = 'button';
    label.textContent = texts[n] ?? '';
    label.setAttribute('data-item', String(n));
    label.setAttribute('aria-label', `${texts[n]}: show it in the list`);
    label.addEventListener('click', () => choose(n));
    layer.append(label);
    return label;
  });
  target.documentElement.append(layer);
  const place = () => placeLabels(target, labels, blocks);
  place();
  // Pictures within the page load later, and the width of the room changes.
  const observer = new ResizeObserver(place);
  observer.observe(target.body);
  return () => {
    observer.disconnect();
    layer.remove();
  };
};
