/** The ways in which a source of keyword data fails its clients. One entry is one misfortune. */
import type { SourceMisfortune } from '../../model/misfortune.ts';
import { answer, cuts, type SandboxAnswer } from './answer.ts';

/** What a source answers without a misfortune, and what it answers if it knows nothing. */
export type Answers = { usual: () => SandboxAnswer; empty: () => SandboxAnswer };

const errorPage = (status: number, title: string): SandboxAnswer =>
  answer(
    'text/html',
    `<!DOCTYPE html><html lang=en><title>Error ${status} (${title})!!1</title><p><b>${status}.</b>`,
    {
      status,
    },
  );

export const misfortunes: Record<SourceMisfortune, (answers: Answers) => SandboxAnswer> = {
  /** A redirect to the page with a puzzle. */
  captcha: () =>
    answer('text/html', '', {
      status: 302,
      headers: { 'content-type': 'text/html', location: 'https://www.google.com/sorry/index?continue=' },
    }),

  /** A refusal with almost no content. */
  soft_block: () => errorPage(403, 'Forbidden'),

  /** The usual answer after eight seconds: slow, but within the deadline of a call. */
  slow: ({ usual }) => ({ ...usual(), delayMs: 8000 }),

  /** The connection ends in the middle of the answer. */
  cut: ({ usual }) => ({ ...usual(), cut: cuts.cut }),

  reset: ({ usual }) => ({ ...usual(), cut: cuts.reset }),

  /** The source knows nothing, and says so. */
  empty: ({ empty }) => empty(),

  /** Half of the usual answer, as if it were all. */
  malformed: ({ usual }) => {
    const whole = usual();
    return { ...whole, body: whole.body.slice(0, Math.max(1, Math.floor(whole.body.length / 2))) };
  },

  /** Nothing accepts connections. */
  down: ({ usual }) => ({ ...usual(), cut: cuts.down }),

  http_500: () => errorPage(500, 'Server Error'),

  http_429: () => errorPage(429, 'Too Many Requests'),
};
