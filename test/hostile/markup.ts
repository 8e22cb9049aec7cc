/** Markup that costs a parser or a walk over its tree much work, in pieces that are repeated. */

export type Markup = {
  name: string;
  /** The markup with so many characters, or some more. */
  of: (bytes: number) => string;
};

const repeat =
  (piece: string, before = '', after = '') =>
  (bytes: number): string =>
    before + piece.repeat(Math.ceil(bytes / piece.length)) + after;

/** Pieces that differ by a number. */
const numbered =
  (piece: (n: number) => string) =>
  (bytes: number): string => {
    const count = Math.ceil(bytes / piece(10_000).length);
    return Array.from({ length: count }, (_, n) => piece(n)).join('');
  };

const nested = (open: string, close: string, depth: number, content = 'a') => {
  const part = open.repeat(depth) + content + close.repeat(depth);
  return repeat(part);
};

const link = '<a href="https://a.example/">a</a>';

const rows: [name: string, of: Markup['of']][] = [
  ['lists in lists of an overview', repeat('<ul><li>a', '<div id="eKIzJc"><div data-rl="en">')],
  ['rows of a table of an overview', repeat('<tr><td>a', '<div id="eKIzJc"><div data-rl="en"><table>')],
  [
    'citations of an overview',
    repeat(
      `a<button data-icl-uuid="abcdef"></button><!--x[["abcdef",["a",0,0,0,0,"https://a.example/"]]]-->`,
      '<div id="eKIzJc"><div data-rl="en"><p>',
    ),
  ],
  [
    'comments of citations without end',
    repeat('[["abcdef",["a",', '<div id="eKIzJc"><div data-rl="en"><button data-icl-uuid="abcdef"></button>'),
  ],
  ['matches in matches', repeat('<div data-df-match-mid="a"><b data-df-team-mid="a">a</b>')],
  ['first teams without a second', repeat('<div class="imso_mh__first-tn-ed">a</div>')],
  ['first teams in first teams', repeat('<div class="imso_mh__first-tn-ed">a')],
  ['showtimes in showtimes', repeat('<div class="lr_c_fcb">a')],
  ['offers in offers', repeat('<div data-attrid="organic_offers_grid"><a href="https://a.example/">a</a>')],
  ['filters', numbered((n) => `<a href="/search?q=a${n}&amp;uds=a">a</a>`)],
  ['odd comments', repeat('<!----!>')],
  ['empty comments', repeat('<!---->')],
  ['the shortest comments', repeat('<!-->')],
  ['comments without end', repeat('<!--')],
  ['dashes in a comment', repeat('-', '<!--')],
  ['ends of comments that are none', repeat('--!', '<!--')],
  ['comments in comments', repeat('<!-- <!-- -->')],
  ['comments between letters', repeat('a<!---->')],
  ['bogus comments', repeat('<?a>')],
  ['bogus comments without end', repeat('<?')],
  ['bogus end tags', repeat('</ >')],
  ['declarations', repeat('<!doctype html>')],
  ['declarations without end', repeat('<!doctype ')],
  ['sections of data', repeat('<![CDATA[a]]>')],
  ['sections of data without end', repeat('<![CDATA[')],
  ['sections of data in pictures', repeat('<svg><![CDATA[a]]></svg>')],
  ['sections of data without end in a picture', repeat('<![CDATA[', '<svg>')],
  ['angle brackets', repeat('<')],
  ['angle brackets and spaces', repeat('< ')],
  ['closed angle brackets', repeat('>')],
  ['open tags', repeat('<a')],
  ['open end tags', repeat('</')],
  ['open end tags with a name', repeat('</a')],
  ['a tag without end', repeat(' a=b', '<div')],
  ['a quote without end', repeat('a', '<div a="')],
  ['quotes without end', repeat('<div a="')],
  ['apostrophes without end', repeat("<div a='")],
  ['quotes in quotes', repeat('<div a="\'" b=\'"\'>')],
  ['equals signs', repeat('=', '<div ', '>')],
  ['slashes in a tag', repeat('/', '<div ', '>')],
  ['slashes and spaces in a tag', repeat('/ ', '<div ', '>')],
  ['spaces in a tag', repeat(' ', '<div', '>')],
  ['spaces around an equals sign', repeat(' ', '<div a', '=b>')],
  ['a long name of an element', repeat('a', '<', '>')],
  ['a long name of an attribute', repeat('a', '<div ', '>')],
  ['long names of elements', repeat(`<${'b'.repeat(100)}>`)],
  ['attributes of one element', numbered((n) => `<div a${n}="b">`)],
  ['many attributes', (bytes) => `<div ${numbered((n) => `a${n} `)(bytes)}>`],
  ['the same attribute', repeat(' a="b"', '<div', '>')],
  ['attributes with numbers as names', (bytes) => `<div ${numbered((n) => `${n * 7919} `)(bytes)}>`],
  ['attributes with the names of properties', repeat('<div __proto__="a" constructor="b" length="1">')],
  ['entities in an attribute', repeat('&amp;', '<div a="', '">')],
  ['entities without end in an attribute', repeat('&notit', '<div a="', '">')],
  ['siblings', repeat('<b></b>')],
  ['siblings with text', repeat('<p>a')],
  ['line breaks', repeat('<br>')],
  ['end tags that add an element', repeat('</p>')],
  ['end tags of line breaks', repeat('</br>')],
  ['end tags of nothing', repeat('</b>')],
  ['end tags of nothing in a deep page', repeat('</x>', '<div>'.repeat(480))],
  ['forms in a form in a deep page', repeat('<form>', `<form>${'<div>'.repeat(480)}`)],
  ['levels', repeat('<div>')],
  ['levels of inline elements', repeat('<span>')],
  ['levels that end', nested('<div>', '</div>', 400)],
  ['levels of inline elements that end', nested('<b>', '</b>', 400)],
  ['levels of links', repeat('<a href="https://a.example/">')],
  ['levels of lists', repeat('<ul><li>')],
  ['levels of lists that end', nested('<ul><li>a', '</li></ul>', 200)],
  ['levels of tables', nested('<table><tr><td>', '</td></tr></table>', 120)],
  ['levels of pictures', repeat('<svg>')],
  ['levels of pictures that end', nested('<svg>', '</svg>', 400)],
  ['pictures and text in turn', repeat('<svg><foreignObject><div>')],
  ['formulas', repeat('<math><mi>')],
  ['levels of headings', nested('<div><h2>A heading</h2>', '</div>', 200, link)],
  ['headings', repeat(`<h2>A heading</h2>${link}`)],
  ['headings with links', repeat(`<div><h2>A heading</h2>${link}</div>`)],
  ['titles in links', repeat('<a href="https://a.example/"><h3>A title</h3></a>')],
  ['links', repeat(link)],
  ['links that differ', numbered((n) => `<a href="https://a.example/${n}">a ${n}</a>`)],
  ['links of hosts that differ', numbered((n) => `<a href="https://a${n}.example/">a</a>`)],
  ['links to searches', numbered((n) => `<a href="/search?q=garden+${n}">a ${n}</a>`)],
  [
    'links to pages of the search',
    numbered((n) => `<a href="/search?q=garden&start=${n}&first=${n}&b=${n}">${n}</a>`),
  ],
  ['hidden links', numbered((n) => `<div><a href="/goto?url=CAESabcdefghijklm${n}"><h3>a</h3></a></div>`)],
  ['the same hidden link', repeat('<a href="/goto?url=CAESabcdefghijklmnop"><h3>a</h3></a>')],
  [
    'tokens of hidden links in a script',
    (bytes) =>
      `<a href="/goto?url=CAESabcdefghijklmnop"><h3>a</h3></a><script>${repeat('CAESabcdefghijklmnop"https://a.example/" ')(bytes)}</script>`,
  ],
  ['redirects', repeat('<a href="/url?q=https://a.example/&sa=U"><h3>a</h3></a>')],
  [
    'redirects in redirects',
    repeat('%2Furl%3Fq%3D', '<a href="/url?q=https://www.google.com', '"><h3>a</h3></a>'),
  ],
  [
    'clicks of Bing',
    repeat('<h2><a href="https://www.bing.com/ck/a?!&&p=5f&u=a1aHR0cHM6Ly9hLmV4YW1wbGUv&ntb=1">a</a></h2>'),
  ],
  [
    'clicks of Yahoo',
    repeat(
      '<h3><a href="https://r.search.yahoo.com/_ylt=A/RV=2/RE=1/RO=10/RU=https%3a%2f%2fa.example%2f/RK=2/RS=b">a</a></h3>',
    ),
  ],
  ['a path of dashes', repeat('<a href="/------------------------------------------!">a</a>')],
  ['a link of a long path of dashes', repeat('-', '<a href="/', '!">a</a>')],
  [
    'a link with many parameters',
    (bytes) => `<a href="https://a.example/?${numbered((n) => `p${n}=v&amp;`)(bytes)}"><h3>a</h3></a>`,
  ],
  ['a link to a long host', repeat('google.', '<a href="https://', 'a/"><h3>a</h3></a>')],
  ['a link to a host with marks', repeat('e\u0301', '<a href="https://', '.example/"><h3>a</h3></a>')],
  ['data addresses', repeat('<img src="data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAA">')],
  ['one data address', repeat('A', '<img src="data:image/png;base64,', '">')],
  ['the same id', repeat('<div id="rso"></div>')],
  ['the same id in itself', repeat('<div id="rso">')],
  ['the same id of a list', repeat('<ol id="b_results"><li class="b_algo">')],
  ['ids that differ', numbered((n) => `<b id="i${n}">a</b>`)],
  [
    'controls of ids',
    numbered(
      (n) => `<b role="button" aria-controls="i${n}" aria-expanded="false">Why?</b><i id="i${n}">a</i>`,
    ),
  ],
  [
    'a control of many ids',
    (bytes) => `<b role="button" aria-controls="${numbered((n) => `i${n} `)(bytes)}">a</b>`,
  ],
  ['labels by ids', numbered((n) => `<b aria-labelledby="i${n}" id="i${n + 1}">a</b>`)],
  ['classes of one element', (bytes) => `<div class="${numbered((n) => `c${n} `)(bytes)}">a</div>`],
  ['a class of a long name', repeat('b_algo', '<li class="', '">a</li>')],
  ['styles', repeat('<b style="display: none">a</b>')],
  ['a long style', repeat('display: ', '<b style="', '">a</b>')],
  ['style sheets', repeat('<style>a{}</style>')],
  ['scripts', repeat('<script>a</script>')],
  ['scripts without end', repeat('<script>')],
  ['a script with ends that are none', repeat('</scrip', '<script>', '</script>')],
  ['a script with names that rules look for', repeat("url:'/async/folsrch?", '<script>', '</script>')],
  ['a script with data', repeat('ytInitialData = {', '<script>', '</script>')],
  ['a script with times', repeat('kEI="AAAAAAAAAAAAAAAAAAAAAA" ', '<script>', '</script>')],
  ['a script with starts', repeat('&start\\x3d10', '<script>', '</script>')],
  ['templates', repeat('<template><p>a</template>')],
  ['text areas without end', repeat('<textarea>')],
  ['titles', repeat('<title>a</title>')],
  ['search boxes', repeat('<form action="/search"><input name="q" value="garden chairs"></form>')],
  ['search boxes with a text', repeat('<textarea name="q">garden chairs</textarea>')],
  ['buttons', repeat('<div><b role="button" aria-expanded="false">Why?</b></div>')],
  ['dialogs', repeat('<div role="dialog"><p>a</p></div>')],
  [
    'rows of numbers',
    repeat('<table role="navigation"><tr><td><a href="/search?q=a&start=10">2</a></td></tr></table>'),
  ],
  ['redirects of a page', repeat('<meta http-equiv="refresh" content="0;url=/a">')],
  ['a redirect of a page', repeat('url=', '<meta http-equiv="refresh" content="0;', '">')],
  ['frames', repeat('<iframe src="https://a.example/"></iframe>')],
  ['selections', repeat('<select><option>a<option>b</select>')],
  ['bold words and lists', repeat('<b>garden chairs</b><ul><li>a</li><li>b</li></ul>')],
  ['ends of the document', repeat('</body></html>')],
  ['tags behind the end of the document', repeat('<A-', '</body></html>')],
];

export const markups: Markup[] = rows.map(([name, of]) => ({ name, of }));
