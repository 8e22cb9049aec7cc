/** The identity that a page of the browser and its workers get. */
import type { Page } from 'puppeteer-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { browserArguments } from '../../../lib/net/browser-arguments.ts';
import {
  type BrowserIdentity,
  emulate,
  emulateInWorkers,
  emulatePosition,
} from '../../../lib/net/emulate.ts';
import { fakeSession } from './session.ts';

const identity = (mobile: boolean): BrowserIdentity => ({
  userAgent: 'Mozilla/5.0 (test)',
  hints: { mobile, platform: 'Linux', platformVersion: '', architecture: '', model: '' },
  platform: "Linux 'x'",
  languages: ['fr-CA', 'fr'],
  timeZone: 'America/Toronto',
  viewport: { width: 400, height: 800, deviceScaleFactor: 2 },
});

const userAgent = {
  userAgent: 'Mozilla/5.0 (test)',
  userAgentMetadata: identity(true).hints,
  platform: "Linux 'x'",
  acceptLanguage: 'fr-CA,fr',
};

test.each([
  [true, { type: 'portraitPrimary', angle: 0 }],
  [false, { type: 'landscapePrimary', angle: 0 }],
])('a page has the identity of its device (a phone: %s)', async (mobile, screenOrientation) => {
  const { session, sent, commands } = fakeSession();

  await emulate(session, identity(mobile));

  expect(sent('Emulation.setUserAgentOverride')).toEqual([
    { ...userAgent, userAgentMetadata: identity(mobile).hints },
  ]);
  expect(sent('Emulation.setDeviceMetricsOverride')).toEqual([
    {
      width: 400,
      height: 800,
      deviceScaleFactor: 2,
      mobile,
      screenWidth: 400,
      screenHeight: 800,
      screenOrientation,
    },
  ]);
  expect(sent('Emulation.setTouchEmulationEnabled')).toEqual([{ enabled: mobile, maxTouchPoints: 5 }]);
  expect(sent('Emulation.setTimezoneOverride')).toEqual([{ timezoneId: 'America/Toronto' }]);
  expect(sent('Emulation.setLocaleOverride')).toEqual([{ locale: 'fr-CA' }]);
  expect(commands()).toHaveLength(5);
});

describe('a page', () => {
  const calls: unknown[][] = [];
  const called =
    (name: string) =>
    async (...given: unknown[]) =>
      void calls.push([name, ...given]);
  const tab = {
    browserContext: () => ({
      clearPermissionOverrides: called('clear'),
      setPermission: called('permit'),
    }),
    setGeolocation: called('move'),
  } as unknown as Page;

  beforeEach(() => {
    calls.length = 0;
  });

  test('knows the position of its identity, to a hundred metres', async () => {
    const point = { latitude: 45.5, longitude: -73.6 };
    await emulatePosition(tab, { ...identity(true), point }, 'https://engine.example');

    expect(calls).toEqual([
      ['clear'],
      ['permit', 'https://engine.example', { permission: { name: 'geolocation' }, state: 'granted' }],
      ['move', { ...point, accuracy: 100 }],
    ]);
  });

  test('without a position may not know where it is, whatever the page before knew', async () => {
    await emulatePosition(tab, identity(true), 'https://engine.example');

    expect(calls).toEqual([['clear']]);
  });
});

test('a worker has the identity of its page before it starts', async () => {
  const { session, sent, emit } = fakeSession();
  const worker = fakeSession({
    'Emulation.setUserAgentOverride': () => {
      throw new Error('The worker has ended');
    },
  });

  await emulateInWorkers(session, identity(true));
  await emit('sessionattached', worker.session);

  expect(sent('Target.setAutoAttach')).toEqual([
    { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
  ]);
  expect(worker.sent('Emulation.setUserAgentOverride')).toEqual([userAgent]);
  const [{ expression }] = worker.sent('Runtime.evaluate') as [{ expression: string }];
  class WorkerNavigator {
    declare platform: string;
  }
  new Function('WorkerNavigator', expression)(WorkerNavigator);
  expect(new WorkerNavigator().platform).toBe("Linux 'x'");
  expect(worker.commands()).toEqual([
    'Emulation.setUserAgentOverride',
    'Runtime.evaluate',
    'Runtime.runIfWaitingForDebugger',
  ]);
});

// A page that gets past one of these reaches the local network, or the address of the service.
test('Chromium sends everything through the proxy, and resolves no names itself', () => {
  expect(browserArguments('socks5://127.0.0.1:1')).toEqual(
    expect.arrayContaining([
      '--proxy-server=socks5://127.0.0.1:1',
      '--proxy-bypass-list=<-loopback>',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--disable-quic',
      '--dns-prefetch-disable',
    ]),
  );
});
