/**
 * The environment of a process that a test starts: nothing of this one but the search path for programs, and
 * the folder of Node's compiled code (`vitest.config.ts`), which halves the processor time of a start.
 */
export const bareEnvironment = {
  PATH: process.env.PATH ?? '',
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};
