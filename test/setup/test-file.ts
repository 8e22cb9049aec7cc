/** Names the running test file to the stacks that it starts, for the error about one that does not start. */
import { relative } from 'node:path';
import { expect } from 'vitest';

process.env.TEST_FILE = relative('.', expect.getState().testPath ?? '');
