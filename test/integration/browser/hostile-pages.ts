/** Hostile pages. Each tries to reach a target, to leave its page, or to crash or block the browser. */
import type { Traps } from './traps.ts';

type Hostile = (traps: Traps) => string;

const script =
  (source: (traps: Traps) => string): Hostile =>
  (traps) =>
    `<script>${source(traps)}</script>`;

/** The spellings of this machine's address that a page may try. */
const spellings = [
  '127.0.0.1',
  'localhost',
  'sub.localhost',
  'localhost.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.53',
];

const each = (make: (host: string) => string): string => spellings.map(make).join('\n');

/** Pages that try to reach a target. After they have failed they are ordinary pages. */
export const reaching: Record<string, Hostile> = {
  'fetch to loopback': script(({ tcp }) =>
    each((host) => `fetch('http://${host}:${tcp}/a').catch(() => 0);`),
  ),
  'fetch without reading': script(({ tcp }) =>
    each((host) => `fetch('http://${host}:${tcp}/a', { mode: 'no-cors' }).catch(() => 0);`),
  ),
  'fetch over TLS': script(({ tcp }) => each((host) => `fetch('https://${host}:${tcp}/a').catch(() => 0);`)),
  'fetch to private and metadata addresses': script(
    () => `for (const host of ['169.254.169.254', '10.0.0.1', '192.168.0.1', '[fd00:ec2::254]', 'metadata.google.internal'])
      fetch('http://' + host + '/latest/meta-data/', { mode: 'no-cors' }).catch(() => 0);`,
  ),
  'a synchronous XMLHttpRequest': script(
    ({ tcp }) =>
      `try { const x = new XMLHttpRequest(); x.open('GET', 'http://127.0.0.1:${tcp}/', false); x.send() } catch {}`,
  ),
  'a form in a frame': ({ tcp }) =>
    `<iframe name="f"></iframe><form target="f" method="post" action="http://127.0.0.1:${tcp}/"><input name="a"></form>
     <script>document.forms[0].submit()</script>`,
  frames: ({ tcp }) => each((host) => `<iframe src="http://${host}:${tcp}/"></iframe>`),
  'images, styles, scripts, fonts, media, objects': ({ tcp }) => {
    const at = `http://127.0.0.1:${tcp}`;
    return `<img src="${at}/i"><link rel="stylesheet" href="${at}/c"><script src="${at}/s"></script><video src="${at}/v"></video>
      <audio src="${at}/a"></audio><object data="${at}/o"></object><embed src="${at}/e">
      <style>@font-face { font-family: x; src: url(${at}/f) } body { font-family: x; background: url(${at}/b) }</style>`;
  },
  'prefetch, preconnect, prerender': ({ tcp }) => {
    const at = `http://127.0.0.1:${tcp}`;
    return `<link rel="preconnect" href="${at}"><link rel="prefetch" href="${at}/p"><link rel="preload" as="fetch" href="${at}/l">
      <link rel="modulepreload" href="${at}/m"><link rel="dns-prefetch" href="//a.localhost:${tcp}">
      <script type="speculationrules">{"prerender": [{"urls": ["${at}/r"]}], "prefetch": [{"urls": ["${at}/q"]}]}</script>`;
  },
  'beacons and pings': script(
    ({ tcp }) => `navigator.sendBeacon('http://127.0.0.1:${tcp}/b', 'x');
      const a = document.createElement('a'); a.href = '#'; a.ping = 'http://127.0.0.1:${tcp}/p';
      document.body.append(a); a.click();`,
  ),
  'fetch that outlives the page': script(
    ({
      tcp,
    }) => `addEventListener('pagehide', () => fetch('http://127.0.0.1:${tcp}/k', { keepalive: true, mode: 'no-cors' }));
      fetch('http://127.0.0.1:${tcp}/l', { keepalive: true, mode: 'no-cors' }).catch(() => 0)`,
  ),
  WebSocket: script(({ tcp }) =>
    each(
      (host) =>
        `try { new WebSocket('ws://${host}:${tcp}/') } catch {} try { new WebSocket('wss://${host}:${tcp}/') } catch {}`,
    ),
  ),
  EventSource: script(({ tcp }) => `new EventSource('http://127.0.0.1:${tcp}/')`),
  WebTransport: script(
    ({ udp }) => `try { new WebTransport('https://127.0.0.1:${udp}/').ready.catch(() => 0) } catch {}`,
  ),
  WebRTC: script(
    ({ tcp, udp }) => `try {
      const p = new RTCPeerConnection({ iceServers: [
        { urls: 'stun:127.0.0.1:${udp}' },
        { urls: ['turn:127.0.0.1:${udp}?transport=udp', 'turn:127.0.0.1:${tcp}?transport=tcp', 'turns:127.0.0.1:${tcp}?transport=tcp'],
          username: 'u', credential: 'c' } ] });
      p.createDataChannel('d');
      p.createOffer().then((o) => p.setLocalDescription(o)).then(() =>
        p.addIceCandidate({ candidate: 'candidate:1 1 udp 2122260223 127.0.0.1 ${udp} typ host', sdpMid: '0' })).catch(() => 0);
    } catch {}`,
  ),
  'WebRTC between two ends': script(
    ({ udp }) => `(async () => {
      const [a, b] = [new RTCPeerConnection(), new RTCPeerConnection()];
      a.createDataChannel('d');
      await a.setLocalDescription(await a.createOffer());
      await b.setRemoteDescription(a.localDescription);
      await b.setLocalDescription(await b.createAnswer());
      await a.setRemoteDescription(b.localDescription);
      await a.addIceCandidate({ candidate: 'candidate:1 1 udp 2122260223 127.0.0.1 ${udp} typ host', sdpMid: '0' });
    })().catch(() => 0)`,
  ),
  'a worker that fetches': script(
    ({ tcp }) =>
      `new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.1:${tcp}/w', { mode: 'no-cors' }).catch(() => 0)"])))`,
  ),
  'a shared worker that fetches': script(
    ({ tcp }) =>
      `new SharedWorker('data:text/javascript,' + encodeURIComponent("fetch('http://127.0.0.1:${tcp}/w', { mode: 'no-cors' }).catch(() => 0)"))`,
  ),
  'a service worker that fetches': script(
    ({ tcp }) => `navigator.serviceWorker.register('/worker.js?port=${tcp}').catch(() => 0)`,
  ),
  'a redirect to loopback': ({
    tcp,
  }) => `<script>fetch('/redirect?to=' + encodeURIComponent('http://127.0.0.1:${tcp}/r')).catch(() => 0)</script>
    <iframe src="/redirect?to=${encodeURIComponent(`http://127.0.0.1:${tcp}/f`)}"></iframe>`,
  'other schemes': script(
    ({
      tcp,
    }) => `for (const url of ['ftp://127.0.0.1:${tcp}/', 'gopher://127.0.0.1:${tcp}/', 'ws://127.0.0.1:${tcp}/', 'file:///etc/passwd',
        'filesystem:http://127.0.0.1:${tcp}/temporary/x', 'view-source:http://127.0.0.1:${tcp}/', 'chrome://version', 'devtools://devtools/'])
      { fetch(url).catch(() => 0); const f = document.createElement('iframe'); f.src = url; document.body.append(f) }`,
  ),
  windows: script(
    ({ tcp }) => `for (let n = 0; n < 20; n++) window.open('http://127.0.0.1:${tcp}/' + n, '_blank');
      const a = document.createElement('a'); a.href = 'http://127.0.0.1:${tcp}/a'; a.target = '_blank'; document.body.append(a); a.click()`,
  ),
  dialogs: script(() => `alert(1); confirm(2); prompt(3); print(); onbeforeunload = () => 'stay'`),
  downloads: () =>
    `<a id="a" download="y" href="/download"></a><iframe src="/download"></iframe><script>a.click()</script>`,
  'permissions and devices': script(
    () => `navigator.geolocation?.getCurrentPosition(() => 0, () => 0); navigator.mediaDevices?.getUserMedia({ audio: true }).catch(() => 0);
      Notification?.requestPermission?.(); navigator.clipboard?.readText().catch(() => 0); navigator.usb?.requestDevice({ filters: [] }).catch(() => 0);
      window.showOpenFilePicker?.().catch(() => 0); document.documentElement.requestFullscreen?.().catch(() => 0)`,
  ),
  'words that mean something else': script(
    () => `Object.defineProperty(Element.prototype, 'outerHTML', { get() { for (;;); } });
      JSON.stringify = () => { for (;;); }; Promise.prototype.then = new Proxy(Promise.prototype.then, {})`,
  ),
};

/** Pages that navigate away, or never end: their attempt fails at the deadline. */
export const failing: Record<string, Hostile> = {
  'an endless loop': script(() => 'for (;;);'),
  'an endless loop later': script(() => `setTimeout(() => { for (;;); }, 300)`),
  'an endless loop of promises': script(() => `const f = () => Promise.resolve().then(f); f()`),
  'an endless regular expression': script(() => `/^(a+)+$/.test('a'.repeat(50) + 'b')`),
  'endless dialogs': script(() => 'for (;;) alert(1)'),
  'objects without end': script(() => `const a = []; for (;;) a.push({ a: new Array(1000).fill(a.length) })`),
  'buffers without end': script(
    () =>
      `const a = []; (function more() { for (let n = 0; n < 8; n++) a.push(new Uint8Array(1 << 25).fill(1)); setTimeout(more) })()`,
  ),
  'text without end': script(() => `let t = 'x'.repeat(1 << 20); for (;;) document.body.append(t)`),
  'elements without end': script(
    () =>
      `(function more() { for (let n = 0; n < 1e5; n++) document.body.append(document.createElement('p')); setTimeout(more) })()`,
  ),
  'frames within frames': script(
    () =>
      `const f = document.createElement('iframe'); f.src = location.href + '&' + Math.random(); document.body.append(f)`,
  ),
  'workers without end': script(
    () =>
      `const u = URL.createObjectURL(new Blob(['for (;;);'])); setInterval(() => { for (let n = 0; n < 10; n++) new Worker(u) }, 10)`,
  ),
  'a debugger': script(() => 'for (;;) debugger'),
  'a redirect loop': script(
    () => `location.href = '/redirect?to=' + encodeURIComponent('/redirect?to=/loop')`,
  ),
  'a reload loop': script(() => 'location.reload()'),
  'a loop of addresses': script(
    () => `let n = 0; setInterval(() => { location.hash = n++; history.pushState(0, '', '?' + n) }, 1)`,
  ),
  'meta refresh to loopback': ({ tcp }) =>
    `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${tcp}/">`,
  'meta refresh to a metadata address': () =>
    `<meta http-equiv="refresh" content="0;url=http://169.254.169.254/latest/meta-data/">`,
  'meta refresh to another spelling': ({ tcp }) =>
    `<meta http-equiv="refresh" content="0;url=http://0x7f.1:${tcp}/">`,
  'meta refresh to a file': () => `<meta http-equiv="refresh" content="0;url=file:///etc/passwd">`,
  'navigation to a file': script(() => `location.href = 'file:///etc/passwd'`),
  'navigation to the browser itself': script(() => `location.href = 'chrome://crash'`),
  'a download from loopback': ({ tcp }) =>
    `<a id="a" download="x" href="http://127.0.0.1:${tcp}/d"></a><script>a.click()</script>`,
  'navigation to a download': script(() => `location.href = '/download'`),
  'a page without end': () => '<!--endless-->',
};
