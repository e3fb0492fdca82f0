import { Problem } from '@canvass/errors';

/**
 * Builds the `WWW-Authenticate` header (RFC 6750, section 3) of a 401 or 403. The texts are for client
 * developers: they name the broken rule. They never repeat the token, because both the response and the log
 * would show it.
 */
const challenge = (error?: string, description?: string): Record<string, string> => ({
  'WWW-Authenticate':
    error === undefined
      ? 'Bearer realm="canvass"'
      : `Bearer realm="canvass", error="${error}"${description ? `, error_description="${description}"` : ''}`,
});

/** 401: the request needs a bearer token and has none. */
export function authenticationRequired(): Problem {
  return new Problem('authentication_required', {
    detail: 'Send an access token in the header Authorization: Bearer <token>.',
    headers: challenge(),
  });
}

/** 401: the token cannot be accepted. `reason` is one of our own texts, without quotes or backslashes. */
export function invalidToken(reason: string, cause?: unknown): Problem {
  return new Problem('invalid_token', {
    detail: reason,
    headers: challenge('invalid_token', reason),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** 403: the caller lacks a permission. */
export function permissionDenied(permission: string): Problem {
  return new Problem('permission_denied', {
    detail: `This needs the permission ${permission}.`,
    headers: challenge('insufficient_scope', `This needs the permission ${permission}.`),
  });
}

/** 503: the caller may have lost the permission, and the service cannot find out at the moment. */
export function permissionWithheld(permission: string): Problem {
  return new Problem('service_unavailable', {
    detail: `This needs the permission ${permission}, and revoked tokens cannot be recognized at the moment.`,
    headers: { 'Retry-After': '5' },
  });
}
