/** Checks of what the operator sets: the secrets, the fetchers and the proxies. */
import { X509Certificate } from 'node:crypto';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import * as v from 'valibot';
import { type EngineName, engineNames, engines } from '../../../lib/model/engine.ts';
import { defaultProxy, FetcherSettings, noProxy, proxiesIn } from '../../../lib/model/fetchers.ts';
import { checkSetting, engineSetting, type SecretName } from '../../../lib/model/settings.ts';
import { whileEmpty } from '../../secret-table.ts';
import { type Check, deadlineMs, type Patient, readHidden, Warning } from './patient.ts';

export const checkSecret =
  (name: SecretName, isLive: boolean, { option }: Patient): Check =>
  async () => {
    const value = await readHidden(name);
    const remedy = option
      ? `set it with npm run secret -- set ${name}${option}`
      : `start with ${name} in the environment`;
    if (value === '') {
      if (isLive && name === 'PROXY_URL') {
        throw new Warning(
          `it is empty: ${whileEmpty[name]}, and engines often block addresses of data centres; ${remedy}`,
        );
      }
      return `it is empty: ${whileEmpty[name]}`;
    }
    checkSetting(name, value, 'deployed');
    if (name === 'PROXY_CA' && Date.parse(new X509Certificate(value).validTo) < Date.now()) {
      throw new Error(`the certificate has expired: ${remedy}`);
    }
    return 'it has a value of the right form';
  };

const readFetchers = async (): Promise<FetcherSettings> => {
  const { ssm } = await import('../../../lib/runtime/aws.ts');
  const { resource } = await import('../../../lib/runtime/env.ts');
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name: resource('FETCHERS_PARAMETER') }));
  const { success, output } = v.safeParse(FetcherSettings, Parameter?.Value ?? '');
  if (!success) throw new Error('the settings are malformed: set them again with npm run fetchers -- set');
  return output;
};

/** The fetchers of an engine: their proxies are known, and none is rested. */
export const checkFetchers =
  (engine: EngineName, { option }: Patient): Check =>
  async () => {
    const { fetchRoutes } = await import('../../../lib/runtime/metrics.ts');
    const { healthLine } = await import('../../../lib/pace/fetcher-health.ts');
    const { wallsBeforeRest } = await import('../../../lib/pace/rest.ts');
    const { readLine } = await import('../../../lib/store/pace.ts');
    const { proxies = {}, order } = (await readFetchers())[engine] ?? {};
    const secret = await readHidden('PROXY_URL');
    const known = secret === '' ? {} : (proxiesIn(secret) ?? {});
    for (const fetcher of fetchRoutes) {
      const name = proxies[fetcher] ?? (secret === '' ? noProxy : defaultProxy);
      if (name !== noProxy && !known[name]) {
        throw new Error(
          `the secret PROXY_URL has no proxy ${name}: set it there, or choose another with npm run fetchers -- set${option}`,
        );
      }
      const { walls, rested_until } = await readLine(healthLine(engine, fetcher));
      if (walls >= wallsBeforeRest && rested_until > Date.now() / 1000) {
        throw new Error(
          `${fetcher} is rested until ${new Date(rested_until * 1000).toISOString()} after ${walls} failures: choose another proxy or order with npm run fetchers -- set${option}`,
        );
      }
    }
    return `order ${order?.join(', ') ?? 'default'}, none is rested`;
  };

/** Whether a proxy leads to an engine. Any answer of the engine will do. */
export const checkProxy =
  (name: string, address: string): Check =>
  async () => {
    const { callApi } = await import('../../../lib/net/call-api.ts');
    const { originOf } = await import('../../../lib/serp/address.ts');
    const { setting } = await import('../../../lib/runtime/env.ts');
    const [engine] = engineNames;
    const origin = setting(engineSetting(engine, 'ORIGIN'));
    const proxyCa = await readHidden('PROXY_CA');
    const answer = await callApi({
      method: 'GET',
      maxBytes: 1024 * 1024,
      url: `${origin || originOf(engine)}/robots.txt`,
      headers: {},
      deadlineMs,
      proxyUrl: address.replaceAll('{country}', 'us').replaceAll('{session}', 'doctor'),
      ...(origin && { exempt: origin }),
      ...(proxyCa && { proxyCa }),
    });
    if (answer.ok) return `it leads to ${engines[engine].title}`;
    throw new Error(`${answer.reason}: check the address and the account of the proxy ${name} in PROXY_URL`);
  };

export const listProxies = async (): Promise<[string, string][]> => {
  const secret = await readHidden('PROXY_URL').catch(() => '');
  return secret === '' ? [] : Object.entries(proxiesIn(secret) ?? {});
};
