/**
 * `npm start`: runs the whole service on this machine. Results come from the sandbox; `-- --live` asks the
 * real search engines. The first start runs a demonstration search; `-- --no-demonstration` leaves it out.
 * `docs/settings.md` lists the settings (PORT, HOST, DATA_DIR …).
 */
import { offerHelp } from '../help.ts';
import { keepCompiledCode } from './compile-cache.ts';

offerHelp();

/**
 * A parent with a channel to this process, such as a test, may be killed: no service is left behind. The next
 * start continues its work, as after a crash.
 */
process.once('disconnect', () => process.exit(0));

// Before the import of everything else, which is then compiled only once.
keepCompiledCode();
const { importService } = await import('./program.ts');
const serve = await importService();
await serve();
