// @vitest-environment jsdom
/**
 * A stored page, rebuilt for the console. The pages here are hostile. A document of jsdom reads them as a
 * browser does (its parser is that of the HTML standard), but it runs and loads nothing:
 * `test/e2e/embedded/console.test.ts` does that in a real browser.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { boxBlocks, findBlocks, markBlocks } from '../../../../lib/console/blocks.ts';
import { labelBlocks } from '../../../../lib/console/mark-labels.ts';
import { rebuild } from '../../../../lib/console/snapshot.ts';

/**
 * The frame as the console fills it, and the styles that it has got: jsdom has no style sheets of documents.
 */
const rebuilt = (html: string) => {
  const target = document.implementation.createHTMLDocument('');
  const styles: string[] = [];
  class CSSStyleSheet {
    replaceSync(text: string) {
      styles.push(text);
    }
  }
  Object.defineProperty(target, 'defaultView', { value: { CSSStyleSheet, getComputedStyle } });
  return { ...rebuild(html, target), target, styles: styles.slice(1), marks: styles[0] };
};

const bodyOf = (html: string): string => rebuilt(html).target.body.innerHTML;

/**
 * What is dangerous in a document, whatever made it: elements by their real names and kinds, and attributes
 * by their values.
 */
const dangersIn = (target: Document): string[] => {
  const elements = [...target.body.querySelectorAll('*')];
  const kinds = elements.filter((element) => {
    const kind = element.constructor.name;
    return (
      /^HTML(?:Script|Style|Link|Meta|Base|IFrame|Frame|FrameSet|Object|Embed|Form|Input|Button|TextArea|Select)Element$/.test(
        kind,
      ) ||
      /^(?:script|style|foreignobject|animate.*|set|use|image|feimage)$/i.test(element.localName) ||
      element.namespaceURI === 'http://www.w3.org/1998/Math/MathML'
    );
  });
  const attributes = elements.flatMap((element) =>
    [...element.attributes].filter(
      ({ name, value }) =>
        name.startsWith('on') ||
        /^(?:href|xlink:href|action|formaction|srcdoc|srcset|ping|background|poster|data|http-equiv|target)$/.test(
          name,
        ) ||
        (name === 'src' && !value.startsWith('data:image/')) ||
        /javascript:|vbscript:|evil\.example/i.test(value),
    ),
  );
  return [...kinds.map(({ tagName }) => tagName), ...attributes.map(({ name, value }) => `${name}=${value}`)];
};

afterEach(() => vi.unstubAllGlobals());

const script = 'alert(1)';
const evil = 'https://evil.example/x';

describe('nothing that runs, loads or takes input is left of', () => {
  test.each([
    ['a script', `<script>${script}</script><script src="${evil}"></script>`],
    ['a script in SVG', `<svg><script>${script}</script><script href="${evil}"/></svg>`],
    [
      'a script with a prefix, which only the parser takes for another name',
      `<x:script>${script}</x:script>`,
    ],
    [
      'a script with a prefix in SVG',
      `<svg><x:script>${script}</x:script><svg:script>${script}</svg:script></svg>`,
    ],
    ['a style with a prefix', `<x:style>@import "${evil}"</x:style>`],
    [
      'other elements with a prefix',
      '<x:form><x:input><x:button>b</x:button></x:form><x:iframe></x:iframe><x:object id="body">',
    ],
    [
      'script tags that close each other',
      `<scr<script>ipt>${script}</scr</script>ipt><<script>${script}//<</script>`,
    ],
    [
      'a script that a comment or CDATA hides',
      `<!--><script>${script}</script>--><svg><![CDATA[><script>${script}</script>]]></svg>`,
    ],
    [
      'a script after a broken attribute',
      `<img title="a><script>${script}</script>" "><script>${script}</script>`,
    ],
    [
      'a script after null bytes',
      `<scr\0ipt>${script}</scr\0ipt><\0script>${script}</script><img on\0error="${script}" src="java\0script:x">`,
    ],
    [
      'what unread elements hold',
      `<noscript><p title="</noscript><img src=x onerror=${script}>"></noscript><template><img src=x onerror=${script}></template>`,
    ],
    [
      'what raw text hides',
      `<xmp><script>${script}</script></xmp><textarea><img onerror=${script}></textarea><title><img onerror=${script}></title>`,
    ],
    ['plaintext', `<plaintext><script>${script}</script>`],
    [
      'MathML, and HTML in it',
      `<math><maction xlink:href="javascript:${script}"><mtext><img src=x onerror="${script}"></mtext></maction></math>`,
    ],
    [
      'HTML that leaves MathML through a table',
      `<math><mtext><table><mglyph><style><img src=x onerror=${script}>`,
    ],
    [
      'HTML in SVG',
      `<svg><foreignObject><iframe src="${evil}"></iframe></foreignObject><desc><img src=x onerror="${script}"></desc></svg>`,
    ],
    [
      'elements that change or use others',
      `<svg><a xlink:href="javascript:${script}"><text>t</text></a><use href="${evil}#a"/><image href="${evil}"/>
      <animate attributeName="href" values="javascript:${script}"/><animateTransform/><animateMotion/><set attributeName="onload" to="${script}"/>
      <filter><feImage href="${evil}"/></filter></svg>`,
    ],
    [
      'a refresh, a base and a policy',
      `<meta http-equiv="refresh" content="0;url=${evil}"><base href="${evil}"><meta http-equiv="Content-Security-Policy" content="script-src *">`,
    ],
    [
      'links of the head',
      `<link rel="stylesheet" href="${evil}"><link rel="preload" as="script" href="${evil}">`,
    ],
    [
      'frames',
      `<iframe src="${evil}"></iframe><iframe srcdoc="<script>${script}</script>"></iframe><object data="${evil}"></object><embed src="${evil}"><portal src="${evil}"></portal><fencedframe></fencedframe>`,
    ],
    ['a frame set', `<frameset onload="${script}"><frame src="${evil}"></frameset>`],
    [
      'media',
      `<video poster="${evil}" src="${evil}" onplay="${script}"></video><audio src="${evil}"></audio><picture><source srcset="${evil}"><img src="${evil}" srcset="${evil} 2x"></picture>`,
    ],
    [
      'a form',
      `<form action="${evil}" onsubmit="${script}"><input name="firstChild" autofocus onfocus="${script}"><input type="image" src="${evil}" formaction="javascript:${script}"><button formaction="${evil}">b</button><select><option>o</select><textarea>t</textarea></form>`,
    ],
    [
      'elements that report their own events',
      `<details open ontoggle="${script}"><summary>s</summary></details><marquee onstart="${script}">m</marquee><body onload="${script}" onpageshow="${script}"><dialog open>d</dialog>`,
    ],
    ['a page in an attribute of a table', `<table background="${evil}"><td background="${evil}">x</table>`],
    [
      'a link that runs',
      `<a href="javascript:${script}" ping="${evil}" target="_top">a</a><a href=" \n\x01java\tscript:${script}">b</a><map><area href="javascript:${script}"></map>`,
    ],
    [
      'an image of another type',
      `<img src="data:text/html,<script>${script}</script>"><img src="javascript:${script}"><img src=" data:image/png;base64,${evil}"><img src="${evil}">`,
    ],
    [
      'an unknown element',
      `<x-evil onclick="${script}" href="${evil}" is="x-y"><slot onslotchange="${script}">s</slot></x-evil>`,
    ],
    [
      'colours with addresses',
      `<svg><rect fill="url(${evil}#a)" stroke="u\\72l( '${evil}')" fill-rule="url(${evil}"/></svg>`,
    ],
  ])('%s', (_, hostile) => {
    const { target, links } = rebuilt(`<p>before</p>${hostile}<p>after</p>`);

    expect(dangersIn(target)).toEqual([]);
    // A link can be found, but not followed.
    for (const element of links.keys()) expect(element.getAttributeNames()).not.toContain('href');
  });

  const attributes =
    'action archive background cite classid code codebase content data dynsrc formaction href icon is longdesc lowsrc manifest ping poster ' +
    'profile src srcdoc srcset style usemap xlink:href xml:base xmlns from to values by begin attributeName http-equiv target name for nonce';
  const addresses = [`javascript:${script}`, `data:text/html,<script>${script}</script>`, 'vbscript:x', evil];
  const elements =
    'a abbr area article audio b bdo body br button canvas div dl em fieldset font form g h1 hr html img input label li ol p path picture ' +
    'pre progress rect search section slot span svg table td text textarea th tr ul video x-unknown';

  test.each(elements.split(' '))('<%s> with an address or a script in any attribute', (name) => {
    const html = attributes
      .split(' ')
      .flatMap((attribute) =>
        addresses.map(
          (address) => `<${name} ${attribute}="${address}" on${attribute}="${script}">x</${name}>`,
        ),
      )
      .join('');

    expect(dangersIn(rebuilt(html).target)).toEqual([]);
    expect(dangersIn(rebuilt(`<svg>${html}</svg>`).target)).toEqual([]);
  });
});

describe('a style', () => {
  const colored = 'color: red;';

  test.each([
    ['as a page writes it', `background: url("${evil}")`],
    ['without quotes or an end', `background: url(${evil}`],
    ['with an end within quotes', `background: url("${evil})"); background: url("${evil}")`],
    [
      'with letters as numbers',
      `background: u\\72l(${evil}); background: \\75rl(${evil}); background: \\000075 RL(${evil})`,
    ],
    ['with letters as themselves', `background: \\u\\r\\l(${evil})`],
    [
      'with a number that the next letter would make longer',
      `background: ur\\6\\63 (${evil}); background: ur\\6\\63(${evil})`,
    ],
    [
      'in a set of pictures',
      `background: image-set("data:image/png;base64,AA" 1x, "${evil}" 2x); background: -webkit-image-set(url(${evil}) 1x)`,
    ],
    ['as a source', `background: src("${evil}"); background: image("${evil}")`],
    ['after a picture of the page', `background: url(data:image/png;base64,AA), url(${evil})`],
  ])('has no address: %s', (_, declarations) => {
    const { styles, target } = rebuilt(
      `<style>p { ${declarations} }</style><p style='${declarations}'>x</p>`,
    );

    expect(styles).toHaveLength(1);
    expect(styles[0]).not.toMatch(/(?:url|src|image|set)\s*\(\s*["']?https/i);
    expect(styles[0]).not.toMatch(/\\(?:6\S|0*7|[url])|image-set/);
    expect(target.querySelector('p')?.getAttribute('style') ?? '').not.toContain('evil.example');
  });

  test('imports nothing', () => {
    const { styles } = rebuilt(
      `<style>@import "${evil}"; @im\\70ort url(${evil}); p { ${colored} } @import '${evil}'</style>`,
    );

    expect(styles).toEqual([`  p { ${colored} } `]);
  });

  test('keeps pictures in the text, parts of the page and other escapes', () => {
    const css =
      'p { background: url("data:image/png;base64,AA"); fill: url(#a) } .a\\:b\\31 0 { content: "\\201c  x\\\\72" }';
    const { styles, target } = rebuilt(
      `<style>${css}</style><p style="${colored} background: url(${evil})">x</p><svg><path fill="url(#a)" d="M0 0"/></svg>`,
    );

    expect(styles).toEqual([css]);
    expect(target.querySelector('p')?.style.color).toBe('red');
    expect(target.querySelector('path')?.outerHTML).toContain('fill="url(#a)" d="M0 0"');
  });

  test('of SVG counts, too, and no style element is left', () => {
    const { styles, target } = rebuilt(
      '<svg><style>a { color: red }</style></svg><style>b { color: blue }</style>',
    );

    expect(styles).toEqual(['a { color: red }', 'b { color: blue }']);
    expect(target.querySelector('style')).toBeNull();
  });

  test('of the marks wins', () => {
    expect(rebuilt('<style>p {}</style>').marks).toContain('[data-mark="now"]');
    // Without a name, so that no page can add to it, and with nothing in a style that counts more.
    expect(rebuilt('').marks).toMatch(/^@layer \{/);
    for (const important of ['! IMPORTANT', '!/**/important', '!/* */\n/**/\\69mportant'])
      expect(bodyOf(`<p style="outline: 0 ${important}">x</p>`)).toBe('<p style="outline: 0px;">x</p>');
  });
});

describe('a page', () => {
  test('is shown with its text, structure and known attributes', () => {
    expect(
      bodyOf(
        '<div class="a" id="b" data-mark="now" lang="de"><h1>Title &amp; more</h1>one<br>two<img alt="cup" src="data:image/png;base64,AA"></div>',
      ),
    ).toBe(
      '<div class="a" id="b" lang="de"><h1>Title &amp; more</h1>one<br>two<img alt="cup" src="data:image/png;base64,AA"></div>',
    );
  });

  test('has its own classes and directions at the root and the body', () => {
    const { target } = rebuilt(
      '<html lang="ar" dir="rtl" onclick="x"><body class="b" onload="x" style="color: red">x',
    );

    expect(target.documentElement.outerHTML).toBe(
      '<html lang="ar" dir="rtl"><head><title></title></head><body class="b" style="color: red;">x</body></html>',
    );
  });

  test('has drawings', () => {
    expect(
      bodyOf(
        '<svg viewBox="0 0 1 1" preserveAspectRatio="none"><g><path d="M0 0" stroke="red"></path></g></svg>',
      ),
    ).toBe(
      '<svg viewBox="0 0 1 1" preserveAspectRatio="none"><g><path d="M0 0" stroke="red"></path></g></svg>',
    );
  });

  test('has fields as text', () => {
    expect(
      bodyOf(
        '<form><input value="v"><textarea>t</textarea><button>b</button><details><summary>s</summary></details></form>',
      ),
    ).toBe('<div><span></span><span>t</span><span>b</span><div><div>s</div></div></div>');
    expect(bodyOf('<select><option>o</option></select><xmp><b></xmp>')).toBe(
      '<span><span>o</span></span><pre>&lt;b&gt;</pre>',
    );
  });

  test('may name its elements as objects name their own properties', () => {
    expect(
      bodyOf('<constructor class="a">x</constructor><tostring>y</tostring><svg><constructor/></svg>'),
    ).toBe(
      '<constructor class="a">x</constructor><tostring>y</tostring><svg><constructor></constructor></svg>',
    );
  });

  test('has elements with other names as plain ones', () => {
    expect(bodyOf('<a:b class="c">x</a:b><q"r>y</q"r><svg><x:g></x:g></svg>')).toBe(
      '<span class="c">x</span><span>y</span><svg><g></g></svg>',
    );
  });

  test('does not reach the root of the frame from SVG', () => {
    const { target } = rebuilt('<svg><html class="x"><g>y</g></html></svg>');

    expect(target.documentElement.className).toBe('');
    expect(target.documentElement.children).toHaveLength(2);
    expect(target.body.textContent).toBe('y');
  });

  test.each([
    ['', true],
    ['<script>draw()</script><p> \n </p>', true],
    ['<p>x</p>', false],
  ])('%j is blank: %s', (html, expected) => {
    expect(rebuilt(html)).toMatchObject({ isBlank: expected, isCut: false });
  });

  test('is shown up to 60,000 nodes', () => {
    const group = `<p>${'<b onclick=x>y</b>'.repeat(10)}</p>`;
    const { target, isCut } = rebuilt(`<p>first</p>${group.repeat(3000)}last`);

    expect(isCut).toBe(true);
    // A group has 21 nodes. The root, the head, the body, and the first paragraph with its text come before.
    expect(target.querySelectorAll('b')).toHaveLength(28_569);
    expect(target.body.textContent).not.toContain('last');
    expect(target.querySelector('[onclick]')).toBeNull();
  });

  test.each([
    [
      'addresses without an end',
      `<style>${'url('.repeat(250_000)}</style><p style="${'image-set('.repeat(100_000)}">x</p>`,
    ],
    ['tags without an end', '<a style '.repeat(100_000)],
    ['escapes', `<style>${'\\'.repeat(500_000)}${'\\6'.repeat(250_000)}</style>x`],
    ['spaces', `<p style${' '.repeat(500_000)}=x>x</p><style>url${' '.repeat(500_000)}</style>`],
  ])('of a megabyte of %s ends', (_, html) => {
    expect(rebuilt(html).isCut).toBe(false);
  });
});

describe('the items of a page', () => {
  const html =
    '<div id="one"><h3><a href="https://www.one.example/a/#top">One</a></h3><p>about one</p></div>' +
    '<div id="two"><a href="/url?q=https%3A%2F%2Ftwo.example%2Fb&amp;sa=U">Two</a></div><div id="three"><h3>Three</h3></div>';
  const found = (items: Parameters<typeof findBlocks>[2], page = html) => {
    const { target, links } = rebuilt(page);
    const blocks = findBlocks(target, links, items);
    return { target, blocks, ids: blocks.map((block) => block?.id) };
  };

  test('are found by their link, the target of their link, or their title', () => {
    const items = [
      { title: 'Other', url: 'http://one.example/a' },
      { title: 'Two', url: 'https://two.example/b/' },
      { title: ' three ', url: '' },
      { title: 'Four', url: 'https://four.example/' },
    ];

    expect(found(items).ids).toEqual(['one', 'two', 'three', undefined]);
  });

  test('are told from other texts with their title by their snippet', () => {
    const page =
      '<p id="field">Three</p><div><h3 id="title">Three</h3><p id="text">about the three</p></div>';
    const { blocks } = found([{ title: 'Three', url: '', snippet: 'About the three' }], page);

    expect(blocks.map((block) => block?.querySelector('#title')?.id)).toEqual(['title']);
  });

  test('are one box each, also a link around whole paragraphs', () => {
    const page =
      '<a id="whole" href="https://one.example"><p>One</p></a><a id="line" href="https://two.example"><b>Two</b></a>';
    const { target, blocks } = found(
      [
        { title: 'One', url: 'https://one.example' },
        { title: 'Two', url: 'https://two.example' },
      ],
      page,
    );
    boxBlocks(target, blocks);

    expect([...target.querySelectorAll('[data-box]')].map(({ id }) => id)).toEqual(['whole']);
  });

  test('are found by a target in base64', () => {
    const page = `<p id="p"><a href="/ck?x=1&amp;u=a1${btoa('https://two.example/b?c').replaceAll('=', '')}&amp;y=2">T</a></p>`;

    expect(found([{ title: 'x', url: 'https://two.example/b?c' }], page).ids).toEqual(['p']);
    expect(found([{ title: 'x', url: 'https://two.example/b' }], page).ids).toEqual([undefined]);
  });

  test('are marked, one of them as the present one, and marked anew', () => {
    const { target, blocks } = found([
      { title: 'One', url: '' },
      { title: 'Two', url: '' },
      { title: 'None', url: '' },
    ]);
    const marks = () =>
      [...target.querySelectorAll('[data-mark]')].map(
        (each) => `${each.id} ${each.getAttribute('data-mark')}`,
      );

    markBlocks(target, blocks, 1);
    expect(marks()).toEqual(['one item', 'two now']);
    markBlocks(target, blocks.slice(0, 1), null);
    expect(marks()).toEqual(['one item']);
  });

  test('have a label with their text, which chooses them, and which a page cannot pretend to be', () => {
    const observed: (Element | null)[] = [];
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe = (element: Element) => observed.push(element);
        disconnect = () => observed.push(null);
      },
    );
    const fake = '<mark-labels><button aria-pressed="true">9 ad</button></mark-labels>';
    const { target, blocks } = found(
      [
        { title: 'None', url: '' },
        { title: 'Two', url: '' },
      ],
      fake + html,
    );
    const chosen: number[] = [];
    const remove = labelBlocks(target, blocks, ['1 organic', '<b>2</b> ad'], (n) => chosen.push(n));
    markBlocks(target, blocks, 1);
    const layer = target.querySelector('html > mark-labels');
    const [label, ...others] = layer?.shadowRoot?.querySelectorAll('button') ?? [];
    label?.click();

    expect([label?.textContent, label?.getAttribute('aria-pressed'), others]).toEqual([
      '<b>2</b> ad',
      'true',
      [],
    ]);
    expect(label?.getAttribute('aria-label')).toBe('<b>2</b> ad: show it in the list');
    expect(chosen).toEqual([1]);
    expect(target.querySelectorAll('body mark-labels button')).toHaveLength(0);
    remove();
    expect(target.querySelector('html > mark-labels')).toBeNull();
    expect(observed).toEqual([target.body, target.documentElement, null]);
  });

  test('are looked for in links of any length', () => {
    const slashes = `https://one.example/${'/'.repeat(500_000)}x`;
    const hashes = `https://one.example/${'#'.repeat(500_000)}&#10;x`;

    expect(
      found(
        [{ title: 'x', url: 'https://one.example' }],
        `<a href="${slashes}">a</a><p id="p"><a href="${hashes}">b</a></p>`,
      ).ids,
    ).toEqual(['p']);
  });
});
