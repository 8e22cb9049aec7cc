/** Suggestions are read from every format, and an answer without a list is never an empty list. */
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../lib/net/charset.ts';
import { errorMessageOf } from '../../../lib/provider/contract.ts';
import { readSuggestions } from '../../../lib/provider/read-suggestions.ts';

const read = (body: string, headers: Record<string, string> = {}, status = 200) =>
  readSuggestions({ status, headers, body });

const found = (body: string) => {
  const result = read(body);
  return result.ok ? result.value : errorMessageOf(result);
};

describe('a format', () => {
  test.each<[string, string, string[]]>([
    ['two elements', '["tea",["tea pot","tea cup"]]', ['tea pot', 'tea cup']],
    ['with facts after it', '["tea",["tea pot"],[],{"google:suggestsubtypes":[[512]]}]', ['tea pot']],
    ['spread over lines', '["t",\n  [\n "tea"\n ]\n]\n', ['tea']],
    [
      'without addresses and calculations',
      '["te",["tea","https://tea.example/","= 4"],["","Tea",""],[],{"google:suggesttype":["QUERY","NAVIGATION","CALCULATOR"]}]',
      ['tea'],
    ],
    [
      'with types of another length',
      '["te",["tea"],[""],[],{"google:suggesttype":["NAVIGATION","QUERY"]}]',
      ['tea'],
    ],
    [
      'plain text that looks like HTML',
      '["<",["<b> in html","<ul> &amp; b"]]',
      ['<b> in html', '<ul> &amp; b'],
    ],
    ['rows without a kind', 'JP(["tea",[["tea",0],["tea pot"]],{"k":1,"q":"x"}])', ['tea', 'tea pot']],
    ['rows of plain text', '["&",[["R&amp;D",0,[512]],["don\\u0027t",0]],{"k":1}]', ['R&amp;D', "don't"]],
    [
      'rows of HTML',
      'window.google.ac.h(["tea",[["tea\\u003cb\\u003e \\u0026amp; milk\\u003c\\/b\\u003e",0],["it\\u0026#39;s tea",46,[1],{"zi":"x"}]],{"q":"x"}])',
      ['tea & milk', "it's tea"],
    ],
    [
      'without rows that are no suggestions',
      '["2+2",[["2+2",0],["\\u003d 4",33],["search for \\u0007s\\f2+2",88,[],{"b":"x"}]],{"q":"x"}]',
      ['2+2'],
    ],
    [
      'a list without the query',
      ')]}\'\n[[["t\\u003cb\\u003eea\\u003c\\/b\\u003e",0,[131]]],{"q":"x"}]',
      ['tea'],
    ],
    ['a list without the query and with more before the object', '[[["tea",0]],null,{"q":"x"}]', ['tea']],
    ['signs of a prefix in a text', '["t",["a )]}\' b"]]', ["a )]}' b"]],
    ['a prefix with a comma', ')]}\',\n["t",["tea"]]', ['tea']],
    ['a prefix on the same line', ')]}\'["t",["tea"]]', ['tea']],
    ['a call that is checked', 'cb && cb(["t",["tea"]])', ['tea']],
    ['a call after a comment', '/**/ jQuery1.cb_2(["t",["tea"]]);', ['tea']],
    [
      'a call with a comment in it',
      `if(typeof a.b == 'function') a.b({"AS":{"Query":"t","FullResults":1,"Results":[{"Type":"AS","Suggests":[{"Txt":"tea","Sk":""}]}]}} /* pageview_candidate */);`,
      ['tea'],
    ],
    ['a comment with a space after it', 'cb(["t",["tea"]] /* x */ )', ['tea']],
    ['signs of a comment in a text', 'cb(["t",["tea /* x */ pot"]])', ['tea /* x */ pot']],
    [
      'several groups',
      '{"AS":{"Query":"t","FullResults":1,"Results":[{"Suggests":[{"Txt":"tea"}]},{"Suggests":[{"Txt":"tee"}]}]}}',
      ['tea', 'tee'],
    ],
    ['marks for private use', '{"s":[{"q":"\ue000te\ue001a"},{"q":"tea"}]}', ['tea', 'tea']],
    [
      'k',
      '{"q":"t","l":{"gprid":"x"},"r":[{"k":"tea","m":6},{"k":"tee","m":6,"fd":{"imageUrl":"x"}}]}',
      ['tea', 'tee'],
    ],
    ['key', 'cb({"gossip":{"qry":"t","norm":"t","results":[{"key":"tea","mrk":0}]}})', ['tea']],
    [
      'XML',
      '<?xml version="1.0"?><toplevel><CompleteSuggestion><suggestion data="tea &amp; milk &#39;n&#x27; &lt;b&gt;"/><num_queries int="7"/></CompleteSuggestion><CompleteSuggestion><suggestion data="007"/></CompleteSuggestion></toplevel>',
      ["tea & milk 'n' <b>", '007'],
    ],
    [
      "a list of Bing's own page",
      '<ul class="sa_drw" id="sa_ul"><li class="sa_sg" id="sa_0" url="/search?q=tea&amp;x=1" query="tea" stype="AS"><div class="sa_tm">tea</div></li><li class="sa_hd">More</li><li role="option" query="tea &amp; milk &lt;b&gt; &#233;"><span class="sa_tm_text">tea <strong>&amp; milk</strong></span></li></ul>',
      ['tea', 'tea & milk <b> é'],
    ],
    ["a list of Bing's under another name", '<ul class="x"><li query="tea">tea</li></ul>', ['tea']],
    ['a byte order mark', '\uFEFF["t",["tea"]]', ['tea']],
    ['white space around it', ' \n["t",["tea"]]\n', ['tea']],
    ['without empty texts', '["t",["","tea"," "]]', ['tea']],
    ['with one space between words', '["t",["green \\t tea"]]', ['green tea']],
    ['facts before a null', '["<b>",[["<b>x</b>",0]],{"k":1},null]', ['<b>x</b>']],
    [
      'one element of XML',
      '<toplevel><CompleteSuggestion><suggestion data="tea"/></CompleteSuggestion></toplevel>',
      ['tea'],
    ],
    ['a byte order mark and white space before XML', '\uFEFF \n<toplevel/>', []],
    ['a call with spaces', 'if (typeof cb == "function")  cb  &&  cb (["t",["tea"]])', ['tea']],
    ['a call after a comment and spaces', '/**/  cb(["t",["tea"]])', ['tea']],
    ['a call with an end after spaces', 'cb(["t",["tea"]]) ;', ['tea']],
    ['facts that are not the last element', '["<b>",[["<b>x</b>",0]],{"k":1},"end"]', ['<b>x</b>']],
  ])('%s', (_, body, suggestions) => {
    expect(found(body)).toEqual(suggestions);
  });
});

describe('an empty list', () => {
  test.each([
    '["tea",[]]',
    '["tea",[],[],{"google:suggestsubtypes":[]}]',
    'window.google.ac.h(["tea",[],{"q":"x"}])',
    ')]}\'\n[[],{"q":"x"}]',
    '{"AS":{"Query":"tea","FullResults":0}}',
    'if(typeof cb == \'function\') cb({"AS":{"Query":"tea","FullResults":0}} /* pageview_candidate */);',
    '{"AS":{"Query":"tea","FullResults":1,"Results":[]}}',
    '{"s":[]}',
    '{"q":"tea","l":{"gprid":"x"},"r":[]}',
    '{"gossip":{"qry":"tea","norm":"tea","results":[]}}',
    '<?xml version="1.0"?><toplevel/>',
    '<ul class="sa_drw" id="sa_ul"></ul>',
    '<?xml version="1.0"?>\n<toplevel></toplevel>',
  ])('is the own word of the source: %s', (body) => {
    expect(found(body)).toEqual([]);
  });
});

test.each([
  '<ul class="sa_drw" id="sa_ul"><li query="tea">tea</li><li query="tea pot"><b>tea</b> pot</li></ul>',
  '<ul id="sa_ul"></ul>',
  '<?xml version="1.0"?><toplevel><CompleteSuggestion><suggestion data="tea"/></CompleteSuggestion></toplevel>',
  '<?xml version="1.0"?><toplevel/>',
  'cb(["tea",["tea pot",["tea"]]])',
])('an answer that is cut is no list: %s', (body) => {
  for (let length = 0; length < body.length; length += 1) {
    expect([length, read(body.slice(0, length)).ok]).toEqual([length, false]);
  }
});

test('XML that is nested too deeply is no list', () => {
  expect(read(`<toplevel>${'<a>'.repeat(300)}${'</a>'.repeat(300)}</toplevel>`).ok).toBe(false);
});

describe('not a list', () => {
  test.each([
    '',
    '<ul class="menu"><li>Sign in</li></ul>',
    ' ',
    '[]',
    '{}',
    'null',
    '"tea"',
    '["tea"]',
    'x ["tea",["tea pot"]]',
    '["tea",[[7,0]]]',
    '["tea",[["tea","0"]]]',
    '[["tea",0]]',
    '[[["tea",0]],["x"]]',
    '[7,{"q":"x"}]',
    '{"q":"tea","r":[{}]}',
    '{"q":"tea","r":[{"k":7}]}',
    '{"r":[{"k":"tea"}]}',
    '{"gossip":{"qry":"tea","results":[{}]}}',
    '{"gossip":{"results":[]}}',
    '{"s":[{}]}',
    '{"AS":{"FullResults":0}}',
    '{"AS":{"Query":"t","Results":[{}]}}',
    '{"AS":{"Query":"t","Results":[{"Suggests":[{}]}]}}',
    'cb(["tea",["tea pot"]]',
    '(["tea",["tea pot"]])',
    '7',
    '["tea",null]',
    '["tea",{}]',
    '["tea",["tea pot"',
    '["tea",["tea pot",7]]',
    '["tea",[["tea",0],["tea pot"',
    '["tea",["tea pot"]] and more',
    'window.google.ac.h(["tea",[["tea",0]]',
    'window.google.ac.h(["tea",[["tea",0]]])  ; alert(1)',
    ")]}'",
    ')]}\'\n[[["tea",0]',
    '[["tea","tea pot"]]',
    '{"AS":{"Query":"tea"}}',
    '{"AS":{"Query":"tea","FullResults":1}}',
    '{"q":"tea","l":{}}',
    '{"gossip":{"qry":"tea"}}',
    '{"error":{"code":400}}',
    '<?xml version="1.0"?><toplevel><CompleteSuggestion><suggestion data="tea"/>',
    '<?xml version="1.0"?><toplevel><CompleteSuggestion/></toplevel>',
    '<?xml version="1.0"?><toplevel><__proto__/></toplevel>',
    '<?xml version="1.0"?><toplevel __proto__="x"/>',
    '<?xml version="1.0"?><error/>',
    'Service unavailable',
  ])('is malformed: %s', (body) => {
    expect(found(body)).toBe('malformed: the answer is not a list of suggestions');
  });

  test('is a page', () => {
    expect(found('<!DOCTYPE html><html><title>Tea</title>')).toBe(
      'malformed: the source answers a page instead of data',
    );
  });
});

test('the words of a challenge are suggestions in a list of Bing', () => {
  const body = '<ul id="sa_ul"><li class="sa_sg" query="what is a captcha">what is a captcha</li></ul>';

  expect(read(body, { 'content-type': 'text/html' })).toEqual({ ok: true, value: ['what is a captcha'] });
});

test('a list of Bing with another status is no answer', () => {
  expect(read('<ul id="sa_ul"><li query="tea">tea</li></ul>', {}, 403)).toMatchObject({ problem: 'blocked' });
});

describe('bytes', () => {
  const latin1 = Buffer.from('["\\u0159\xedzek",["\\u0159\xedzek a caf\xe9"],[],{}]', 'latin1');

  test('in ISO-8859-1 with escapes are decoded by the header', () => {
    expect(found(decodeText(latin1, 'text/javascript; charset=ISO-8859-1'))).toEqual(['řízek a café']);
  });

  test('in Shift_JIS are decoded by the header', () => {
    const bytes = Buffer.from([...Buffer.from('["x",["'), 0x93, 0x8c, 0x8b, 0x9e, ...Buffer.from('"]]')]);

    expect(found(decodeText(bytes, 'text/javascript; charset=Shift_JIS'))).toEqual(['東京']);
  });

  test('in UTF-8 need no header', () => {
    expect(found(decodeText(Buffer.from('["東",["東京"]]'), ''))).toEqual(['東京']);
  });
});
