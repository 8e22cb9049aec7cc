/**
 * Preloaded into a service by `moved-clock.ts`: its clock runs some seconds before or behind, as a file says.
 * Each process and each thread writes the seconds that it uses into a file of its own, next to that file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

const file = process.env.MOVED_CLOCK ?? '';
const RealDate = Date;
let used = '0';

const read = () => {
  const seconds = existsSync(file) ? readFileSync(file, 'utf8') : '0';
  if (seconds === used) return;
  used = seconds;
  report();
};
const report = () => writeFileSync(`${file}-${process.pid}-${threadId}`, used);
report();
read();
setInterval(read, 20).unref();

const movedNow = () => RealDate.now() + Number(used) * 1000;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [movedNow()] : args, self),
  apply: () => new RealDate(movedNow()).toString(),
  get: (target, name) => (name === 'now' ? movedNow : Reflect.get(target, name)),
});
