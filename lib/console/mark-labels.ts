/**
 * The labels of the marks on a stored page: buttons with the number and the kind of an item, above its block.
 * The page is hostile: the labels are in a shadow tree, which its styles do not reach.
 */

/** The element of the frame that holds the labels, beside the body with the page. */
const layerName = 'mark-labels';

/** CSS pixels of a label. */
const labelHeight = 18;

/** CSS pixels between two labels of blocks that begin at the same place. */
const labelGap = 2;

/** In a shadow tree, `!important` counts more than that of the page. */
const labelStyles = `
  :host { all: initial !important; direction: ltr !important; display: block !important; position: absolute !important; left: 0 !important; top: 0 !important; z-index: 2147483647 !important; }
  button { all: initial; position: absolute; box-sizing: border-box; height: ${labelHeight}px; padding: 0 6px; border-radius: 4px 4px 0 0; background: rgb(52 81 209); color: #fff; font: 600 12px/${labelHeight}px system-ui, sans-serif; white-space: nowrap; cursor: pointer; }
  button[hidden] { display: none; }
  button[aria-pressed="true"] { background: rgb(168 53 8); }
  button:focus-visible { outline: 3px solid rgb(194 65 12); }
`;

type Blocks = readonly (Element | null)[];
type Box = { left: number; top: number; right: number; bottom: number };
type StyleOf = (element: Element) => CSSStyleDeclaration;

/** Reads the style of each element once. */
const styleReader = (target: Document): StyleOf => {
  const styles = new Map<Element, CSSStyleDeclaration>();
  return (element) => {
    const style = styles.get(element) ?? (target.defaultView ?? window).getComputedStyle(element);
    styles.set(element, style);
    return style;
  };
};

/** Whether an element cuts off what is in it. One in a line does not, whatever its `overflow` is. */
const clips = ({ display, overflowX, overflowY }: CSSStyleDeclaration): boolean =>
  display !== 'inline' && (overflowX !== 'visible' || overflowY !== 'visible');

/** The part of a block that the elements around it do not cut off. They may scroll it. */
const visiblePart = (target: Document, block: Element, styleOf: StyleOf): Box => {
  let { left, top, right, bottom } = block.getBoundingClientRect();
  let position = styleOf(block).position;
  for (let each = block.parentElement; each && position !== 'fixed'; each = each.parentElement) {
    if (each === target.documentElement) break;
    const style = styleOf(each);
    // It has no box.
    if (style.display === 'contents') continue;
    // What is placed by an element further out is not cut off by this one.
    if (position === 'absolute' && style.position === 'static') continue;
    position = style.position;
    // The window scrolls in the place of the body, unless the root element says how it scrolls.
    if (!clips(style) || (each === target.body && !clips(styleOf(target.documentElement)))) continue;
    const room = each.getBoundingClientRect();
    left = Math.max(left, room.left);
    top = Math.max(top, room.top);
    right = Math.min(right, room.right);
    bottom = Math.min(bottom, room.bottom);
  }
  return { left, top, right, bottom };
};

/** The left edge of a label, at the right of the labels that are in the same place already. */
const freeLeft = (wanted: Box, placed: readonly Box[], end: number): number => {
  const width = wanted.right - wanted.left;
  let left = wanted.left;
  // From the top of the page, so the last ones are the nearest.
  const near = placed.filter(({ top }) => Math.abs(top - wanted.top) < labelHeight);
  for (const other of near.toSorted((a, b) => a.left - b.left)) {
    if (left < other.right && other.left < left + width) left = other.right + labelGap;
  }
  return left + width > end ? wanted.left : left;
};

/** Moves the labels to their blocks, and hides those whose blocks are not in sight. */
const placeLabels = (
  target: Document,
  layer: Element,
  labels: readonly (HTMLElement | null)[],
  blocks: Blocks,
): void => {
  // A hidden label has no width. All is measured before anything is moved.
  for (const label of labels) if (label) label.hidden = false;
  const origin = layer.getBoundingClientRect();
  const end = target.documentElement.clientWidth - origin.left;
  const styleOf = styleReader(target);
  // A page from right to left goes on at the left of where it begins.
  const start = styleOf(target.documentElement).direction === 'rtl' ? -Infinity : 0;
  const wanted = labels.flatMap((label, n) => {
    const block = blocks[n];
    if (!label || !block) return [];
    const part = visiblePart(target, block, styleOf);
    const isSeen = part.right - part.left >= 1 && part.bottom - part.top >= 1;
    const left = Math.max(start, part.left - origin.left);
    const top = Math.max(0, part.top - origin.top - labelHeight);
    const box = { left, top, right: left + label.offsetWidth, bottom: top + labelHeight };
    return [{ label, isSeen, box }];
  });
  const placed: Box[] = [];
  for (const { label, isSeen, box } of wanted.toSorted((a, b) => a.box.top - b.box.top)) {
    label.hidden = !isSeen;
    if (!isSeen) continue;
    const left = freeLeft(box, placed.slice(-20), end);
    placed.push({ ...box, left, right: left + box.right - box.left });
    label.style.left = `${left}px`;
    label.style.top = `${box.top}px`;
  }
};

const layerOf = (target: Document): Element | null => target.querySelector(`html > ${layerName}`);

/** Shows which label is that of the present item. */
export const pressLabel = (target: Document, present: number | null): void => {
  for (const label of layerOf(target)?.shadowRoot?.querySelectorAll('button') ?? []) {
    label.setAttribute('aria-pressed', String(label.getAttribute('data-item') === String(present)));
  }
};

/**
 * Puts a label on each block: a button with a text, which chooses its item. Labels follow their blocks.
 * Returns what removes them.
 */
export const labelBlocks = (
  target: Document,
  blocks: Blocks,
  texts: readonly string[],
  choose: (item: number) => void,
): (() => void) => {
  const layer = target.createElement(layerName);
  const tree = layer.attachShadow({ mode: 'open' });
  const view = target.defaultView as (Window & typeof globalThis) | null;
  if (view) {
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(labelStyles);
    tree.adoptedStyleSheets = [sheet];
  }
  const labels = blocks.map((block, n) => {
    if (!block) return null;
    const label = target.createElement('button');
    label.type = 'button';
    label.textContent = texts[n] ?? '';
    label.setAttribute('data-item', String(n));
    label.setAttribute('aria-label', `${texts[n]}: show it in the list`);
    label.addEventListener('click', () => choose(n));
    tree.append(label);
    return label;
  });
  target.documentElement.append(layer);
  const place = () => placeLabels(target, layer, labels, blocks);
  place();
  const ended = new AbortController();
  let frame = 0;
  // Parts of the page scroll, and pictures within it load later. The page itself moves with its labels.
  const follow = ({ target: moved }: Event) => {
    if (moved === target) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(place);
  };
  for (const type of ['scroll', 'load'])
    target.addEventListener(type, follow, { capture: true, passive: true, signal: ended.signal });
  const observer = new ResizeObserver(place);
  observer.observe(target.body);
  observer.observe(target.documentElement);
  return () => {
    ended.abort();
    cancelAnimationFrame(frame);
    observer.disconnect();
    layer.remove();
  };
};
