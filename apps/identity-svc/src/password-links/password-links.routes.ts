import { recordAudit } from '@canvass/audit';
import { notFound, Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { endpoint, idSchema, listParameters, noContent, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { clientOf, limitMails, limitRequests } from '../tokens';
import type { SignInSettings } from '../config';
import { credentialsByEmail, credentialsById, newPasswordSchema } from '../users';
import { invitationMinutes, makeLink, resetMinutes, type LinkDeps } from './make-link';
import { madeLink, pageOfLinks, withdrawnLink } from './password-link-answers';
import { selectLinks, withdrawLink } from './password-links.sql';
import { setPasswordByLink } from './set-password';

const bodyLimit = '16kb';

const access = { permission: 'Users.Manage' } as const;
const params = Joi.object<{ id: string }>({ id: idSchema.required().description('id of the user') });
const onePath = '/api/users/:id/password-link';

interface Deps extends LinkDeps {
  db: Database;
  signIn: SignInSettings;
}

/** Invitations and forgotten passwords: links with which a user sets a password once. */
export function passwordLinkRoutes(deps: Deps): Endpoint[] {
  return [
    endpoint.write({
      method: 'post',
      path: onePath,
      operationId: 'makePasswordLink',
      audit: { action: 'user.password_link_made' },
      summary: 'Make a one-time link with which a user sets a password: an invitation, or a reset',
      description:
        'It is sent by mail if a server is configured (`Service:Mail`); otherwise the response has the token. It is valid for 72 hours and ends an earlier link. It ends with every change of how the user signs in or of its roles, and if the account that made it is changed so, disabled or deleted. At most three mails are sent to a user in a window of `Service:SignIn` (429).',
      access,
      params,
      answers: { 200: madeLink },
      async handle({ principal, params: { id } }) {
        const user = await credentialsById(deps.db, principal.tenantId, id);
        if (!user) throw notFound('user', id);
        if (deps.mailer) await limitMails(deps.db, deps.signIn, user);
        // Before the link is made: a mail cannot be taken back.
        await recordAudit(deps.db, { tenantId: user.tenantId, object: ['user', id] });
        return ok(await makeLink(deps, user, invitationMinutes, principal));
      },
    }),
    endpoint.read({
      method: 'get',
      path: '/api/password-links',
      operationId: 'listPasswordLinks',
      summary: 'The open links of the tenant with which users set a password, the last made first',
      description: 'Links that were used, have expired or are not valid any more are not shown.',
      access,
      query: listParameters<{ userId?: string }>({ userId: idSchema.description('only that of this user') }),
      answers: { 200: pageOfLinks },
      handle: async ({ principal: { tenantId }, query: { userId, ...window } }) =>
        ok(await selectLinks(deps.db, { tenantId, userId }, window)),
    }),
    endpoint.write({
      method: 'delete',
      path: onePath,
      operationId: 'withdrawPasswordLink',
      audit: { action: 'user.password_link_withdrawn' },
      summary: 'Withdraw the open link of a user; 404 without one',
      access,
      params,
      answers: { 204: withdrawnLink },
      async handle({ principal: { tenantId }, params: { id } }) {
        await deps.db.transaction(async (tx) => {
          if (!(await withdrawLink(tx, { tenantId, userId: id }))) throw notFound('password link', id);
          await recordAudit(tx, { tenantId, object: ['user', id] });
        });
        return noContent();
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
        await limitRequests(deps.db, deps.signIn, client);
        // Not awaited: the time must not show whether there is such a user.
        void sendLinks(deps, body.email, body.tenant ?? null).catch((error: unknown) =>
          deps.logger.warn({ error }, 'failed to make a link for a forgotten password'),
        );
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
    if (await hadManyMails(deps, user)) continue;
    await recordAudit(deps.db, { tenantId: user.tenantId, object: ['user', user.id] });
    if (deps.mailer) await makeLink(deps, user, resetMinutes, null);
  }
}

const hadManyMails = ({ db, signIn }: Deps, user: { tenantId: string; email: string }) =>
  limitMails(db, signIn, user).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Problem && error.errorCode === 'too_many_requests') return true;
      throw error;
    },
  );
