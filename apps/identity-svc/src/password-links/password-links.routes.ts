import { recordAudit } from '@canvass/audit';
import { exactObject, wireDate } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import {
  endpoint,
  idSchema,
  noContent,
  ok,
  type DescribedAnswer,
  type Endpoint,
  type Wire,
} from '@canvass/service-kit';
import Joi from 'joi';
import { limitMails, clientOf } from '../tokens';
import type { SignInSettings } from '../config';
import { credentialsByEmail, credentialsById, newPasswordSchema } from '../users';
import { invitationMinutes, makeLink, resetMinutes, type LinkDeps, type PasswordLink } from './make-link';
import { setPasswordByLink } from './set-password';

const bodyLimit = '16kb';

const example: Wire<PasswordLink> = {
  sentTo: 'grace@example.org',
  token: null,
  url: null,
  expiresAt: '2026-11-23T08:00:00.000Z',
};

const madeLink: DescribedAnswer = {
  description: 'Where the link is. A token is in this response only, and only if it was not sent.',
  body: exactObject<Wire<PasswordLink>>('PasswordLink', {
    sentTo: Joi.string().allow(null).description('address to which it was sent; null: pass it on yourself'),
    token: Joi.string().allow(null).description('for `setPassword`; null if it was sent'),
    url: Joi.string()
      .allow(null)
      .description('page with the token; null if it was sent or no page is configured'),
    expiresAt: wireDate.description('when it stops to work'),
  }),
  example,
};

interface Deps extends LinkDeps {
  db: Database;
  signIn: SignInSettings;
}

/** Invitations and forgotten passwords: links with which a user sets a password once. */
export function passwordLinkRoutes(deps: Deps): Endpoint[] {
  return [
    endpoint.write({
      method: 'post',
      path: '/api/users/:id/password-link',
      operationId: 'makePasswordLink',
      audit: { action: 'user.password_link_made' },
      summary: 'Make a one-time link with which a user sets a password: an invitation, or a reset',
      description:
        'It is sent by mail if a server is configured (`Service:Mail`); otherwise the response has the token. It is valid for 72 hours and ends an earlier link.',
      access: { permission: 'Users.Manage' },
      params: Joi.object<{ id: string }>({ id: idSchema.required().description('id of the user') }),
      answers: { 200: madeLink },
      async handle({ principal, params: { id } }) {
        const user = await credentialsById(deps.db, principal.tenantId, id);
        if (!user) throw notFound('user', id);
        // Before the link is made: a mail cannot be taken back.
        await recordAudit(deps.db, { tenantId: user.tenantId, object: ['user', id] });
        return ok(await makeLink(deps, user, invitationMinutes));
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/auth/password-reset/request',
      operationId: 'requestPasswordReset',
      audit: { action: 'user.password_link_requested' },
      summary: 'Ask for a link to set a forgotten password, by mail',
      description:
        'The response is the same for every address. A link is sent to enabled users if a mail server is configured. It is valid for one hour.',
      access: 'anonymous',
      body: Joi.object<{ email: string; tenant?: string }>({
        email: Joi.string()
          .trim()
          .lowercase()
          .max(320)
          .required()
          .description('of the user')
          .example('grace@example.org'),
        tenant: Joi.string()
          .trim()
          .max(200)
          .description('id or name of the tenant; by default each with the address'),
      }),
      bodyLimit,
      answers: { 204: { description: 'If there is such a user, a mail is on its way.' } },
      async handle({ body, request }) {
        const client = clientOf(request, deps.signIn.TrustForwardedFor);
        const isAllowed = await limitMails(deps.db, deps.signIn, body.email, client);
        // Not awaited: the time must not show whether there is such a user.
        if (isAllowed) {
          void sendLinks(deps, body.email, body.tenant ?? null).catch((error: unknown) =>
            deps.logger.warn({ error }, 'failed to make a link for a forgotten password'),
          );
        }
        return noContent();
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/auth/password-reset',
      operationId: 'setPassword',
      audit: { action: 'user.password_changed' },
      summary: 'Set a password with the token of a link; ends all sessions',
      description:
        'The token works once. One that is unknown, used or expired is a 400, as is a password that is easy to guess. A second factor stays.',
      access: 'anonymous',
      body: Joi.object<{ token: string; newPassword: string }>({
        token: Joi.string().max(200).required().description('of the link'),
        newPassword: newPasswordSchema.required(),
      }).example({ token: 'dG9rZW4gb2YgYSBsaW5r', newPassword: 'a longer password of mine' }),
      bodyLimit,
      answers: { 204: { description: 'The password is set. Sign in with it.' } },
      async handle({ body }) {
        await setPasswordByLink(deps.db, body.token, body.newPassword);
        return noContent();
      },
    }),
  ];
}

async function sendLinks(deps: Deps, email: string, tenant: string | null): Promise<void> {
  const users = await credentialsByEmail(deps.db, email, tenant);
  for (const user of users.filter(({ isEnabled }) => isEnabled)) {
    await recordAudit(deps.db, { tenantId: user.tenantId, object: ['user', user.id] });
    if (deps.mailer) await makeLink(deps, user, resetMinutes);
  }
}
