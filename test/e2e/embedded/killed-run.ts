/** Starts a stack and a Chromium, tells their process ids to its parent, and waits to be killed. */
import { join } from 'node:path';
import { startBrowser } from '../browser.ts';
import { startService } from '../service.ts';

const { child, dataDir } = await startService();
const browser = await startBrowser(join(dataDir, 'profile'));
process.send?.({ pids: [child.pid, browser.process()?.pid], dataDir });
