/**
 * Traces of errors name the sources, although the code is that of the program (`program.ts`). Node can do
 * this itself (`--enable-source-maps`), but then it reads all maps at the start, which takes a tenth of the
 * start. Here an error that somebody looks at reads the maps of its frames.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const maps = new Map<string, SourceMap | null>();

/** The map beside a file; null if there is none. */
const mapOf = (file: string): SourceMap | null => {
  let map = maps.get(file);
  if (map === undefined) {
    try {
      map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')));
    } catch {
      map = null;
    }
    maps.set(file, map);
  }
  return map;
};

/** The frame, at its place in the sources if it is in a file with a map. Lines and columns begin at 1. */
const inSources = (frame: string): string =>
  frame.replace(/(file:[^()]+\.mjs):(\d+):(\d+)/, (place, file: string, line: string, column: string) => {
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!found || !('originalSource' in found)) return place;
    return `${new URL(found.originalSource, file).href}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });

/** Names the sources in the traces of all errors of this thread from now on. */
export const traceToSources = (): void => {
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${inSources(String(frame))}`)].join('\n');
};
