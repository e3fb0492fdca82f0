import { recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import { digestOf, endpoint, idSchema, noContent, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { removeSecondFactor } from '../second-factor';
import { clientOf } from './client';
import type { TokenDeps } from './deps';
import { proofMembers, type OwnProof } from './prove-caller';
import { beginSetUp, confirmSetUp, removeOwn, secondFactorOf } from './second-factor';
import {
  newSecondFactor,
  recoveryCodesAnswer,
  removedSecondFactor,
  secondFactorAnswer,
} from './second-factor-answers';

const path = '/api/auth/me/second-factor';
const bodyLimit = '16kb';
const proofBody = Joi.object<OwnProof>(proofMembers);
const codeBody = Joi.object<{ code: string }>({
  code: Joi.string().trim().max(20).required().description('of the authenticator app').example('123456'),
});

/** The second factor of the caller: time-based codes of an authenticator app (RFC 6238). */
export function secondFactorRoutes(deps: TokenDeps): Endpoint[] {
  const trust = deps.settings.SignIn.TrustForwardedFor;
  return [
    endpoint.read({
      method: 'get',
      path,
      operationId: 'getSecondFactor',
      summary: 'Whether the caller has a second factor, and whether a role requires it',
      description:
        'The second factor is a time-based code of an authenticator app (RFC 6238). Only users who sign in here can have one; other callers get a 403.',
      access: 'authenticated',
      answers: { 200: secondFactorAnswer },
      problems: ['permission_denied'],
      async handle({ principal }) {
        const state = await secondFactorOf(deps, principal);
        return ok(state, { etag: digestOf(state) });
      },
    }),
    endpoint.write({
      method: 'post',
      path,
      operationId: 'beginSecondFactor',
      audit: { notRecorded: 'has no effect until a code confirms it' },
      summary: 'Make a secret for an authenticator app; it has no effect until a code confirms it',
      description:
        'A further call replaces a secret that is not confirmed. If the caller already has a second factor, the response is a 409. A wrong password is a 400 and counts like a failed sign-in. If a role requires the second factor, the password must have been set with a link within the hour, else the response is a 403.',
      access: 'authenticated',
      body: proofBody,
      bodyLimit,
      answers: { 200: newSecondFactor },
      problems: ['permission_denied', 'conflict'],
      handle: async ({ principal, body, request }) =>
        ok(await beginSetUp(deps, principal, body, clientOf(request, trust))),
    }),
    endpoint.write({
      method: 'post',
      path: `${path}/confirm`,
      operationId: 'confirmSecondFactor',
      audit: { action: 'user.second_factor_added' },
      summary: 'Confirm the secret with a code; ends all other sessions and returns the recovery codes',
      description: 'Roles that require a second factor are in the tokens of the next refresh.',
      access: 'authenticated',
      body: codeBody,
      bodyLimit,
      answers: { 200: recoveryCodesAnswer },
      problems: ['permission_denied', 'conflict'],
      handle: async ({ principal, body }) =>
        ok({ recoveryCodes: await confirmSetUp(deps, principal, body.code) }),
    }),
    endpoint.write({
      method: 'post',
      path: `${path}/remove`,
      operationId: 'removeSecondFactor',
      audit: { action: 'user.second_factor_removed' },
      summary: 'Remove the second factor of the caller',
      description:
        'The recovery codes are removed with it, and sessions stay. A wrong password or code is a 400 and counts like a failed sign-in. Without a second factor the response is a 404.',
      access: 'authenticated',
      body: proofBody,
      bodyLimit,
      answers: { 204: removedSecondFactor },
      problems: ['permission_denied', 'not_found'],
      async handle({ principal, body, request }) {
        await removeOwn(deps, principal, body, clientOf(request, trust));
        return noContent();
      },
    }),
    endpoint.write({
      method: 'delete',
      path: '/api/users/:id/second-factor',
      operationId: 'removeSecondFactorOfUser',
      audit: { action: 'user.second_factor_removed' },
      summary: 'Remove the second factor of a user who has lost it',
      access: { permission: 'Users.Manage' },
      params: Joi.object<{ id: string }>({ id: idSchema.required().description('id of the user') }),
      answers: { 204: removedSecondFactor },
      async handle({ principal, params: { id } }) {
        const { tenantId } = principal;
        await deps.db.transaction(async (tx) => {
          if (!(await removeSecondFactor(tx, { tenantId, userId: id }))) throw notFound('second factor', id);
          await recordAudit(tx, { tenantId, object: ['user', id] });
        });
        return noContent();
      },
    }),
  ];
}
