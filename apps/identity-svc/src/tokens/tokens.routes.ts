import { requirePrincipal } from '@canvass/auth';
import { digestOf, endpoint, noContent, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { newPasswordSchema } from '../users';
import { changePassword, type PasswordChange } from './change-password';
import { clientOf } from './client';
import { clientCredentials } from './client-credentials';
import type { TokenDeps } from './deps';
import { signOut } from './end-session';
import { login, type Login } from './login';
import { proofMembers } from './prove-caller';
import { refresh } from './refresh';
import { sessionView } from './session';
import {
  endedSession,
  issuedToken,
  newSession,
  refusedClient,
  refusedRequest,
  theCaller,
} from './token-answers';
import { whoAmI } from './current-principal';

export const loginBody = Joi.object<Login>({
  // The format is not checked: an address that belongs to no user is a 401.
  email: Joi.string()
    .trim()
    .lowercase()
    .max(320)
    .required()
    .description('of the user, in any case')
    .example('grace@example.org'),
  password: Joi.string().max(1000).required().description('of the user').example('correct horse battery'),
  tenant: Joi.string()
    .trim()
    .max(200)
    .description(
      'id or name of the tenant; needed if there are several, unless the user has proved the mailbox with a link',
    ),
  code: Joi.string()
    .trim()
    .max(40)
    .description('of the second factor, if the user has one: six digits, or a recovery code')
    .example('123456'),
});
const refreshBody = Joi.object<{ refreshToken: string }>({
  refreshToken: Joi.string().max(200).required().description('of the last login or refresh'),
}).example({ refreshToken: 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo' });
const passwordBody = Joi.object<PasswordChange>({
  ...proofMembers,
  newPassword: newPasswordSchema
    .invalid(Joi.ref('currentPassword'))
    .messages({ 'any.invalid': 'must differ from the current password' })
    .required(),
}).example({ currentPassword: 'correct horse battery', newPassword: 'a longer password of mine' });

/** A parameter that the handler checks. */
const documentedText = Joi.any().meta({ jsonSchema: { type: 'string' } });

/** The form, not validated: RFC 6749 has its own error format and wants unknown parameters ignored. */
const tokenForm = Joi.object<Record<string, unknown>>({
  grant_type: documentedText.description('`client_credentials`').example('client_credentials'),
  client_id: documentedText.description('of the service account, unless Basic has it'),
  client_secret: documentedText.description('of the service account, unless Basic has it'),
})
  .unknown(true)
  .optional()
  .example({
    grant_type: 'client_credentials',
    client_id: '186512345670000128',
    client_secret: 'a2V5IG9mIGEgc2VydmljZSBhY2NvdW50LCBvbmNl',
  });
export const bodyLimit = '16kb';

/** Signing in, refreshing and ending sessions, and the tokens of service accounts. */
export function tokenRoutes(deps: TokenDeps): Endpoint[] {
  const trust = deps.settings.SignIn.TrustForwardedFor;
  return [
    endpoint.write({
      method: 'post',
      path: '/api/auth/login',
      operationId: 'login',
      audit: { action: 'session.started' },
      summary: 'Sign in with e-mail address and password',
      description:
        'An unknown address, a wrong password and a disabled user get the same 401. Too many failures for an account or an address lead to a 429. If there are several tenants, the body must name one, unless the user set the password with a link by mail. If the same address and password are in several tenants then, the response is a 409 `tenant_required`.',
      access: 'anonymous',
      body: loginBody,
      bodyLimit,
      answers: { 200: newSession },
      problems: ['invalid_credentials', 'tenant_required', 'second_factor_required'],
      handle: async ({ body, request }) => ok(sessionView(await login(deps, body, clientOf(request, trust)))),
    }),
    endpoint.write({
      method: 'post',
      path: '/api/auth/refresh-token',
      operationId: 'refreshToken',
      audit: { notRecorded: 'continues a session' },
      summary: 'Exchange a refresh token for new tokens; each can be used once',
      description:
        'A second use of a refresh token ends the whole session. Within 10 s, when the response may be lost, it returns further tokens and ends those of the first response, or is a 409 if these were used.',
      access: 'anonymous',
      body: refreshBody,
      bodyLimit,
      answers: { 200: newSession },
      problems: ['invalid_credentials', 'refresh_raced'],
      handle: async ({ body, request }) =>
        ok(sessionView(await refresh(deps, body.refreshToken, clientOf(request, trust), 'new tokens'))),
    }),
    endpoint.write({
      method: 'post',
      path: '/api/auth/logout',
      operationId: 'logout',
      audit: { action: 'session.ended' },
      summary: 'End the session of a refresh token; 204 even for an invalid token (RFC 7009, section 2.2)',
      description: 'The token may be used or expired. The access tokens of the session end, too.',
      access: 'anonymous',
      body: refreshBody,
      bodyLimit,
      answers: { 204: endedSession },
      async handle({ body }) {
        await deps.db.transaction((tx) => signOut(tx, body.refreshToken));
        return noContent();
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/auth/me',
      operationId: 'getMe',
      summary: 'The caller: tenant, roles and permissions',
      description:
        'Name and address of a user are the current ones, roles and permissions those of the access token. A deleted or disabled user gets a 401.',
      access: 'authenticated',
      isForRestricted: true,
      answers: { 200: theCaller },
      async handle({ principal }) {
        const me = await whoAmI(deps.db, requirePrincipal(principal));
        return ok(me, { etag: digestOf(me) });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/auth/me/password',
      operationId: 'changePassword',
      audit: { action: 'user.password_changed' },
      summary: 'Change the password of the caller; ends all sessions and starts a new one',
      description:
        'A wrong current password or code is a 400 and counts like a failed sign-in. Only users who sign in here have a password; other callers get a 403. A 409 means that the password was changed at the same time.',
      access: 'authenticated',
      body: passwordBody,
      bodyLimit,
      answers: { 200: newSession },
      problems: ['permission_denied', 'conflict'],
      handle: async ({ principal, body, request }) =>
        ok(
          sessionView(
            await changePassword(deps, requirePrincipal(principal), body, clientOf(request, trust)),
          ),
        ),
    }),
    endpoint.write({
      method: 'post',
      path: '/api/auth/token',
      operationId: 'issueToken',
      audit: { action: 'token.issued' },
      summary: 'OAuth 2 client credentials (RFC 6749, section 4.4) for service accounts',
      description:
        'The client authenticates with Basic or with `client_id` and `client_secret` in the form, not with both. Unknown parameters are ignored.',
      access: 'anonymous',
      body: tokenForm,
      formBody: true,
      bodyLimit,
      answers: { 200: issuedToken, 400: refusedRequest, 401: refusedClient },
      async handle({ body, headers, request }) {
        const client = clientOf(request, trust);
        // The body may be absent, contrary to the schema type.
        const form: Record<string, unknown> | undefined = body;
        const answer = await clientCredentials(deps, form ?? {}, headers.authorization, client);
        const refused = 'error' in answer;
        const unknownClient = refused && answer.error === 'invalid_client';
        return {
          status: unknownClient ? 401 : refused ? 400 : 200,
          body: answer,
          headers: {
            'Cache-Control': 'no-store',
            Pragma: 'no-cache',
            ...(unknownClient ? { 'WWW-Authenticate': 'Basic realm="canvass", charset="UTF-8"' } : {}),
          },
        };
      },
    }),
  ];
}
