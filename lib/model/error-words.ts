/**
 * The words by which clients tell errors apart: the first word of `error_message`, and the `type` of a
 * validation error.
 */

/** `example`: the sentence that follows the word, as clients get it. */
type Word = { cause: string; action: string; example: string };

/** The first words of a task's `error_message` (Reading 4). */
export const errorWords: Record<string, Word> = {
  captcha: {
    cause: 'The engine asks for proof of a person. The service solves no captchas',
    action:
      'Send the search again later. If it happens often, the operator lowers the rate of the engine or ' +
      'uses another proxy',
    example: 'the engine asked for proof that a person is searching',
  },
  script_wall: {
    cause: 'The engine sent a page that only a browser passes, and the browser did not pass it either',
    action: 'As for `captcha`',
    example: 'the engine answered with a page that only a browser gets past',
  },
  consent: {
    cause: 'The engine asks for consent to its cookies instead of answering',
    action: 'As for `captcha`',
    example: 'the engine asked for consent to its cookies instead of answering',
  },
  soft_block: {
    cause: 'The engine refused the search, or sent a page that it sends to robots',
    action: 'As for `captcha`',
    example: 'the engine refused, or answered with a canned page',
  },
  decoy: {
    cause: 'The engine answered with results of other words, or for another country',
    action: 'As for `captcha`',
    example: 'the engine answered with results of other words',
  },
  unknown_layout: {
    cause: 'The page is incomplete, or the engine has changed its layout',
    action: 'Send the search again. If the error stays, report it with the stored page',
    example: 'the page is not laid out as a whole page of results is',
  },
  throttled: {
    cause:
      'The engine, or the source of the keyword data, took no more requests before the deadline of the task',
    action: 'Send fewer searches, or ask the operator for a higher rate',
    example: 'the engine took no more searches before the deadline of the task',
  },
  unreachable: {
    cause: 'No complete answer came from the engine or the source',
    action: 'Send the search again',
    example: 'the engine met an error of its own',
  },
  timeout: {
    cause: 'The answer came too late, or the task was not finished by its deadline',
    action: 'Send the search again',
    example: 'the task was not finished by its deadline',
  },
  upstream: {
    cause: 'The data provider or the source refused, or sent an answer that the service cannot read',
    action: 'Send the search again. If the error stays, ask the operator',
    example: 'the provider has not delivered the pages in time',
  },
  unresolved: {
    cause: 'The address of a result is hidden, so it is uncertain whether your domain is in the results',
    action: 'Send the search again',
    example: 'the host of a result is hidden, and a missing domain may be behind it',
  },
  machinery: {
    cause: 'The service itself failed',
    action: 'Ask the operator, who can run the task again',
    example: 'the task could not be processed',
  },
};

/**
 * The first words of `detail` when the source of suggestions, trends or live volumes gives no data (502 and
 * 503), after `No <data>: `.
 */
export const sourceWords: Record<string, string> = {
  captcha: 'the source takes the service for a robot and asks for a person: 503',
  refused: 'the source refuses the service: 503',
  throttled: 'the source takes no more calls now: 503',
  malformed: 'the answer is in an unknown format, or a part of it is missing: 502',
  redirected: 'the source redirects to another address: 502',
  upstream: 'the source answered with an error: 502',
  unreachable: 'no complete answer came: 502',
  timeout: 'no complete answer came within ten seconds: 502',
};

/** The words of `type` in a validation error. They are those of pydantic 2 (Reading 27). */
export const validationWords = {
  missing: 'A required field is missing',
  string_type: 'The value is not a string',
  string_too_short: 'The string is too short',
  string_too_long: 'The string is too long',
  string_pattern_mismatch: 'The string does not match the pattern in `msg`',
  string_unicode: 'The string is not valid Unicode',
  int_type: 'The value is not an integer',
  int_parsing: 'The string is not an integer',
  int_parsing_size: 'The integer is too large',
  int_from_float: 'The number has a fractional part',
  finite_number: 'The number is infinite',
  float_type: 'The value is not a number',
  bool_type: 'The value is not a boolean',
  bool_parsing: 'The value cannot be read as a boolean',
  date_from_datetime_parsing: 'The string is not a day',
  enum: 'The value is none of those in `msg`',
  literal_error: 'The value is none of those in `msg`',
  greater_than_equal: 'The number is too small',
  less_than_equal: 'The number is too large',
  list_type: 'The value is not a list',
  too_short: 'The list has too few items',
  too_long: 'The list has too many items',
  model_attributes_type: 'The value is not an object',
  dict_type: 'The value is not an object',
  url_parsing: 'The string is not a URL',
  url_scheme: 'The scheme of the URL is not accepted',
  value_error: 'The value is impossible for the reason in `msg`',
} satisfies Record<string, string>;
export type ValidationWord = keyof typeof validationWords;

/** An `error_message` with each word. */
export const errorExamples: string[] = Object.entries(errorWords).map(
  ([word, { example }]) => `${word}: ${example}`,
);

/** The words of `error_message` with their causes. */
export const errorCauses: Record<string, string> = Object.fromEntries(
  Object.entries(errorWords).map(([word, { cause }]) => [word, cause]),
);
