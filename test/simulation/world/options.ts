/** The options of a world: its code, its faults, its settings, and the functions that it calls. */
import type { RequestedPage, Script, SourceRequest } from '../code/instance.ts';
import type { AwsCall } from '../code/sdk.ts';
import type { ProviderOptions } from '../models/provider.ts';
import type { Arrival, Behaviour, Sent } from '../models/receivers.ts';
import type { Rates } from './faults.ts';
import type { OnWrite } from './resources.ts';

export type WorldOptions = {
  seed: number;
  script: Script;
  /** When processes begin that run the next release, and until when; absent if nothing is deployed. */
  next?: { from: number; until: number };
  /** Whether the tables have as many partitions as on AWS. */
  isWide: boolean;
  /** The synthesised template. */
  template: object;
  rates: Rates;
  /** Milliseconds from the start until which faults strike. */
  faultsFor: number;
  /** Milliseconds from the start until the service is mended, and no search ends its process any more. */
  mendedAt?: number;
  only?: ReadonlySet<string> | undefined;
  /** Milliseconds from the start until which Google Ads takes no calls. */
  sourceBackAt?: number;
  /** Whether EventBridge leaves out the calls of alerts, so many milliseconds from the start. */
  hasNoAlerts?: ((sinceStart: number) => boolean) | undefined;
  /** Settings of the service. */
  settings?: Record<string, string>;
  /** The upstream provider; absent if the service has none. */
  provider?: Pick<ProviderOptions, 'plan' | 'onOrder' | 'onTried' | 'onAsked' | 'onForged'>;
  /** The most seconds by which the clocks of processes differ from the world's. */
  skewSeconds?: number;
  behaviourOf: (url: string) => Behaviour;
  /** Milliseconds from the start until all receivers are good; 0 if they stay as they are. */
  goodFrom?: number;
  onArrival?: (arrival: Arrival) => void;
  /** Called for each webhook that is sent, before it arrives or is refused. */
  onSent?: (sent: Sent) => void;
  onWrite?: OnWrite;
  /** Called for each request for a page, before its answer, and for one that follows it. */
  onPage?: (page: RequestedPage) => void;
  onOverview?: (page: RequestedPage) => void;
  /** Called for each request to a source of keyword data, before its answer. */
  onSource?: (request: SourceRequest) => void;
  /** Called for each call of AWS that a function makes. `entry`: its source file. */
  onCall?: (entry: string, call: AwsCall) => void;
  /** Called for each answer of the interface. */
  onReply?: (status: number, path: string) => void;
  /** Called for each line that a process logs. */
  onLog?: (line: string) => void;
  trace?: (line: string) => void;
};
