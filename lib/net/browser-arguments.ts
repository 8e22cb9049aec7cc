/**
 * How Chromium is started. Beside what puppeteer says by itself; of what the package recommends, only what Lambda needs and
 * what closes a door: `--disable-web-security` and its like would let a hostile page read what lies on loopback.
 */

export const browserArguments = (proxyServer: string): string[] => [
  // Lambda: no namespaces, no forks. The page guard, not Chromium's sandbox, keeps pages from the machine's network.
  '--no-sandbox',
  '--no-zygote',
  '--single-process',
  // What pages store is kept in memory.
  '--incognito',
  '--disable-gpu',
  '--disable-webgl',
  '--font-render-hinting=none',
  // Without a desktop around it, Chromium knows no language and no mouse.
  '--lang=en-US',
  '--accept-lang=en-US',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',

  // Everything goes by our proxy, loopback included; nothing resolves a name by itself.
  `--proxy-server=${proxyServer}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  '--disable-quic',
  '--no-pings',
  '--disable-domain-reliability',
  // WebRTC would send UDP past every proxy.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',

  // Calls of window.open fail.
  '--block-new-web-contents',
  // Half a gigabyte of objects is no result page.
  '--js-flags=--max-old-space-size=512',
  '--disk-cache-size=1',
];
