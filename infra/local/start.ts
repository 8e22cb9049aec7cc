/**
 * `npm start`: runs the whole service on this machine. Results come from the sandbox; `-- --live` asks the
 * real search engines. The first start runs a demonstration search; `-- --no-demonstration` leaves it out.
 * `docs/settings.md` lists the settings (PORT, HOST, DATA_DIR …).
 */
import { keepCompiledCode } from './compile-cache.ts';

// Before the import of everything else, which is then compiled only once.
keepCompiledCode();
await import('./serve.ts');
