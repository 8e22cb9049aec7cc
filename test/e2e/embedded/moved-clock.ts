/** Preloaded into a service by `startOnMovedClock`: its clock runs some seconds before or behind, as a file says. */
import { existsSync, readFileSync } from 'node:fs';

const file = process.env.MOVED_CLOCK ?? '';
const RealDate = Date;
let offsetMs = 0;

const read = () => {
  if (existsSync(file)) offsetMs = Number(readFileSync(file, 'utf8')) * 1000;
};
read();
setInterval(read, 20).unref();

const movedNow = () => RealDate.now() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [movedNow()] : args, self),
  apply: () => new RealDate(movedNow()).toString(),
  get: (target, name) => (name === 'now' ? movedNow : Reflect.get(target, name)),
});
