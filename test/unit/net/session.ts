/** A session of the browser's protocol that answers as a test says, and records its commands. */
import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { vi } from 'vitest';

type Answers = Record<string, unknown>;

/** The main frame, as `Page.getFrameTree` names it. */
export const mainFrame = { id: 'main', loaderId: 'loader', url: 'https://engine.example/search' };

/** `answers`: the answer to a command by its name, or a function of its parameters that may throw. */
export const fakeSession = (answers: Answers = {}) => {
  const events = new EventEmitter();
  const all: Answers = { 'Page.getFrameTree': { frameTree: { frame: mainFrame } }, ...answers };
  const send = vi.fn(async (command: string, parameters?: unknown): Promise<unknown> => {
    const answer = all[command];
    return typeof answer === 'function' ? answer(parameters) : (answer ?? {});
  });
  return {
    session: Object.assign(events, { send }) as unknown as CDPSession,
    answers: all,
    /** The parameters of each command with this name. */
    sent: (command: string) =>
      send.mock.calls.filter(([name]) => name === command).map(([, parameters]) => parameters),
    /** Raises an event, and waits until everything that follows at once is done. */
    emit: async (event: string, value: unknown): Promise<void> => {
      events.emit(event, value);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    },
    commands: () => send.mock.calls.map(([name]) => name),
  };
};
