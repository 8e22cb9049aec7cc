/** The webhook that a task in the form of DataForSEO asks for. */
import { checkUrls } from '../../api/check-postback-urls.ts';
import type { FormWebhook } from '../../store/task-row.ts';
import { asParameters, type Parameters } from '../read.ts';
import { invalidField, type Status } from './envelope.ts';
import { refuseField, textOf } from './fields.ts';
import { isForm } from './form.ts';

const addressNames = ['postback_url', 'pingback_url'] as const;

/** The parameters of webhooks. Live calls have none. */
export const keywordWebhookNames: readonly string[] = addressNames;
export const webhookNames: readonly string[] = [...addressNames, 'postback_data'];

/** The part of an address that names a host has no value of a task: it is checked before there is a task. */
const hasValueInHost = (url: string): boolean => /^[^/]*\/\/[^/?#]*\$/.test(url);

/** The form of results that a search names. @throws TaskRefused. */
export const namedForm = (parameters: Parameters): FormWebhook => {
  const form = textOf(parameters, 'postback_data');
  return isForm(form) ? form : refuseField('postback_data', 'It must be regular, advanced or html.');
};

/** Keyword data has one form of results. */
export const onlyForm = (): FormWebhook => 'regular';

/**
 * The webhook of a task; undefined if it names none. `formOf`: in which form its result is sent.
 * @throws TaskRefused, also if it names two: a task has one.
 */
export const webhookIn = (
  parameters: Parameters,
  formOf: (parameters: Parameters) => FormWebhook,
): { name: string; url: string; form_webhook: FormWebhook } | undefined => {
  const [name, other] = addressNames.filter((each) => textOf(parameters, each) !== '');
  if (!name) return undefined;
  if (other) return refuseField(other, 'Send postback_url or pingback_url, not both.');
  if (typeof parameters[name] !== 'string') return refuseField(name, 'It must be a text.');
  const url = textOf(parameters, name);
  if (hasValueInHost(url))
    refuseField(name, 'Its path and its query may have $id and $tag, and no other part.');
  return { name, url, form_webhook: name === 'pingback_url' ? 'pingback' : formOf(parameters) };
};

/** What is wrong with the addresses of tasks, by the number of the task. Looks up each host once. */
export const addressFaults = async (values: readonly unknown[]): Promise<Map<number, Status>> => {
  const found = values.flatMap((value, n) =>
    addressNames.flatMap((name) => {
      const url = asParameters(value)?.[name];
      const isText = typeof url === 'string' && url.trim() !== '' && url.isWellFormed();
      return isText ? [{ loc: ['body', n, name], url: url.trim() }] : [];
    }),
  );
  const errors = await checkUrls(found);
  return new Map(
    errors.map(({ loc: [, n, name], msg }): [number, Status] => [
      Number(n),
      invalidField(String(name), `${msg}.`),
    ]),
  );
};
