/** Whether an answer is one that the OpenAPI document describes. */
import { gunzipSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ApiAnswer } from '../api-call.ts';
import { type Document, type Operation, operationsOf, requiredHeaders } from './document.ts';
import type { FuzzRequest } from './requests.ts';

const escaped = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Whether a segment of a path is one of a template, such as `{token}.svg`: a parameter is not empty. */
const isSegment = (name: string, segment: string): boolean => {
  if (!name.startsWith('{')) return name === segment;
  const [, ending] = /^\{\w+\}(.*)$/.exec(name) ?? [];
  if (ending === undefined) return name === segment;
  return segment.length > ending.length && segment.endsWith(ending);
};

const isOn = (names: readonly string[], segments: readonly string[]): boolean =>
  names.length === segments.length && names.every((name, n) => isSegment(name, segments[n] ?? ''));

const essenceOf = (type = ''): string => type.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The text of an answer, decompressed. */
export const textOf = ({ headers, body }: ApiAnswer): string =>
  headers['content-encoding'] === 'gzip' ? gunzipSync(Buffer.from(body, 'latin1')).toString('utf8') : body;

const parsed = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

const failure = '#/components/schemas/Failure';

/** Returns a function that says what is wrong with an answer to a request: one sentence for each fault. */
export const conformanceTo = (document: Document) => {
  // The document is no schema itself, and has words that are not of JSON Schema.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (reference: string): ValidateFunction => {
    const validate = validators.get(reference) ?? ajv.compile({ $ref: `document${reference}` });
    validators.set(reference, validate);
    return validate;
  };

  const operations = operationsOf(document).map((each) => ({ ...each, names: each.path.split('/') }));

  const faultsOfJson = (text: string, reference: string): string[] => {
    const json = parsed(text);
    if (!json) return ['the body is not JSON'];
    const validate = validatorOf(reference);
    if (validate(json.value)) return [];
    return [
      ...new Set(
        (validate.errors ?? []).map(
          ({ instancePath, message }) => `the body${instancePath.replace(/\d+/g, 'n')} ${message}`,
        ),
      ),
    ];
  };

  const faultsOfBody = (answer: ApiAnswer, { responses }: Operation): string[] => {
    const { content, at: place } = responses[answer.status] ?? {};
    const text = textOf(answer);
    if (!content) return text === '' ? [] : ['has a body, and the document describes none'];
    const type = essenceOf(answer.headers['content-type']);
    const described = content[type] ? type : content['*/*'] ? '*/*' : undefined;
    if (!described) return [`has the type ${type}`];
    const at = `${place}/content/${escaped(described)}/schema`;
    return type === 'application/json' ? faultsOfJson(text, at) : [];
  };

  const faultsOfHeaders = (answer: ApiAnswer, { responses }: Operation): string[] =>
    requiredHeaders(document, responses[answer.status] ?? {})
      .filter((name) => answer.headers[name.toLowerCase()] === undefined)
      .map((name) => `has no header ${name}`);

  /**
   * A path that belongs to no operation gives 404; a method that a path does not have gives 405 and the
   * methods that it has.
   */
  const faultsOfOther = (answer: ApiAnswer, isKnownPath: boolean, isHead: boolean): string[] => [
    ...(answer.status === (isKnownPath ? 405 : 404)
      ? []
      : [`answers ${answer.status} to an unknown method or path`]),
    ...(isKnownPath && !answer.headers.allow ? ['has no header Allow'] : []),
    ...(isHead ? [] : faultsOfJson(textOf(answer), failure)),
  ];

  return (request: FuzzRequest, answer: ApiAnswer): string[] => {
    const path = (request.path.split('?')[0] ?? '').replace(/(.)\/$/, '$1');
    const isHead = request.method === 'HEAD';
    // Reading 29: a path value that contains a slash after decoding is 404.
    const segments = path.split('/');
    const matching = /%2f/i.test(path) ? [] : operations.filter(({ names }) => isOn(names, segments));
    // A path with fewer values wins over one with more.
    const values = (each: { path: string }): number => each.path.split('{').length;
    const least = Math.min(...matching.map(values));
    const onPath = matching.filter((each) => values(each) === least);
    const operation = onPath.find(({ method }) => method === (isHead ? 'GET' : request.method));
    if (!operation) return faultsOfOther(answer, onPath.length > 0, isHead);
    if (!operation.responses[answer.status])
      return [`answers ${answer.status}, which the document does not describe`];
    if (isHead && answer.body !== '') return ['has a body, and the method is HEAD'];
    return [
      ...(answer.status >= 500 ? [`answers ${answer.status}`] : []),
      ...faultsOfHeaders(answer, operation),
      ...(isHead ? [] : faultsOfBody(answer, operation)),
    ];
  };
};
