import { endpoint, noContent, ok, type Endpoint } from '@canvass/service-kit';
import { clientOf } from './client';
import type { TokenDeps } from './deps';
import { signOut } from './end-session';
import { login } from './login';
import { refresh } from './refresh';
import { invalidCredentials, type OpenedSession } from './session';
import { clearedCookie, cookieFor, cookieOf, requireOwnOrigin } from './session-cookie';
import { browserSession, endedBrowserSession } from './token-answers';
import { bodyLimit, loginBody } from './tokens.routes';

const path = '/api/auth/session';

/**
 * Sessions of pages in a browser. The refresh token is in a cookie that scripts cannot read, so a script that
 * was smuggled into the page cannot take it away.
 */
export function browserSessionRoutes(deps: TokenDeps): Endpoint[] {
  const { TrustForwardedFor: trust, Origins: origins } = deps.settings.SignIn;
  const opened = (session: OpenedSession, origin: string) =>
    ok(
      { accessToken: session.accessToken, expiresAtUtc: session.expiresAtUtc },
      { headers: { 'Set-Cookie': cookieFor(session, origin) } },
    );
  return [
    endpoint.write({
      method: 'post',
      path,
      operationId: 'startBrowserSession',
      audit: { action: 'session.started' },
      summary: 'Sign in from a page; the refresh token becomes a cookie',
      description:
        'Like `login`, but the refresh token is only in a cookie (`HttpOnly`, `SameSite=Strict`, `Secure` on https). The header `Origin` must name the host of the request or a configured origin.',
      access: 'anonymous',
      body: loginBody,
      bodyLimit,
      answers: { 200: browserSession },
      problems: ['invalid_credentials', 'tenant_required', 'second_factor_required', 'origin_not_allowed'],
      async handle({ body, request }) {
        const origin = requireOwnOrigin(request, origins, trust);
        return opened(await login(deps, body, clientOf(request, trust)), origin);
      },
    }),
    endpoint.write({
      method: 'post',
      path: `${path}/refresh`,
      operationId: 'refreshBrowserSession',
      audit: { notRecorded: 'continues a session' },
      summary: 'Exchange the cookie for a new one and an access token',
      description:
        'A second use of a cookie ends the session. Within 10 s it is a 409 `refresh_raced`, because another tab was first: try again with the cookie that it received.',
      access: 'cookie',
      answers: { 200: browserSession },
      problems: ['invalid_credentials', 'origin_not_allowed', 'refresh_raced'],
      async handle({ request }) {
        const token = cookieOf(request);
        if (token === undefined) throw invalidCredentials('There is no session; sign in.');
        const origin = requireOwnOrigin(request, origins, trust);
        return opened(await refresh(deps, token, clientOf(request, trust), 'conflict'), origin);
      },
    }),
    endpoint.write({
      method: 'delete',
      path,
      operationId: 'endBrowserSession',
      audit: { action: 'session.ended' },
      summary: 'Sign out: end the session of the cookie; 204 even without a session',
      description:
        'The response removes the cookie. If there is one, the header `Origin` must name the host of the request or a configured origin.',
      access: 'anonymous',
      answers: { 204: endedBrowserSession },
      problems: ['origin_not_allowed'],
      async handle({ request }) {
        const token = cookieOf(request);
        if (token !== undefined) {
          requireOwnOrigin(request, origins, trust);
          await deps.db.transaction((tx) => signOut(tx, token));
        }
        return noContent({ headers: { 'Set-Cookie': clearedCookie(request.headers.origin ?? '') } });
      },
    }),
  ];
}
