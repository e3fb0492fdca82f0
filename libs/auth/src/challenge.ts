import { Problem } from '@canvass/errors';

/**
 * The 401s and the 403 of bearer tokens, each with the `WWW-Authenticate` header of RFC 6750, section 3. The texts are
 * for the developer of a client; they say which rule was broken and never repeat what the token holds, since both the
 * answer and the log would show it.
 */
const challenge = (error?: string, description?: string): Record<string, string> => ({
  'WWW-Authenticate':
    error === undefined
      ? 'Bearer realm="canvass"'
      : `Bearer realm="canvass", error="${error}"${description ? `, error_description="${description}"` : ''}`,
});

/** 401: no bearer token was sent, and one is needed. */
export function authenticationRequired(): Problem {
  return new Problem('authentication_required', {
    detail: 'Send an access token in the header Authorization: Bearer <token>.',
    headers: challenge(),
  });
}

/** 401: a token was sent that cannot be accepted. `reason` is one of our own sentences, without quotes or backslashes. */
export function invalidToken(reason: string, cause?: unknown): Problem {
  return new Problem('invalid_token', {
    detail: reason,
    headers: challenge('invalid_token', reason),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** 403: the caller is known and may not do this. */
export function permissionDenied(permission: string): Problem {
  return new Problem('permission_denied', {
    detail: `This needs the permission ${permission}.`,
    headers: challenge('insufficient_scope', `This needs the permission ${permission}.`),
  });
}
