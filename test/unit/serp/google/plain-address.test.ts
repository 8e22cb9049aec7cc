/** Hidden links: the data of a result that may give its address. */
import { expect, test } from 'vitest';
import { readPage } from '../../../../lib/serp/google/reader.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const token = 'CAESuAEB0123456789abcdef';

/** A page with one result behind a hidden link. */
const resultWith = ({
  cite = 'https://craft.example › guide › paper',
  attributes = '',
  beside = '',
  script = '',
}) => {
  const html = `<div id="rso"><div><div><a href="/goto?url=${token}" ${attributes}><h3>Paper</h3><cite>${cite}</cite></a>${beside}</div></div></div>
    <script>${script}</script>`;
  return readPage(parseHtml(html), 'desktop').left[0];
};

test.each([
  [
    'the click counter',
    { attributes: 'ping="/url?sa=t&amp;url=https%3A%2F%2Fcraft.example%2Fguide%2Fpaper&amp;ved=1"' },
  ],
  ['an attribute of the link', { attributes: 'data-curl="https://craft.example/guide/paper"' }],
  ['an attribute beside the link', { beside: '<div data-surl="https://craft.example/guide/paper"></div>' }],
  [
    'the click counter, with section names in the breadcrumb,',
    {
      cite: 'https://craft.example › Our guides',
      attributes: 'ping="/url?url=https://craft.example/guide/paper"',
    },
  ],
  ['a quote', { beside: '<a href="https://craft.example/guide/paper#:~:text=x">Read more</a>' }],
  ['a picture', { beside: '<a href="https://craft.example/guide/paper"><img></a>' }],
  [
    'a link to a translation',
    {
      beside:
        '<a href="https://translate.google.com/translate?u=https://craft.example/guide/paper&amp;hl=de"></a>',
    },
  ],
  [
    'the address of an AMP page, before its canonical address,',
    {
      attributes:
        'data-amp="https://craft.example/guide/paper" data-amp-cur="https://craft.example/guide/paper/whole"',
    },
  ],
  [
    'the address of an AMP page, after its canonical address,',
    {
      attributes:
        'data-amp-cur="https://craft.example/guide/paper/whole" data-amp="https://craft.example/guide/paper"',
    },
  ],
  ['script data with its token', { script: `["${token}","x","https:\\/\\/craft.example\\/guide\\/paper"]` }],
])('%s gives the address', (_, parts) => {
  expect(resultWith(parts)).toMatchObject({
    url: 'https://craft.example/guide/paper',
    url_resolution: 'page',
    domain: 'craft.example',
  });
});

test.each([
  ['no other data', {}],
  ['another page of the site', { beside: '<a href="https://craft.example/guide/paper/more">More</a>' }],
  ['another site', { attributes: 'data-url="https://other.example/guide/paper"' }],
  ['a path that differs from the breadcrumb', { attributes: 'data-url="https://craft.example/contact"' }],
  ['a picture of the site', { beside: '<a href="https://craft.example/about"><img></a>' }],
  [
    'the site that an ad connects to in advance',
    { attributes: 'data-pcu="https://craft.example/guide/paper"' },
  ],
  [
    'the canonical address of an AMP page',
    { attributes: 'data-amp-cur="https://craft.example/guide/paper"' },
  ],
  [
    'an attribute near the token in the click counter, with another path,',
    {
      attributes: `data-title-url="https://craft.example/contact" data-x="1" ping="/goto?url=${token}"`,
    },
  ],
  ['another hidden link', { attributes: 'data-url="https://www.google.com/goto?url=CAESother"' }],
  ['script data of another result', { script: '["CAESother","https://craft.example/guide/paper"]' }],
])('%s does not give the address', (_, parts) => {
  expect(resultWith(parts)).toMatchObject({
    url: `https://www.google.com/goto?url=${token}`,
    url_resolution: 'opaque',
    domain: 'craft.example',
  });
});

test('a breadcrumb without a host gives no domain and no address', () => {
  const item = resultWith({
    cite: 'Paper Hands',
    attributes: 'data-url="https://craft.example/guide/paper"',
  });

  expect(item).toMatchObject({ url_resolution: 'opaque', domain: '' });
});
