/**
 * Keeps what the engines of the sandbox draw and what the readers read: worlds ask for the same pages again
 * and again, and each page is read at least twice. The engines draw their pages as at the beginning of a
 * quarter of the day, so that pages of different minutes and worlds are the same.
 */
import type { SandboxPage } from '../../../lib/sandbox/misfortunes.ts';
import type { SearchRequest } from '../../../lib/sandbox/search.ts';
import type { EnginePage, EngineReader, FindTarget } from '../../../lib/serp/engine-reader.ts';

type Drawing = (request: SearchRequest) => SandboxPage;

const quarterSeconds = 6 * 3600;
const hourSeconds = 3600;

/**
 * Characters of bodies of which a shelf keeps something. There are two, and with what is read from them, a
 * character needs about ten bytes.
 */
const mostCharacters = 16 * 1024 * 1024;

const quarterOf = (at: number): number => at - (at % quarterSeconds);

/** Values by texts, until the texts are too long together. */
const newShelf = <Value>() => {
  const values = new Map<string, Value>();
  let size = 0;
  return (key: string, make: () => Value, bodyOf: (value: Value) => string): Value => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = make();
    const weight = bodyOf(value).length;
    size += weight;
    if (size > mostCharacters) {
      values.clear();
      size = weight;
    }
    values.set(key, value);
    return value;
  };
};

/** Makes a change of what is kept an error. */
const frozen = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
};

const rememberedDrawing = (draw: Drawing): Drawing => {
  const shelf = newShelf<SandboxPage>();
  return (request) => {
    const now = quarterOf(request.now);
    const rankedAt = quarterOf(request.rankedAt ?? request.now);
    const asked = { ...request, now, rankedAt };
    return shelf(
      JSON.stringify(asked),
      () => frozen(draw(asked)),
      (page) => page.body,
    );
  };
};

/** Reads a page whose results are kept in `kept`. The page is parsed when something is missing there. */
const rememberedPage = (open: () => EnginePage, kept: Map<string, unknown>): EnginePage => {
  let opened: EnginePage | undefined;
  const done: ((page: EnginePage) => void)[] = [];
  // A reader may note on a page what it has read: what was asked before is asked again.
  const page = (): EnginePage => {
    if (opened) return opened;
    opened = open();
    for (const work of done) work(opened);
    return opened;
  };
  const remember = <Value>(key: string, work: (page: EnginePage) => Value): Value => {
    if (!kept.has(key)) kept.set(key, frozen(work(page())));
    else done.push(work);
    return kept.get(key) as Value;
  };
  return {
    read: (device, asked) => remember(`read ${device} ${asked}`, (it) => it.read(device, asked)),
    judge: (parsed, fetch) => {
      const inHour = { ...fetch, fetchedAt: fetch.fetchedAt - (fetch.fetchedAt % hourSeconds) };
      return remember(`judge ${JSON.stringify(inHour)}`, (it) => it.judge(parsed, inHour));
    },
    market: () => remember('market', (it) => it.market()),
    next: () => remember('next', (it) => it.next?.()),
    deferred: (parsed, device) => {
      if (kept.get(`deferred ${device}`) === 'none') return undefined;
      const deferred = page().deferred?.(parsed, device);
      if (!deferred) kept.set(`deferred ${device}`, 'none');
      return deferred;
    },
  };
};

type Kept = {
  plain: Map<string, unknown>;
  /** By the targets of hidden links that a reading has asked for. */
  revealed: { targets: Map<string, string | undefined>; kept: Map<string, unknown> }[];
};

const rememberedReader = (reader: EngineReader): EngineReader['open'] => {
  const shelf = newShelf<Kept>();
  const { open } = reader;
  return (body, find) => {
    const ofBody = shelf(
      body,
      () => ({ plain: new Map(), revealed: [] }),
      () => body,
    );
    if (!find) return rememberedPage(() => open(body), ofBody.plain);
    const known = ofBody.revealed.find(({ targets }) =>
      [...targets].every(([link, target]) => find(link) === target),
    );
    if (known) return rememberedPage(() => open(body, find), known.kept);
    const targets = new Map<string, string | undefined>();
    const noting: FindTarget = (link) => {
      const target = find(link);
      targets.set(link, target);
      return target;
    };
    // The links are replaced when the page is opened, all before anything is read.
    const page = open(body, noting);
    const kept = new Map<string, unknown>();
    ofBody.revealed.push({ targets, kept });
    return rememberedPage(() => page, kept);
  };
};

/** Lets the pure modules of a script keep what they have drawn and read. */
export const rememberPages = (pure: Record<string, unknown>): void => {
  const { sandboxEngines } = pure['lib/sandbox/engines.ts'] as { sandboxEngines: Record<string, Drawing> };
  for (const [engine, draw] of Object.entries(sandboxEngines))
    sandboxEngines[engine] = rememberedDrawing(draw);
  const { readers } = pure['lib/serp/reader.ts'] as { readers: Record<string, EngineReader> };
  for (const [engine, reader] of Object.entries(readers))
    readers[engine] = { ...reader, open: rememberedReader(reader) };
};
