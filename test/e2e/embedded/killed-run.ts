/** Starts a stack and a Chromium, tells their process ids to its parent, and waits to be killed. */
import { startBrowser } from '../browser.ts';
import { startService } from '../service.ts';

const [{ child, dataDir }, browser] = await Promise.all([startService(), startBrowser()]);
process.send?.({ pids: [child.pid, browser.process()?.pid], dataDir });
