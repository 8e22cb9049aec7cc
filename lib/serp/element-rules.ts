/**
 * How elements end, nest and hold text, by their names: the rules of htmlparser2, and for stray end tags and
 * items of lists those of browsers.
 */

export type ElementRule = {
  /** The element has neither content nor an end tag. */
  isVoid?: true;
  /** The element is a part of the layout: the end tag of a phrase, such as a `span`, does not end it. */
  isPart?: true;
  /** Open elements that end where this element begins, if they are the innermost ones. */
  ends?: Set<string>;
  /** Open items that end where this one begins, with all that is in them, unless a list is in between. */
  endsItems?: Set<string>;
  /** A part that does not keep the next item from ending the one around it: a box that was not closed. */
  isBox?: true;
  /**
   * The content of the element: `foreign` is SVG or MathML, `html` is HTML, also inside of SVG. Absent: as
   * around the element.
   */
  content?: 'foreign' | 'html';
  /**
   * The content of the element is text. `raw`: without character references. `rest`: up to the end of the
   * page. Not in SVG.
   */
  text?: 'script' | 'raw' | 'escaped' | 'rest';
};

const words = (text: string): string[] => text.split(' ');

/** Elements with these names end the elements on the right. */
const endings: [names: string, ended: string][] = [
  ['tr', 'tr th td'],
  ['th', 'th'],
  ['td', 'thead th td'],
  ['body', 'head link script'],
  ['a', 'a'],
  ['h1 h2 h3 h4 h5 h6', 'h1 h2 h3 h4 h5 h6 p'],
  ['select input output button datalist textarea', 'input option optgroup select button datalist textarea'],
  ['option', 'option'],
  ['optgroup', 'optgroup option'],
  [
    'p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
    'p',
  ],
  ['rt rp', 'rt rp'],
  ['tbody tfoot', 'thead tbody'],
];

/**
 * The elements that the HTML standard calls special, without those that have no content, and SVG and MathML.
 */
const parts =
  'annotation-xml desc foreignobject math mi mn mo ms mtext svg title address article aside blockquote body button caption center colgroup dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html iframe li main menu nav noscript object ol p pre search section select summary table tbody td template tfoot th thead tr ul';

const kinds: [names: string, rule: ElementRule][] = [
  [
    'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr',
    { isVoid: true },
  ],
  ['svg math', { content: 'foreign' }],
  ['mi mo mn ms mtext annotation-xml foreignobject desc title', { content: 'html' }],
  ['script style', { text: 'script' }],
  ['iframe noembed noframes xmp', { text: 'raw' }],
  ['title textarea', { text: 'escaped' }],
  ['plaintext', { text: 'rest' }],
  [parts, { isPart: true }],
  ['address div p', { isBox: true }],
];

const items: [names: string, ended: string][] = [
  ['li', 'li'],
  ['dd dt', 'dd dt'],
];

/** Name of an element → its rule. Most elements have none. */
export const elementRules = new Map<string, ElementRule>();
for (const [names, rule] of [
  ...kinds,
  ...endings.map(([names, ended]): [string, ElementRule] => [names, { ends: new Set(words(ended)) }]),
  ...items.map(([names, ended]): [string, ElementRule] => [names, { endsItems: new Set(words(ended)) }]),
]) {
  for (const name of words(names)) elementRules.set(name, { ...elementRules.get(name), ...rule });
}
