/** What `npm run doctor` says of errors of AWS. */
import { expect, test } from 'vitest';
import { sentenceOf } from '../../../infra/commands/doctor/error-sentence.ts';

const named = (name: string, message = ''): Error => Object.assign(new Error(message), { name });

test.each([
  ['CredentialsProviderError', 'no credentials that AWS accepts (CredentialsProviderError)'],
  ['ExpiredTokenException', 'no credentials that AWS accepts'],
  ['UnrecognizedClientException', 'no credentials that AWS accepts'],
  // Lambda, DynamoDB and others; SNS; S3 for a request without a body.
  ['AccessDeniedException', 'may not look at it (AccessDeniedException): give it the permissions'],
  ['AuthorizationErrorException', 'may not look at it'],
  ['Forbidden', 'may not look at it'],
  ['403', 'may not look at it'],
  ['ResourceNotFoundException', 'it does not exist'],
  ['QueueDoesNotExist', 'QueueDoesNotExist'],
])('%s: …%s…', (name, part) => {
  expect(sentenceOf(named(name))).toContain(part);
});

test('any other error keeps its message', () => {
  expect(sentenceOf(named('Error', 'it listens no more'))).toBe('it listens no more');
  expect(sentenceOf('cut off')).toBe('cut off');
});
