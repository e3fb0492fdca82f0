import { currentPrincipal, requirePrincipal, type Authenticator } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import { digestOf, notesOf, notModified } from '@canvass/service-kit';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The path where a client asks who it is. */
export const callerPath = '/api/auth/me';

const allow = 'GET, HEAD, OPTIONS';

/**
 * Responds to `GET /api/auth/me`.
 *
 * @throws {Problem} `authentication_required`, `invalid_token`, `method_not_allowed`
 */
export type SendCaller = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Says who the caller is in an installation without identity-svc, as identity-svc does: what the token of an
 * external provider says, with the roles and permissions that the configuration gives it.
 */
export function createCallerResponder(authenticator: Authenticator): SendCaller {
  return async (request, response) => {
    const notes = notesOf(response);
    notes.route = callerPath;
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { Allow: allow }).end();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Problem('method_not_allowed', { headers: { Allow: allow } });
    notes.operationId = 'getMe';
    const principal = requirePrincipal(await authenticator.authenticate(request.headers.authorization));
    const view = currentPrincipal(principal);
    const hash = digestOf(view);
    response.setHeader('ETag', `"${hash}"`);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (notModified(request.headers['if-none-match'], hash)) {
      response.writeHead(304).end();
      return;
    }
    const bytes = Buffer.from(JSON.stringify(view));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  };
}
