/** What `npm run doctor` says of an error: what it means for the operator, and what to do. */

/** Errors of AWS about the credentials of the caller, by name. */
const unknownCaller = /Credential|ExpiredToken|InvalidClientTokenId|UnrecognizedClient/;

/** Errors of AWS about what a known caller may do. A HEAD request of S3 has no body, so only its status. */
const forbidden = /AccessDenied|NotAuthorized|AuthorizationError|UnauthorizedOperation|Forbidden|^403$/;

export const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (unknownCaller.test(error.name)) {
    return `this shell has no credentials that AWS accepts (${error.name}): check them with aws sts get-caller-identity`;
  }
  if (forbidden.test(error.name)) {
    return `this shell may not look at it (${error.name}): give it the permissions of npm run doctor in docs/deploy.md`;
  }
  if (/NotFound|NoSuch|NonExistent/.test(error.name)) return 'it does not exist: deploy the stack again';
  return error.message || error.name;
};
