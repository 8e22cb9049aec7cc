/** Checks of the sources of keyword data: suggestions, trends and volumes. Each is asked once. */
import type { Source } from '../../../lib/keyword/web/source.ts';
import type { EngineName } from '../../../lib/model/engine.ts';
import { errorMessageOf, type MakeCall, type Problem } from '../../../lib/provider/contract.ts';
import { whileEmpty } from '../../secret-table.ts';
import { type Check, deadlineMs, readHidden, Warning } from './patient.ts';

const sourceRemedy = 'send it through a proxy (PROXY_URL), or wait if it is throttled';

/**
 * Asks a source once, with the proxies and the origin of the stack. @throws if it is rested or gives no data.
 */
const askSource = async (
  source: Source,
  ask: (call: MakeCall) => Promise<unknown[]>,
  noun: string,
): Promise<string> => {
  const { callSource } = await import('../../../lib/keyword/web/call-source.ts');
  const { newConversation } = await import('../../../lib/keyword/web/conversation.ts');
  const { lineOf } = await import('../../../lib/keyword/web/source.ts');
  const { readLine } = await import('../../../lib/store/pace.ts');
  const { rested_until } = await readLine(lineOf(source));
  if (rested_until > Date.now() / 1000) {
    throw new Error(`it is rested until ${new Date(rested_until * 1000).toISOString()}: ${sourceRemedy}`);
  }
  const conversation = newConversation({ source, isoCode: 'US', language: 'en' });
  const list = await ask(async (provider, asked) => {
    const read = await callSource(conversation, provider, asked, deadlineMs);
    if (!read.ok) throw new Error(`${errorMessageOf(read)}: ${sourceRemedy}`);
    return read.value;
  });
  // The words are common, so an empty list is not an answer.
  if (list.length === 0) throw new Error(`it answers with an empty list: ${sourceRemedy}`);
  return `${list.length} ${noun}`;
};

export const checkSuggestions =
  (engine: EngineName): Check =>
  async () => {
    const { suggestionsOf, suggestSource } = await import('../../../lib/keyword/web/source.ts');
    const asked = { keyword: 'weather', iso_code: 'US', language_code: 'en', engine_name: engine };
    return askSource(suggestionsOf(engine), (call) => call(suggestSource(), asked, 1), 'suggestions');
  };

export const checkTrends: Check = async () => {
  const { allTrends, trendsSource } = await import('../../../lib/keyword/web/source.ts');
  return askSource(allTrends(), (call) => trendsSource().ofCountry('US').ask(call), 'trending searches');
};

/** What to do about a fault of the source of volumes. */
const volumesRemedies: Record<Problem, string> = {
  credentials: 'set them again with npm run secret -- set GOOGLE_ADS_CREDENTIALS',
  access: 'check customer_id and login_customer_id, or apply for access of the Cloud project',
  blocked: 'wait, or ask the source for access',
  throttled: 'wait until the quota is renewed',
  rejected: 'set ADS_VERSION to a version that Google Ads serves',
  down: 'wait, or check ADS_ORIGIN',
  timeout: 'wait, or check ADS_ORIGIN',
  malformed: 'report it with this line',
};

/**
 * Gets an access token and asks the source of volumes for the figures of one keyword. The call takes no turn
 * from the users.
 */
export const checkKeywordData =
  (isLive: boolean): Check =>
  async () => {
    const { isSandbox, volumeSource } = await import('../../../lib/keyword/ads/source.ts');
    const { callOnce } = await import('../../../lib/keyword/ads/call-source.ts');
    const { setting } = await import('../../../lib/runtime/env.ts');
    const { title, authorization, volumes } = volumeSource();
    const secret = authorization?.secret;
    if (isLive && secret && (await readHidden(secret)) === '' && setting('ADS_ORIGIN') === '') {
      return `no credentials: ${whileEmpty[secret]}`;
    }
    const market = { location: 2840, language: 'en' };
    const read = await callOnce(volumes, { keywords: ['weather'], market }, deadlineMs);
    if (read.ok) return isSandbox() ? 'figures come from the sandbox' : `${title} gives figures`;
    const sentence = `${read.reason}: ${volumesRemedies[read.problem]}`;
    throw read.problem === 'throttled' ? new Warning(sentence) : new Error(sentence);
  };
