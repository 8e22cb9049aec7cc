/**
 * An invented source of volumes and ideas, without credentials: lines of a keyword, its searches and its bid
 * in cents.
 */
import { keywordForm, type Metrics, noMetrics } from '../../../../lib/model/keyword-metrics.ts';
import type {
  Fault,
  IdeasAsked,
  ProviderAnswer,
  ProviderRequest,
  Read,
  VolumeSource,
  VolumesAsked,
} from '../../../../lib/provider/contract.ts';

const post = (path: string, body: object): ProviderRequest => ({
  method: 'POST',
  url: `https://volumes.example${path}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const fault: Fault = {
  ok: false,
  problem: 'malformed',
  word: 'upstream',
  reason: 'the invented source mumbles',
};

const readLines = ({ status, body }: ProviderAnswer): Read<[string, Metrics][]> => {
  if (status !== 200) return fault;
  const lines = body.split('\n').filter(Boolean);
  const value = lines.map((line): [string, Metrics] => {
    const [text = '', searches, cents] = line.split('\t');
    const micros = Number(cents) * 10_000;
    return [text, { ...noMetrics, volume: Number(searches), lowBidMicros: micros, highBidMicros: micros }];
  });
  return { ok: true, value };
};

export const inventedVolumes: VolumeSource = {
  name: 'invented',
  title: 'The invented source',
  maxKeywords: 2,
  volumes: {
    data: 'volumes',
    request: ({ keywords, market }: VolumesAsked) => post('/volumes', { keywords, place: market.location }),
    read: (answer) => {
      const read = readLines(answer);
      return read.ok
        ? { ok: true, value: new Map(read.value.map(([text, each]) => [keywordForm(text), each])) }
        : read;
    },
  },
  ideas: {
    data: 'ideas',
    request: ({ seeds }: IdeasAsked) => post('/ideas', { seeds: seeds.keywords }),
    read: (answer) => {
      const read = readLines(answer);
      if (!read.ok) return read;
      const ideas = read.value.map(([text, metrics]) => ({ text, metrics, concepts: [] }));
      return { ok: true, value: { ideas, devices: [], nextPageToken: '' } };
    },
  },
};
