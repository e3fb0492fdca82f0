import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import type { SessionRow } from './sessions.sql';

/** Responses of the operations on sessions, for documents and tests. */

/** A session in the API. */
export type SessionView = SessionRow & { isCurrent: boolean };

const example: Wire<SessionView> = {
  id: '186512345670000384',
  createdAt: '2026-11-18T08:00:00.000Z',
  lastUsedAt: '2026-11-20T09:34:12.345Z',
  expiresAt: '2026-12-18T08:00:00.000Z',
  clientNetwork: '192.0.2.0/24',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  isCurrent: true,
};

const session = exactObject<Wire<SessionView>>('UserSession', {
  id: wireId.description('id of the session, `sid` of its access tokens'),
  createdAt: wireDate.description('when the user signed in'),
  lastUsedAt: wireDate.description('when its tokens were last refreshed'),
  expiresAt: wireDate.description('when it ends if it is not refreshed'),
  clientNetwork: Joi.string().allow(null).description('network of the client at the last refresh'),
  userAgent: Joi.string().allow(null, '').description('`User-Agent` of the client at the last refresh'),
  isCurrent: Joi.boolean().description('whether the request has a token of this session'),
})
  .description('A sign-in of a user and the refreshes that follow it.')
  .example(example);

export const pageOfSessions = listAnswer(
  'UserSession',
  session,
  example,
  'A page of sessions, the last used first.',
);

export const endedSessions: DescribedAnswer = {
  description: 'Their refresh tokens and access tokens are not valid any more.',
};
