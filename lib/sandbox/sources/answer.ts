/** What the sandbox answers in the place of a source of keyword data. */

/** An answer over HTTP, after `delayMs`. If `cut` is set, the connection fails instead, for that reason. */
export type SandboxAnswer = {
  status: number;
  headers: Record<string, string>;
  body: string;
  delayMs: number;
  cut: string;
};

/** An answer with status 200, unless `overrides` says otherwise. */
export const answer = (
  type: string,
  body: string,
  overrides: Partial<SandboxAnswer> = {},
): SandboxAnswer => ({
  status: 200,
  headers: { 'content-type': `${type}; charset=UTF-8` },
  body,
  delayMs: 0,
  cut: '',
  ...overrides,
});

/** Why a connection failed. */
export const cuts = {
  cut: 'the connection ended too early',
  reset: 'the connection was reset',
  down: 'the connection was refused',
};

export const json = (body: string): SandboxAnswer => answer('application/json', body);
