/**
 * A crawled page, rebuilt in a frame without scripts. The page comes from the network, so it is hostile.
 *
 * Three things keep its code from running, and each of them is enough: the frame's sandbox does not allow
 * scripts, the policy of the console and of the frame does not allow them, and the page is never given to the
 * frame. It is parsed into an inert document, and the frame gets new elements with known attributes only.
 * Nothing is loaded: links lose their address, and pictures are kept only if the page contains them.
 */

/** Before the content is there. The frame also inherits the policy of the console. */
export const emptyFrame =
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; style-src \'none\'">' +
  '<title>Stored page</title></head><body></body></html>';

/** More elements than a result page has. The rest of a larger page is not shown. */
const maxNodes = 60_000;

/** Left out with all that they contain. */
const dropped = new Set(
  (
    'script noscript template link meta base title iframe frame frameset noframes object embed applet portal fencedframe audio video source ' +
    'track canvas map area dialog param animate animatemotion animatetransform set use foreignobject mpath discard image feimage'
  ).split(' '),
);

/** Shown as something that takes no input. */
const replaced = new Map([
  ['form', 'div'],
  ['input', 'span'],
  ['textarea', 'span'],
  ['select', 'span'],
  ['option', 'span'],
  ['optgroup', 'span'],
  ['button', 'span'],
  ['details', 'div'],
  ['summary', 'div'],
  ['marquee', 'div'],
  ['plaintext', 'div'],
  ['xmp', 'pre'],
  ['listing', 'pre'],
]);

/**
 * Other names are not given to the frame: with a colon, the name `x:script` of an unknown element would
 * create a script.
 */
const elementName = /^[a-z][a-z0-9-]*$/i;

/**
 * The attributes that are kept. None of them has a script. In SVG, `fill` and `stroke` can have an address.
 */
const kept = new Set(
  (
    'class id role lang dir alt title colspan rowspan width height align valign bgcolor border cellpadding cellspacing color face size start ' +
    'hidden viewbox d fill stroke stroke-width stroke-linecap stroke-linejoin fill-rule clip-rule cx cy r rx ry x y x1 x2 y1 y2 points ' +
    'transform opacity preserveaspectratio'
  ).split(' '),
);

const svgNames: Record<string, string> = { viewbox: 'viewBox', preserveaspectratio: 'preserveAspectRatio' };
const htmlNamespace = 'http://www.w3.org/1999/xhtml';
const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * Reads a property with the browser's own code. A page can replace properties of its forms: `<form><input
 * name="firstChild">`.
 */
const reader = <Value>(prototype: object, name: string): ((node: Node) => Value) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (node) => get?.call(node) as Value;
};

const picture = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i;

/**
 * The letters that a style writes as escapes (`u\72l`, `\75rl`), so that a name is found however it is
 * written. Each other escape with digits ends with a space: else the next letter could become its digit.
 */
const withoutEscapedLetters = (css: string): string =>
  css.replace(
    /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\r\n\f])?|([\s\S]))/gi,
    (all, digits?: string, other?: string) => {
      if (digits === undefined) return other && /[a-z]/i.test(other) ? other : all;
      const letter = /^0{0,4}[2-7][\da-f]$/i.test(digits)
        ? String.fromCharCode(Number.parseInt(digits, 16))
        : '';
      return /[a-z-]/i.test(letter) ? letter : `\\${digits} `;
    },
  );

/**
 * Styles without addresses, but for pictures in the text and parts of the page. The policy would refuse them
 * anyway, with an error for each.
 */
const withoutAddresses = (css: string): string =>
  withoutEscapedLetters(css)
    .replace(/@import[^;]*;?/gi, '')
    .replace(/(?:url|src)\s*\((?!\s*['"]?(?:data:image|#))[^)]*(?:\)|$)/gi, 'none')
    // These have strings as addresses, of which only some may be pictures in the text.
    .replace(/(?:-webkit-)?image(?:-set)?\s*\([^)]*(?:\)|$)/gi, 'none');

const renamedStyle = 'data-renamed-style';

/**
 * Chromium reports each inline style to the console, even of a document that is only parsed: a page can have
 * thousands.
 */
const renamingStyles = (html: string): string =>
  html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ` ${renamedStyle}=`));

export type Rebuilt = {
  /** The addresses of the page's links, by their new elements. */
  links: Map<Element, string>;
  /** Whether the page was too large to be shown whole. */
  isCut: boolean;
  /** Whether nothing can be seen, because the page draws its content with scripts. */
  isBlank: boolean;
};

/** Fills the document of the frame with what the page shows. `html` may be anything. */
export const rebuild = (html: string, target: Document): Rebuilt => {
  // Read here, because tests import this file without a browser.
  const firstChildOf = reader<Node | null>(Node.prototype, 'firstChild');
  const nextSiblingOf = reader<Node | null>(Node.prototype, 'nextSibling');
  const textOf = reader<string>(Node.prototype, 'textContent');
  const localNameOf = reader<string>(Element.prototype, 'localName');
  const namespaceOf = reader<string | null>(Element.prototype, 'namespaceURI');
  const rootOf = reader<Node | null>(Document.prototype, 'documentElement');
  const { getAttribute, getAttributeNames } = Element.prototype;

  const source = new DOMParser().parseFromString(renamingStyles(html), 'text/html');
  const links = new Map<Element, string>();
  const styles: string[] = [];
  let nodes = 0;

  const setStyle = (copy: Element, style: string): void => {
    // Through the object model, which a policy without inline styles allows. Without `!important`, which
    // would count more than the styles of the marks.
    const safe = withoutAddresses(style).replace(/!\s*important/gi, '');
    if (!('style' in copy)) return;
    const set = (copy as HTMLElement).style;
    set.cssText = safe;
    // A comment may be within: `!/**/important`.
    for (const name of [...set].filter((each) => set.getPropertyPriority(each) !== '')) {
      const value = set.getPropertyValue(name);
      set.removeProperty(name);
      set.setProperty(name, value);
    }
  };

  const copyAttributes = (element: Element, copy: Element, isSvg: boolean): void => {
    for (const name of getAttributeNames.call(element)) {
      const value = getAttribute.call(element, name) ?? '';
      const lower = name.toLowerCase();
      if (kept.has(lower) && isSvg) copy.setAttribute(svgNames[lower] ?? lower, withoutAddresses(value));
      else if (kept.has(lower)) copy.setAttribute(lower, value);
      else if (lower === 'style' || lower === renamedStyle) setStyle(copy, value);
      else if (lower === 'src' && localNameOf(copy) === 'img' && picture.test(value))
        copy.setAttribute('src', value);
      else if (lower === 'href' && localNameOf(copy) === 'a' && !isSvg) links.set(copy, value);
    }
  };

  const make = (name: string, isSvg: boolean): Element => {
    const known = elementName.test(name) ? (replaced.get(name) ?? name) : isSvg ? 'g' : 'span';
    return target.createElementNS(isSvg ? svgNamespace : htmlNamespace, known);
  };

  const copyOfHtml = (name: string): Element => {
    if (name === 'html') return target.documentElement;
    if (name === 'body') return target.body;
    // The only content of the head is styles, which are read from its children.
    return name === 'head' ? target.createElement('span') : make(name, false);
  };

  /** The new element for one of the page; null if it is left out. */
  const copyOf = (element: Element): Element | null => {
    const name = localNameOf(element);
    const namespace = namespaceOf(element);
    if (name === 'style') {
      styles.push(textOf(element));
      return null;
    }
    // Names in SVG can have capitals: `foreignObject`.
    if (dropped.has(name.toLowerCase()) || (namespace !== htmlNamespace && namespace !== svgNamespace))
      return null;
    const isSvg = namespace === svgNamespace;
    if (isSvg && (name === 'a' || name === 'script')) return null;
    const copy = isSvg ? make(name, true) : copyOfHtml(name);
    copyAttributes(element, copy, isSvg);
    return copy;
  };

  const root = rootOf(source);
  const waiting: { node: Node; parent: Node }[] = root ? [{ node: root, parent: target }] : [];
  while (waiting.length > 0 && nodes < maxNodes) {
    const { node, parent } = waiting.pop() as (typeof waiting)[number];
    // The next sibling comes after all that is in this node.
    const sibling = node === root ? null : nextSiblingOf(node);
    if (sibling) waiting.push({ node: sibling, parent });
    nodes += 1;
    if (node.nodeType === 3) parent.appendChild(target.createTextNode(textOf(node)));
    if (node.nodeType !== 1) continue;
    const copy = copyOf(node as Element);
    if (!copy) continue;
    if (copy !== target.documentElement && copy !== target.body && localNameOf(node) !== 'head') {
      parent.appendChild(copy);
    }
    const child = firstChildOf(node);
    if (child) waiting.push({ node: child, parent: copy });
  }

  addStyles(target, styles.map(withoutAddresses));
  return { links, isCut: waiting.length > 0, isBlank: (target.body.textContent ?? '').trim() === '' };
};

/**
 * The looks of the marks. Some pages hide themselves, or their results, until a script shows them. A layer
 * that comes first, and that has no name, wins with `!important` over all styles of the page; a transition
 * would count more. What hides or moves the whole page is undone, because the labels of the marks are beside
 * it. An element around a mark can still hide its outline, but not its label.
 */
const markStyles = `@layer {
  :root { display: block !important; visibility: visible !important; opacity: 1 !important; color-scheme: light !important; background: #fff !important; transform: none !important; translate: none !important; scale: none !important; rotate: none !important; zoom: 1 !important; filter: none !important; perspective: none !important; contain: none !important; content-visibility: visible !important; offset-path: none !important; clip: auto !important; clip-path: none !important; mask: none !important; }
  :root, body, [data-mark], [data-box] { transition: none !important; }
  body { visibility: visible !important; opacity: 1 !important; }
  [data-mark] { visibility: visible !important; opacity: 1 !important; outline: 2px solid rgb(52 81 209 / 55%) !important; outline-offset: 2px !important; cursor: pointer !important; scroll-margin: 64px !important; }
  [data-box] { display: block !important; }
  [data-mark]:hover { outline-color: rgb(52 81 209) !important; }
  [data-mark="now"] { outline: 4px solid rgb(194 65 12) !important; background-color: rgb(255 247 214) !important; }
}`;

const addStyles = (target: Document, styles: readonly string[]): void => {
  const view = target.defaultView as (Window & typeof globalThis) | null;
  if (!view) return;
  target.adoptedStyleSheets = [markStyles, ...styles].map((text) => {
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  const { style } = target.body;
  if (view.getComputedStyle(target.body).display === 'none')
    style.setProperty('display', 'block', 'important');
};
