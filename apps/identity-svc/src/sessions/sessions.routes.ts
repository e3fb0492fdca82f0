import { ownProvider, type Principal } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import {
  endpoint,
  idSchema,
  listParameters,
  noContent,
  ok,
  type Endpoint,
  type KeyQuery,
} from '@canvass/service-kit';
import Joi from 'joi';
import { selectUser } from '../users';
import { endOneSession, endSessions } from './end-sessions';
import { endedSessions, pageOfSessions } from './session-answers';
import { selectSessions, type SessionRow } from './sessions.sql';

const query = listParameters({});
const sessionId = idSchema.required().description('id of the session');
const id = idSchema.required().description('id of the user');
const manage = { permission: 'Users.Manage' } as const;

/** The sessions of the caller, and for administrators those of the users of the tenant. */
export function sessionRoutes(db: Database): Endpoint[] {
  return [...ownRoutes(db), ...userRoutes(db)];
}

function ownRoutes(db: Database): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/auth/sessions',
      operationId: 'listOwnSessions',
      summary: 'The sessions of the caller, the last used first',
      description:
        'Only sessions that have not ended. `isCurrent` marks that of the access token. Only users who sign in here have sessions; other callers get a 403.',
      access: 'authenticated',
      query,
      answers: { 200: pageOfSessions },
      problems: ['permission_denied'],
      handle: async ({ principal, query }) =>
        ok(await sessionPage(db, principal.tenantId, requireUser(principal), principal, query)),
    }),
    endpoint.write({
      method: 'delete',
      path: '/api/auth/sessions',
      operationId: 'endOtherSessions',
      audit: { action: 'user.sessions_ended' },
      summary: 'End all other sessions of the caller',
      description:
        'The session of the access token stays. The refresh tokens and access tokens of the others are not valid any more.',
      access: 'authenticated',
      answers: { 204: endedSessions },
      problems: ['permission_denied'],
      async handle({ principal }) {
        await endSessions(db, principal.tenantId, requireUser(principal), sessionOf(principal));
        return noContent();
      },
    }),
    endpoint.write({
      method: 'delete',
      path: '/api/auth/sessions/:sessionId',
      operationId: 'endOwnSession',
      audit: { action: 'session.ended' },
      summary: 'End one session of the caller, also the current one',
      description:
        'Its refresh tokens and access tokens are not valid any more. A session that has ended is a 404.',
      access: 'authenticated',
      params: Joi.object<{ sessionId: string }>({ sessionId }),
      answers: { 204: endedSessions },
      problems: ['permission_denied'],
      async handle({ principal, params }) {
        await endOneSession(db, principal.tenantId, requireUser(principal), params.sessionId);
        return noContent();
      },
    }),
  ];
}

function userRoutes(db: Database): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/users/:id/sessions',
      operationId: 'listUserSessions',
      summary: 'The sessions of a user, the last used first',
      access: manage,
      params: Joi.object<{ id: string }>({ id }),
      query,
      answers: { 200: pageOfSessions },
      async handle({ principal, params, query }) {
        await requireKnown(db, principal.tenantId, params.id);
        return ok(await sessionPage(db, principal.tenantId, params.id, principal, query));
      },
    }),
    endpoint.write({
      method: 'delete',
      path: '/api/users/:id/sessions',
      operationId: 'endUserSessions',
      audit: { action: 'user.sessions_ended' },
      summary: 'End all sessions of a user',
      access: manage,
      params: Joi.object<{ id: string }>({ id }),
      answers: { 204: endedSessions },
      async handle({ principal, params }) {
        await requireKnown(db, principal.tenantId, params.id);
        await endSessions(db, principal.tenantId, params.id, null);
        return noContent();
      },
    }),
    endpoint.write({
      method: 'delete',
      path: '/api/users/:id/sessions/:sessionId',
      operationId: 'endUserSession',
      audit: { action: 'session.ended' },
      summary: 'End one session of a user',
      access: manage,
      params: Joi.object<{ id: string; sessionId: string }>({ id, sessionId }),
      answers: { 204: endedSessions },
      async handle({ principal, params }) {
        await endOneSession(db, principal.tenantId, params.id, params.sessionId);
        return noContent();
      },
    }),
  ];
}

function sessionPage(db: Database, tenantId: string, userId: string, caller: Principal, window: KeyQuery) {
  const current = sessionOf(caller);
  const viewOf = (session: SessionRow) => ({ ...session, isCurrent: session.id === current });
  return selectSessions(db, tenantId, userId, window, viewOf);
}

/** `sid` of the token. */
const sessionOf = ({ claims }: Principal): string | null =>
  typeof claims['sid'] === 'string' ? claims['sid'] : null;

/** The id of the caller. @throws {Problem} `permission_denied` for callers without sessions here */
function requireUser({ provider, kind, subject }: Principal): string {
  if (provider === ownProvider && kind === 'user') return subject;
  throw new Problem('permission_denied', { detail: 'Only users who sign in here have sessions.' });
}

async function requireKnown(db: Database, tenantId: string, userId: string): Promise<void> {
  if (!(await selectUser(db, tenantId, userId))) throw notFound('user', userId);
}
