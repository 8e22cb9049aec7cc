/**
 * Chromium's command-line arguments, in addition to puppeteer's own. Of the arguments that
 * @sparticuz/chromium recommends, only those that Lambda needs or that restrict pages:
 * `--disable-web-security` and similar would let a hostile page read loopback.
 */

export const browserArguments = (proxyServer: string): string[] => [
  // Lambda allows no namespaces and no forks. The address guard, not Chromium's sandbox, keeps pages off the
  // local network.
  '--no-sandbox',
  '--no-zygote',
  '--single-process',
  // Keeps in memory what pages store.
  '--incognito',
  '--disable-gpu',
  '--disable-webgl',
  '--font-render-hinting=none',
  // Without a desktop environment, Chromium has no language and no mouse.
  '--lang=en-US',
  '--accept-lang=en-US',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',

  // Sends everything through our proxy, loopback included. Chromium resolves no names itself.
  `--proxy-server=${proxyServer}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  '--disable-quic',
  '--no-pings',
  '--disable-domain-reliability',
  // Without this, WebRTC would send UDP past the proxy.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',

  // Makes calls of window.open fail.
  '--block-new-web-contents',
  // No result page needs 512 MB of JavaScript objects.
  '--js-flags=--max-old-space-size=512',
  '--disk-cache-size=1',
];
