/** An engine of a test's own on loopback, and a service that asks it. */
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { type Client, clientOf } from '../client.ts';
import { startService } from '../service.ts';

/** The sandbox's page at an address, for the device that asks. */
export const pageFor = (request: IncomingMessage, address: URL) =>
  answerRequest({
    url: address.href,
    device: /Mobile/.test(request.headers['user-agent'] ?? '') ? 'mobile' : 'desktop',
    now: Math.floor(Date.now() / 1000),
  });

/** Starts both; `stop` ends them. */
export const startWithEngine = async (
  engine: Server,
): Promise<{ client: Client; stop: () => Promise<void> }> => {
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  const service = await startService({
    GOOGLE_ORIGIN: `http://127.0.0.1:${(engine.address() as AddressInfo).port}`,
  });
  const stop = async () => {
    await service.stop();
    engine.closeAllConnections();
    engine.close();
  };
  return { client: clientOf(service), stop };
};
