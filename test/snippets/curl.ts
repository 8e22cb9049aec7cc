/**
 * Runs the curl commands of the reference without a shell and without curl: the commands and options that its
 * snippets use.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

type Variables = Record<string, string>;

/** A word of a command, or one of the signs between commands. */
type Token = { text: string; isSign: boolean };

const substituted = (text: string, variables: Variables): string =>
  text.replace(/\$([A-Z_]+)/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`No value for $${name}`);
    return value;
  });

/** The words of a script, with variables replaced, as a shell reads them. */
export const tokensOf = (script: string, variables: Variables): Token[] => {
  const tokens: Token[] = [];
  const pattern = /\\\n|[^\S\n]+|([;|\n])|((?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s;|'"\\])+)/gy;
  let at = 0;
  for (const { 0: all, 1: sign, 2: word } of script.matchAll(pattern)) {
    at += all.length;
    if (sign) tokens.push({ text: sign, isSign: true });
    if (word === undefined) continue;
    const text = word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|([^'"]+)/g, (_, single, double, bare) => {
      if (single !== undefined) return single;
      return substituted(double?.replace(/\\(["\\$])/g, '$1') ?? bare, variables);
    });
    tokens.push({ text, isSign: false });
  }
  if (at !== script.length) throw new Error(`Cannot read the command from: ${script.slice(at, at + 40)}`);
  return tokens;
};

type Command = string[];

/** The commands of a script, each with the sign that ends it. */
const commandsOf = (tokens: Token[]): { words: Command; sign: string }[] => {
  const commands: { words: Command; sign: string }[] = [];
  let words: Command = [];
  for (const { text, isSign } of [...tokens, { text: '\n', isSign: true }]) {
    if (!isSign) words.push(text);
    else if (words.length > 0) {
      commands.push({ words, sign: text });
      words = [];
    }
  }
  return commands;
};

type Request = {
  url: string;
  method: string;
  headers: [string, string][];
  data: string[];
  follow: boolean;
  file: string | null;
  showsHeaders: boolean;
  format: string;
};

/** @throws if an option is not known here. */
export const parseCurl = ([, ...words]: Command): Request => {
  const request: Request = {
    url: '',
    method: '',
    headers: [],
    data: [],
    follow: false,
    file: null,
    showsHeaders: false,
    format: '',
  };
  const take = (): string => {
    const value = words.shift();
    if (value === undefined) throw new Error('An option of curl lacks its value');
    return value;
  };
  const options: Record<string, () => void> = {
    '-s': () => {},
    '-L': () => {
      request.follow = true;
    },
    '-X': () => {
      request.method = take();
    },
    '-H': () => {
      const [name = '', ...value] = take().split(':');
      request.headers.push([name, value.join(':').trim()]);
    },
    '-u': () => {
      const credentials = Buffer.from(take()).toString('base64');
      request.headers.push(['Authorization', `Basic ${credentials}`]);
    },
    '-d': () => request.data.push(take()),
    '-o': () => {
      request.file = take();
    },
    '-D': () => {
      if (take() !== '-') throw new Error('Only -D - is known here');
      request.showsHeaders = true;
    },
    '-w': () => {
      request.format = take();
    },
  };
  while (words.length > 0) {
    const word = take();
    if (!word.startsWith('-')) request.url = word;
    else if (options[word]) options[word]();
    else throw new Error(`The option ${word} of curl is not known here`);
  }
  if (request.url === '') throw new Error('curl needs a URL');
  return request;
};

/** Sends the request as curl does, and returns what curl prints. */
const curl = async (words: Command, folder: string): Promise<string> => {
  const { url, method, headers, data, follow, file, showsHeaders, format } = parseCurl(words);
  const sent = new Headers([
    ['user-agent', 'curl/8.5.0'],
    ['accept', '*/*'],
    ['accept-encoding', 'identity'],
    ...(data.length > 0 ? [['content-type', 'application/x-www-form-urlencoded'] as [string, string]] : []),
  ]);
  for (const [name, value] of headers) sent.set(name, value);
  const response = await fetch(url, {
    method: method || (data.length > 0 ? 'POST' : 'GET'),
    headers: sent,
    redirect: follow ? 'follow' : 'manual',
    ...(data.length > 0 && { body: data.join('&') }),
    signal: AbortSignal.timeout(60_000),
  });
  const body = await response.text();
  if (file !== null && file !== '/dev/null') await writeFile(join(folder, file), body);
  const head = [
    `HTTP/1.1 ${response.status} ${response.statusText}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\n');
  return [
    showsHeaders ? head : '',
    file === null ? body : '',
    format.replaceAll('%{http_code}', String(response.status)).replaceAll('\\n', '\n'),
  ].join('');
};

/**
 * Runs a script of curl commands and of loops `until curl … | grep -Eq <pattern>; do sleep <seconds>; done`,
 * and returns what it prints.
 */
export const runCurl = async (script: string, variables: Variables, folder: string): Promise<string> => {
  const commands = commandsOf(tokensOf(script, variables));
  const printed: string[] = [];
  for (let command = commands.shift(); command; command = commands.shift()) {
    const { words } = command;
    if (words[0] === 'curl') printed.push(await curl(words, folder));
    else if (words[0] === 'until') {
      const [grep, pause, done] = commands.splice(0, 3);
      if (
        grep?.words.slice(0, 2).join(' ') !== 'grep -Eq' ||
        pause?.words.slice(0, 2).join(' ') !== 'do sleep' ||
        done?.words.join(' ') !== 'done'
      )
        throw new Error(`The loop is not known here: ${script}`);
      const wanted = new RegExp(grep.words[2] ?? '', 'm');
      while (!wanted.test(await curl(words.slice(1), folder))) await sleep(1000 * Number(pause.words[2]));
    } else throw new Error(`The command ${words[0]} is not known here`);
  }
  return printed.join('');
};
