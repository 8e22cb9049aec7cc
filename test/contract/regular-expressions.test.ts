/**
 * Every regular expression that the text of a crawled page can reach takes linear time, whatever the text. A
 * page of 1 MB could otherwise hold a function until its end. `recheck` finds the text that an expression
 * takes longest for.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Parameters as CheckOptions, check } from 'recheck';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

const folders = ['crawl', 'fetcher', 'mcp', 'net', 'serp'];

const files = [
  'lib/console/snapshot.ts',
  ...folders.flatMap((folder) =>
    readdirSync(`${root}lib/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `lib/${folder}/${name}`),
  ),
];

/** Expressions whose text has a limit, or is not of a page. */
const limited: Record<string, string> = {
  '/\\/+$/': 'a setting of the operator',
  '/\\s(?:href|ping)=["\']?[^"\']*$/': 'at most 400 characters',
};

/** Expressions with a part that is known only when they run. `recheck` has the form that they get. */
const made: Record<string, RegExp[]> = {
  'lib/mcp/page-text.ts': [/\S.{0,399}(?=\s|$)|\S{1,400}/u],
  // It repeats nothing.
  'lib/mcp/visible.ts': [],
  'lib/serp/bing/video.ts': [/"murl":"((?:[^"\\]|\\.)*)"/],
  'lib/serp/garbled.ts': [/[\u00c2-\u00de][ \u0080-\u00bf]|[\u00e0-\u00ef][ \u0080-\u00bf]{2}/g],
  'lib/serp/google/nothing-found.ts': [/(?<![\p{L}\p{N}])garden chairs(?![\p{L}\p{N}])/u],
  'lib/serp/link.ts': [/[?&]name=([^&]*)/],
  'lib/serp/query-parts.ts': [
    /(?<=^|[\s("“„«])(-?)site:["“]?([^\s"”()]+)["”]?/giu,
    /(?<=^|[\s("“„«])(?:(?:before|source):\S+|-(?:"[^"]*"|[^\s-]\S*))/giu,
  ],
  'lib/serp/shown-words.ts': [
    /(?<!\p{L})garden[^\p{L}\p{M}\p{N}]{0,3}chairs(?!\p{L})/u,
    /(?<!\p{L})\p{L}{0,3}garden(?!\p{L})/u,
  ],
  // It is one sign.
  'lib/serp/text.ts': [],
  'lib/serp/units.ts': [/\d\s?\+?\s?(?:年|(?:year|years)(?![\p{L}\p{M}]))/u],
};

type Found = { source: string; flags: string };

const expressionsIn = (text: string): { literals: Found[]; made: number } => {
  const literals: Found[] = [];
  let count = 0;
  const isMade = ({ callee }: ESTree.NewExpression | ESTree.CallExpression) =>
    callee.type === 'Identifier' && callee.name === 'RegExp';
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) literals.push({ source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: (node) => {
      if (isMade(node)) count += 1;
    },
    CallExpression: (node) => {
      if (isMade(node)) count += 1;
    },
  }).visit(parseSync('file.ts', text).program);
  return { literals, made: count };
};

/** Whether an expression repeats something without a limit. Others look at each sign a few times. */
const repeats = ({ source }: Found): boolean => /[*+]|\{\d+,\}/.test(source);

/**
 * Where an expression has lookarounds, `recheck` looks for a text at random, and here always alike. It has no
 * time limits, because on a busy machine it would find something else, or nothing.
 */
const options = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  randomSeed: 0,
} satisfies CheckOptions;

/**
 * The expressions that take linear time, as this version of `recheck` has found with these options. It would
 * find the same again, in 20 s of processor time for all of them: so only expressions that are not in the
 * file are looked at. With `CHECK_EXPRESSIONS=all`, which `.ci/run` sets, all are.
 */
const listFile = 'linear-expressions.json';
const checker = { recheck: createRequire(import.meta.url)('recheck/package.json').version, ...options };

const listText = (expressions: Iterable<string>): string =>
  `${JSON.stringify({ checker, expressions: [...expressions].sort() }, null, 2)}\n`;

const readList = (): string[] => {
  const file = new URL(listFile, import.meta.url);
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return isDeepStrictEqual(kept.checker, checker) ? kept.expressions : [];
};
const known = new Set(process.env.CHECK_EXPRESSIONS === 'all' ? [] : readList());

const nameOf = ({ source, flags }: Found): string => `/${source}/${flags}`;

const faultOf = async ({ source, flags }: Found): Promise<string | null> => {
  const result = await check(source, flags, options);
  if (result.status === 'safe') return null;
  return result.status === 'vulnerable'
    ? `${result.complexity.summary}: ${result.attack.pattern}`
    : 'not known to take linear time';
};

test('finds the expressions of a file', () => {
  expect(expressionsIn('const a = /b+/gu; const c = new RegExp(a); RegExp(c); // /d+/')).toEqual({
    literals: [{ source: 'b+', flags: 'gu' }],
    made: 2,
  });
});

test.each(['^(?:[\\w-]+\\/?)*$', '\\s+$', '(\\d+[.,]\\d+)\\D*$', '<!--.*?-->'])(
  'knows that /%s/ takes longer',
  async (source) => {
    expect(await faultOf({ source, flags: '' })).toMatch(/polynomial|exponential/);
  },
  120_000,
);

describe('an expression', () => {
  const found = new Map<string, Found>();
  const makers: string[] = [];
  beforeAll(() => {
    for (const file of files) {
      const { literals, made: count } = expressionsIn(readFileSync(`${root}${file}`, 'utf8'));
      for (const literal of literals) found.set(nameOf(literal), literal);
      if (count > 0) makers.push(file);
    }
    for (const one of Object.values(made).flat()) found.set(nameOf(one), one);
  });

  test('that is made when it runs is in the list', () => {
    expect(makers.toSorted()).toEqual(Object.keys(made));
  });

  test('whose text has a limit is in the list only while it exists', () => {
    expect(Object.keys(limited).filter((name) => !found.has(name))).toEqual([]);
  });

  test('takes linear time', async () => {
    const all = [...found].filter(([name, one]) => repeats(one) && limited[name] === undefined);
    const waiting = all.filter(([name]) => !known.has(name));
    expect(all.length).toBeGreaterThan(100);
    const faults: string[] = [];
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const fault = await faultOf(next[1]);
        if (fault !== null) faults.push(`${next[0]}: ${fault}`);
      }
    };
    await Promise.all([work(), work()]);

    expect(faults).toEqual([]);
    // `npx vitest run -u test/contract/regular-expressions.test.ts` writes the file.
    await expect(listText(all.map(([name]) => name))).toMatchFileSnapshot(listFile);
  }, 600_000);
});
