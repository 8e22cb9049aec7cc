/** Gives a page of the browser, and its workers, the identity of a device. */
import type { CDPSession, Page, Protocol } from 'puppeteer-core';

/** How the browser identifies itself. All values must be consistent. */
export type BrowserIdentity = {
  userAgent: string;
  /** The client hints and `navigator.userAgentData`. */
  hints: Protocol.Emulation.UserAgentMetadata;
  /** `navigator.platform`. */
  platform: string;
  /** The preferred one first. For `accept-language`, `navigator.languages` and the locale. */
  languages: string[];
  timeZone: string;
  /** What the page learns from `navigator.geolocation`, in degrees. Absent: it may not know. */
  point?: { latitude: number; longitude: number };
  viewport: { width: number; height: number; deviceScaleFactor: number };
};

const userAgentOf = ({ userAgent, hints, platform, languages }: BrowserIdentity) => ({
  userAgent,
  userAgentMetadata: hints,
  platform,
  acceptLanguage: languages.join(','),
});

export const emulate = async (session: CDPSession, identity: BrowserIdentity): Promise<void> => {
  const { hints, languages, timeZone, viewport } = identity;
  const { mobile } = hints;
  const { width, height } = viewport;
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', userAgentOf(identity)),
    session.send('Emulation.setDeviceMetricsOverride', {
      ...viewport,
      mobile,
      screenWidth: width,
      screenHeight: height,
      screenOrientation: mobile
        ? { type: 'portraitPrimary', angle: 0 }
        : { type: 'landscapePrimary', angle: 0 },
    }),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile, maxTouchPoints: 5 }),
    session.send('Emulation.setTimezoneOverride', { timezoneId: timeZone }),
    session.send('Emulation.setLocaleOverride', { locale: languages[0] }),
  ]);
};

/** What a telephone in a city knows of its position, in metres. */
const accuracy = 100;

/**
 * Gives the page at an origin the position of the identity. Without one, the page may not know where it is.
 */
export const emulatePosition = async (
  page: Page,
  { point }: BrowserIdentity,
  origin: string,
): Promise<void> => {
  const context = page.browserContext();
  // The page before in the same browser may have had a position.
  await context.clearPermissionOverrides();
  if (!point) return;
  await context.setPermission(origin, { permission: { name: 'geolocation' }, state: 'granted' });
  await page.setGeolocation({ ...point, accuracy });
};

/** Workers have their own `navigator`. A worker starts only after it has the identity of its page. */
export const emulateInWorkers = async (session: CDPSession, identity: BrowserIdentity): Promise<void> => {
  session.on('sessionattached', (worker) => {
    void Promise.allSettled([
      worker.send('Emulation.setUserAgentOverride', userAgentOf(identity)),
      // Emulation does not change this one value in workers.
      worker.send('Runtime.evaluate', {
        expression: `Object.defineProperty(WorkerNavigator.prototype, 'platform', { get: () => ${JSON.stringify(identity.platform)} })`,
      }),
      worker.send('Runtime.runIfWaitingForDebugger'),
    ]);
  });
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
  });
};
