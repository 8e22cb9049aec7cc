/**
 * Whether the fetcher `upstream` is offered. Without its client, so that the functions that only ask this
 * stay small.
 */
import { type EngineName, hasUpstream } from '../model/engine.ts';
import { resource, setting } from '../runtime/env.ts';
import { keepSecret } from '../runtime/secret.ts';
import { isSandbox } from './choose.ts';

/** The login and the password at the provider, with a colon between them; empty if there are none. */
export const upstreamCredentials = keepSecret(resource('UPSTREAM_CREDENTIALS_SECRET'));

/** Whether the provider's pages come from an origin that the operator set, which may replay older pages. */
export const isUpstreamReplay = (): boolean => setting('UPSTREAM_ORIGIN') !== '';

/**
 * Whether the provider can be asked for pages of the engine. Not without credentials; and not while the pages
 * come from the sandbox, unless the operator has set the provider's origin too.
 */
export const isUpstreamOffered = async (engine: EngineName): Promise<boolean> =>
  hasUpstream(engine) && (isUpstreamReplay() || !isSandbox(engine)) && (await upstreamCredentials()) !== '';
