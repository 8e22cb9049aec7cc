/** Receivers of webhooks and mails: some are good, some slow, wrong or dead, and some change between them. */
import { gunzipSync } from 'node:zlib';
import { hashText } from '../world/random.ts';
import type { Scheduler } from '../world/scheduler.ts';

export const behaviours = ['good', 'flapping', 'dead', 'slow', 'wrong'] as const;
export type Behaviour = (typeof behaviours)[number];

type Post = { url: string; headers: Record<string, string>; body: string | Uint8Array };
type Posted = { ok: true; status: number } | { ok: false; status?: number; reason: string };

/** A request that has reached a receiver. `accepted`: it answered 2xx in time. */
export type Arrival = {
  at: number;
  url: string;
  id: string;
  accepted: boolean;
  /** Empty: a webhook without a body, whose address names its task. */
  body: Record<string, unknown>;
  /** The text that is signed. */
  text: string;
  headers: Record<string, string>;
};

/** A request that is sent to a receiver, also one that is refused. */
export type Sent = { at: number; id: string; url: string };

/** The text of a body, which the forms of other services send in gzip. */
const textOf = ({ headers, body }: Post): string => {
  if (headers['content-encoding'] === 'gzip') return gunzipSync(body).toString();
  return typeof body === 'string' ? body : Buffer.from(body).toString();
};

export type Receivers = {
  post: (post: Post) => Promise<Posted>;
  /** A mail that SES has accepted. */
  mail: (mail: { to: string; id: string; subject: string }) => void;
  arrivals: () => readonly Arrival[];
};

/** A receiver flaps between working and not working every three minutes. */
const flapMs = 180_000;

type Options = {
  scheduler: Scheduler;
  /** The behaviour of the receiver at an address. */
  behaviourOf: (url: string) => Behaviour;
  /** From this time on, all receivers are good. */
  goodFrom: number;
  onArrival: (arrival: Arrival) => void;
  onSent: (sent: Sent) => void;
};

export const newReceivers = ({ scheduler, behaviourOf, goodFrom, onArrival, onSent }: Options): Receivers => {
  const arrivals: Arrival[] = [];
  const note = (arrival: Arrival) => {
    arrivals.push(arrival);
    onArrival(arrival);
  };
  const arrive = (post: Post, accepted: boolean) => {
    const { url, headers } = post;
    const text = textOf(post);
    const id = headers['webhook-id'] ?? '';
    note({ at: scheduler.now(), url, id, accepted, body: JSON.parse(text || '{}'), text, headers });
  };
  const isDown = (url: string): boolean =>
    (hashText(`${url} ${Math.floor(scheduler.now() / flapMs)}`) & 1) === 1;

  return {
    post: async (post) => {
      const { url } = post;
      onSent({ at: scheduler.now(), id: post.headers['webhook-id'] ?? '', url });
      const behaviour = scheduler.now() >= goodFrom ? 'good' : behaviourOf(url);
      await scheduler.sleep(5 + (hashText(url) % 40));
      if (behaviour === 'dead' || (behaviour === 'flapping' && isDown(url)))
        return { ok: false, reason: 'unreachable: the connection was refused' };
      if (behaviour === 'slow') {
        // It has the request, but its answer comes too late.
        arrive(post, false);
        await scheduler.sleep(10_000);
        return { ok: false, reason: 'timeout: the receiver did not answer in time' };
      }
      if (behaviour === 'wrong') {
        arrive(post, false);
        return { ok: false, status: 500, reason: 'the receiver answered 500' };
      }
      arrive(post, true);
      return { ok: true, status: 200 };
    },
    mail: ({ to, id, subject }) => {
      const body = { type: 'mail', subject };
      note({ at: scheduler.now(), url: `mailto:${to}`, id, accepted: true, body, text: '', headers: {} });
    },
    arrivals: () => arrivals,
  };
};
