import { Problem } from '@canvass/errors';
import type { IncomingMessage } from 'node:http';
import type { OpenedSession } from './session';

const name = 'canvass_session';

/** A refresh token has 43 characters of base64url. */
const pair = new RegExp(`(?:^|;)\\s*${name}=([A-Za-z0-9_-]{1,200})\\s*(?:;|$)`);

/** The refresh token of the cookie. */
export const cookieOf = ({ headers }: IncomingMessage): string | undefined =>
  pair.exec(headers.cookie ?? '')?.[1];

/** `Set-Cookie` with the refresh token, for a page of that origin. */
export function cookieFor({ refreshToken, refreshTokenExpiresAt }: OpenedSession, origin: string): string {
  const seconds = Math.max(0, Math.floor((refreshTokenExpiresAt.getTime() - Date.now()) / 1000));
  return setCookie(refreshToken, seconds, origin);
}

/** `Set-Cookie` that removes it. */
export const clearedCookie = (origin: string): string => setCookie('', 0, origin);

const setCookie = (value: string, seconds: number, origin: string): string =>
  [
    `${name}=${value}`,
    'Path=/api/auth/session',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    // On http a browser would drop a secure cookie.
    ...(origin.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

/**
 * The origin of the page that sends a request. `SameSite=Strict` permits pages of other hosts of the same
 * site, so the origin is checked, too.
 *
 * @throws {Problem} `origin_not_allowed` for any but the configured origins; without these, for any but the
 * host of the request
 */
export function requireOwnOrigin(
  { headers }: IncomingMessage,
  allowed: readonly string[],
  trustForwarded: boolean,
): string {
  const origin = headers.origin?.toLowerCase();
  const forwarded = trustForwarded ? headers['x-forwarded-host'] : undefined;
  const host = String(forwarded ?? headers.host ?? '').toLowerCase();
  const isAllowed =
    origin !== undefined &&
    (allowed.length > 0
      ? allowed.includes(origin)
      : origin === `https://${host}` || origin === `http://${host}`);
  if (!isAllowed)
    throw new Problem('origin_not_allowed', {
      detail: 'The header Origin must name the host of the request, or an origin in Service:SignIn:Origins.',
    });
  return origin;
}
