/** Starts a service whose engine is a server of the test on loopback. */
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { type Client, clientOf } from '../client.ts';
import { startService } from '../service.ts';

/** The page of the sandbox at an address, for the device in the request. */
export const pageFor = (request: IncomingMessage, address: URL) =>
  answerRequest({
    url: address.href,
    device: /Mobile/.test(request.headers['user-agent'] ?? '') ? 'mobile' : 'desktop',
    now: Math.floor(Date.now() / 1000),
  });

/** Starts the engine and the service. `stop` ends both. */
export const startWithEngine = async (
  engine: Server,
): Promise<{
  client: Client;
  service: Awaited<ReturnType<typeof startService>>;
  stop: () => Promise<void>;
}> => {
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  const service = await startService({
    GOOGLE_ORIGIN: `http://127.0.0.1:${(engine.address() as AddressInfo).port}`,
  });
  const stop = async () => {
    await service.stop();
    engine.closeAllConnections();
    engine.close();
  };
  return { client: clientOf(service), service, stop };
};
