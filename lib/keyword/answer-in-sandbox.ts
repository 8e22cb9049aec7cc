/**
 * Lets the sandbox answer a request in the place of a provider, as a connection would: after its delay, or
 * not at all.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderAnswer, ProviderRequest } from '../provider/contract.ts';
import { clock } from '../runtime/clock.ts';
import { setting } from '../runtime/env.ts';

/**
 * Imported on demand. `#sandbox-provider` is in package.json; the bundle of a live stage does not contain it.
 */
const importSandbox = () => import('#sandbox-provider');

/**
 * The answer, or why the connection failed: a stable word (`unreachable`, `timeout`), a colon and a sentence.
 */
export const answerInSandbox = async (
  request: ProviderRequest,
  deadlineMs: number,
): Promise<({ ok: true } & ProviderAnswer) | { ok: false; reason: string }> => {
  const { sandboxAnswer } = await importSandbox();
  const { delayMs, cut, ...answer } = sandboxAnswer(request, setting('SANDBOX_MISFORTUNE'), clock());
  await sleep(Math.min(delayMs, deadlineMs));
  if (delayMs > deadlineMs) return { ok: false, reason: 'timeout: the answer did not arrive in time' };
  return cut ? { ok: false, reason: `unreachable: ${cut}` } : { ok: true, ...answer };
};
