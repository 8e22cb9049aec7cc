/**
 * Recognizes pages that no engine sent: those of a proxy, or of a gateway in front of a provider, by marks
 * that no engine's page has.
 */

import { has, type Test } from './dom.ts';
import type { Page } from './page.ts';
import { inScripts } from './scripts.ts';

/**
 * The script of Cloudflare's challenge. A gateway adds another script from the same folder to every page that
 * it passes on.
 */
const loadsChallenge: Test = ({ name, attribs }) =>
  name === 'script' && /^\/cdn-cgi\/challenge-platform\/(?:\w+\/)+orchestrate\//.test(attribs.src ?? '');

/**
 * The settings of that script, if another script loads it. No quoted text may come before them, because a
 * page has the query in quotes.
 */
const settings = /^[^"'`]*\b_cf_chl_opt\s*=/;

/**
 * What the challenges of other gateways load: DataDome has a host for them only, Imperva and AWS WAF have a
 * parameter and a name. What these gateways add to the pages that they pass on has other addresses.
 */
const challengeAddress =
  /^https:\/\/(?:[\w-]+\.)*captcha-delivery\.com\/|^\/_Incapsula_Resource\?CWUDNSAI=|^https:\/\/[\w.-]+\.(?:token|captcha)\.awswaf\.com\/[^?#]*\/(?:challenge|captcha)(?:\.[a-z]+)?\.js/;

const showsChallenge: Test = ({ name, attribs }) =>
  (name === 'script' || name === 'iframe') && challengeAddress.test(attribs.src ?? '');

/** Whether a page is a challenge that a browser gets past, but not one of the engine. */
export const isChallenge = (page: Page): boolean =>
  has(page.root, (element) => loadsChallenge(element) || showsChallenge(element)) ||
  inScripts(page, settings) !== null;

/** Squid names the error in the `id` of the body. */
const namesError: Test = ({ name, attribs }) => name === 'body' && /^ERR_[A-Z_]+$/.test(attribs.id ?? '');

/** Whether a page is an error of the proxy itself, such as a refusal of the address that was asked. */
export const isProxyError = ({ root }: Page): boolean => has(root, namesError);
