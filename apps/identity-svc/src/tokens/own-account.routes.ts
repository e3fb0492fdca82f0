import { exactObject, wireDate } from '@canvass/contracts';
import { endpoint, ok, type DescribedAnswer, type Endpoint, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import { changeUser, oneUser, ownChangeMembers, type UserChange } from '../users';
import { clientOf } from './client';
import type { TokenDeps } from './deps';
import { makeProof, type Proof } from './proof';
import { callingUser, proofMembers, proveCaller, type OwnProof } from './prove-caller';
import { bodyLimit } from './tokens.routes';

const example: Wire<Proof> = {
  proof: 'v1.k1.Zm9vYmFyYmF6cXV4.MTIzNDU2Nzg5MGFiY2RlZmdoaWo',
  expiresAtUtc: '2026-11-28T08:05:00.000Z',
};

const newProof: DescribedAnswer = {
  description: 'For the session of the access token.',
  body: exactObject<Wire<Proof>>('Proof', {
    proof: Joi.string().description('for the header `X-Canvass-Proof`'),
    expiresAtUtc: wireDate.description('five minutes from now'),
  }),
  example,
};

/** The endpoints for what users do with their own account beside the password and the second factor. */
export function ownAccountRoutes(deps: TokenDeps): Endpoint[] {
  const trust = deps.settings.SignIn.TrustForwardedFor;
  return [
    endpoint.write({
      method: 'patch',
      path: '/api/auth/me',
      operationId: 'changeMe',
      audit: { action: 'user.updated' },
      summary: 'Change the name or the e-mail address of the caller',
      description:
        'For those who may change the users of the tenant; others ask them. A wrong current password or code is a 400 and counts like a failed sign-in. With a new address, sign-ins must name the tenant if there are several.',
      access: { permission: 'Users.Manage' },
      body: Joi.object<OwnProof & Pick<UserChange, 'email' | 'name'>>({
        ...proofMembers,
        ...ownChangeMembers,
      }).example({ currentPassword: 'correct horse battery', name: 'Grace Hopper' }),
      bodyLimit,
      answers: { 200: oneUser },
      problems: ['permission_denied', 'email_already_exists'],
      async handle({ principal, body: { currentPassword, code, ...change }, request, ifMatch }) {
        const caller = await callingUser(deps, principal);
        const proof = { currentPassword, ...(code !== undefined && { code }) };
        await proveCaller(deps, caller, proof, clientOf(request, trust));
        const user = await changeUser(deps.db, caller.tenantId, caller.id, change, ifMatch);
        return ok(user, { etag: user.revision });
      },
    }),
    endpoint.write({
      method: 'post',
      path: '/api/auth/me/proof',
      operationId: 'proveMyself',
      audit: { notRecorded: 'changes nothing' },
      summary: 'Prove again who calls, before changing how others sign in',
      description:
        'Operations that need it respond with 403 `proof_required` without it. The proof is valid for five minutes, in this session, until the password or the roles of the caller change. A wrong password or code is a 400 and counts like a failed sign-in. Only users who sign in here can prove themselves; other callers get a 403 and need no proof.',
      access: 'authenticated',
      body: Joi.object<OwnProof>(proofMembers),
      bodyLimit,
      answers: { 200: newProof },
      problems: ['permission_denied'],
      async handle({ principal, body, request }) {
        const user = await callingUser(deps, principal);
        await proveCaller(deps, user, body, clientOf(request, trust));
        return ok(makeProof(deps.box, principal));
      },
    }),
  ];
}
