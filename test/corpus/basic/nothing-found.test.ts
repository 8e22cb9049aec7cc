/**
 * Generated pages for browsers without scripts that say that nothing was found, in several languages and
 * layouts, and broken pages that must not pass for one.
 */
import { describe, expect, test } from 'vitest';
import { reader } from '../../../lib/serp/google/reader.ts';
import { type Random, randomBy } from '../../tampering/random.ts';
import { eventId, fetchedAt, generate, languageNames, layouts, wordsOf } from './layouts.ts';

const judge = (html: string, query: string) => {
  const page = reader.open(html);
  const parsed = page.read('desktop', query);
  return page.judge(parsed, { query, device: 'desktop', fetchedAt, status: 200, url: '' });
};

type Say = (count: number) => string;

/** How the sentence repeats the query. */
const echoes: Record<string, (query: string) => string> = {
  'in the text': (query) => query,
  'in bold letters': (query) => `<b>${query}</b>`,
  'in a part of its own': (query) => `<span class="e"><em>${query}</em></span>`,
  'in quotes': (query) => `“${query}”`,
  'with places to break the line': (query) => `<b>${query.replace(/(\S{3})(?=\S)/g, '$1<wbr>')}</b>`,
  'word by word': (query) =>
    query
      .split(' ')
      .map((word) => `<b>${word}</b>`)
      .join(' '),
};

/** How the advice follows. */
const advices: Record<string, (say: Say) => string> = {
  'a list': (say) =>
    `<div>${say(1)}:</div><ul><li>${say(4)}.</li><li>${say(3)}.</li><li>${say(5)}.</li></ul>`,
  lines: (say) => `<br><br>${say(1)}:<br>- ${say(4)}.<br>- ${say(3)}.<br>- ${say(5)}.`,
  'lines of one text': (say) => `\n  \n  ${say(1)}:\n  ${say(4)}.\n  ${say(3)}.\n  ${say(5)}.`,
  boxes: (say) => `<div>${say(1)}:</div><div>${say(4)}.</div><div>${say(3)}.</div><div>${say(5)}.</div>`,
  'a list and a link to the help': (say) =>
    `<div>${say(1)}:</div><ul><li>${say(4)}.</li><li>${say(3)}.</li></ul><div>${say(2)} <a href="https://support.google.com/websearch/answer/134479">${say(2)}</a></div>`,
  'lines, and a link to the help in the same box': (say) =>
    `<br>${say(1)}:<br>${say(4)}.<br>${say(3)}.<br>${say(5)}. <a href="/url?q=https://support.google.com/websearch%3Fp%3Dtips&amp;sa=U">${say(2)}</a>`,
};

/** What is around. */
const frames: Record<string, (said: string, parts: { query: string; say: Say }) => string> = {
  'boxes and a footer': (said, { query, say }) =>
    `<header><form id="sf"><input name="q" type="text" value="${query}"></form></header><div id="main"><div>${tabs(query)}</div>
     <div><div><div><div>${said}</div></div></div></div><footer><div><span>${say(2)}</span> - <a href="/url?q=https://support.google.com/websearch&amp;sa=U">${say(1)}</a></div>
     <a href="/url?q=https://accounts.google.com/ServiceLogin&amp;sa=U">${say(1)}</a></footer></div>`,
  'a text area and hidden tools': (said, { query, say }) =>
    `<form action="/search"><textarea name="q">${query}</textarea></form><div><div style="display:none">${query} <ul><li>${query}</li><li><a href="/search?q=x&amp;tbs=qdr:h">${say(1)}</a></li></ul></div>
     <div>${tabs(query)}</div></div><div>${said}</div>`,
  'columns and a bar of services': (said, { query, say }) =>
    `<div id="gbar"><a href="https://maps.google.com/maps?hl=en">${say(1)}</a><a href="https://www.youtube.com/results?gl=US&amp;tab=w1">${say(1)}</a><a href="https://www.youtube.com/?tab=w1">${say(1)}</a></div>
     <form action="/search"><input name="q" value="${query}"></form><table><tr><td>${tabs(query)}</td><td><div id="center_col"><div id="res"><div id="topstuff"><div>${said}</div></div></div>
     <div id="foot"><a href="/advanced_search?q=x">${say(1)}</a></div></div></td></tr></table>`,
  'no ids': (said, { query, say }) =>
    `<div><a href="https://www.youtube.com/results?gl=US&amp;tab=w1">${say(1)}</a></div><form action="/wml/search"><input name="q" value="${query}"></form><div>${tabs(query)}</div><div class="z">${said}</div><div><a href="https://www.google.com/preferences">${say(1)}</a></div>`,
};

const tabs = (query: string): string =>
  `<a href="/search?q=${encodeURIComponent(query)}&amp;ei=${eventId(fetchedAt)}&amp;tbm=isch">1</a><a href="/url?q=https://maps.google.com/maps%3Fq%3Dx&amp;sa=U">2</a>`;

const cases = Object.keys(frames).flatMap((frame) =>
  Object.keys(echoes).flatMap((echo) => Object.keys(advices).map((advice) => ({ frame, echo, advice }))),
);

const wordsFor = (seed: number): { query: string; say: Say; random: Random } => {
  const random = randomBy(seed * 523 + 3);
  random.next();
  const words = wordsOf(languageNames[seed % languageNames.length] ?? 'en', random);
  return { query: `${words.name()} ${words.some(1)}`, say: words.some, random };
};

const emptyPage = ({ frame, echo, advice }: (typeof cases)[number], seed: number) => {
  const { query, say } = wordsFor(seed);
  const said = `<div>${say(2)} - ${echoes[echo]?.(query)} - ${say(3)}.</div>${advices[advice]?.(say)}`;
  const body = frames[frame]?.(advice.startsWith('lines') ? said.replace(/^<div>(.*?)<\/div>/, '$1') : said, {
    query,
    say,
  });
  return {
    query,
    html: `<!doctype html><html><head><title>${query} - Google</title></head><body>${body}</body></html>`,
  };
};

const seeds = [1, 2, 3, 4, 5, 6, 7];

describe.each(cases)('$frame, the query $echo, and $advice', (one) => {
  test('is empty in every language', () => {
    const verdicts = seeds.map((seed) => {
      const { html, query } = emptyPage(one, seed);
      return judge(html, query);
    });

    expect(verdicts).toEqual(seeds.map(() => 'empty'));
  });
});

/** Pages that are broken, or that say it for another search. */
const breaks: Record<string, (html: string, query: string, say: Say) => string | null> = {
  'it is about another query': (html, query) =>
    html.replaceAll(/(<body>.*)/gs, (body) => body.replaceAll(query, 'other words')),
  'only the sentence is left': (html) =>
    html.replace(/<ul>.*?<\/ul>|(?<=:)(?:<br>|\n).*?(?=<\/div>)|<div>[^<]*\.<\/div>(?=<div>)/gs, ''),
  'it has a link to a result': (html) =>
    html.replace(
      '</body>',
      '<div><a href="/url?q=https://kiln.example/a&amp;sa=U"><div>Kiln</div></a></div></body>',
    ),
  'it has a video': (html) =>
    html.replace('</body>', '<div><a href="https://www.youtube.com/watch?v=1">Kiln</a></div></body>'),
  'it has the address of a result': (html) => html.replace('</body>', '<div>kiln.example › a</div></body>'),
  'it links to further pages': (html, query) =>
    html.replace(
      '</body>',
      `<a href="/search?q=${encodeURIComponent(query)}&amp;start=10&amp;sa=N">2</a></body>`,
    ),
  'it repeats the query in texts': (html, query, say) =>
    html.replace(
      '</body>',
      `${[1, 2, 3].map(() => `<div>${say(2)} ${query} ${say(3)}</div>`).join('')}</body>`,
    ),
  'it is a year old': (html) => html.replaceAll(eventId(fetchedAt), eventId(fetchedAt - 365 * 86_400)),
  'it has no time': (html) => html.replaceAll(`&amp;ei=${eventId(fetchedAt)}`, ''),
};

test.each(Object.keys(breaks))('no page passes for empty if %s', (name) => {
  const passed = cases.flatMap((one) =>
    [1, 2].flatMap((seed) => {
      const { html, query } = emptyPage(one, seed);
      const changed = breaks[name]?.(html, query, wordsFor(seed).say);
      if (!changed || changed === html) return [];
      return ['empty', 'results'].includes(judge(changed, query))
        ? [`${one.frame}, ${one.echo}, ${one.advice}`]
        : [];
    }),
  );

  expect(passed).toEqual([]);
});

test('no page of results without its results passes for empty', () => {
  const passed = layouts.flatMap((layout) =>
    seeds.flatMap((seed) => {
      const { html, query, ranking } = generate(layout, seed);
      const emptied = ranking.reduce(
        (rest, { title, url }) => rest.replaceAll(title, query).replaceAll(encodeURIComponent(url), 'x'),
        html.replace(/\/url\?q=/g, '/search?q=').replace(/\S+\.example\S*/g, ''),
      );
      const cut = emptied.replace(/<a [^>]*start=[^>]*>.*?<\/a>/g, '');
      return [emptied, cut]
        .filter((one) => judge(one, query) === 'empty')
        .map(() => `${layout.name}, ${seed}`);
    }),
  );

  expect(passed).toEqual([]);
});
