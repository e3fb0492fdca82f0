import {
  ownProvider,
  permissionDenied,
  requirePermission,
  versionOf,
  type Authenticator,
  type Principal,
} from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import type { IncomingMessage } from 'node:http';
import { currentContext, type RequestContext } from '../context/request-context';
import { refusesRestricted, type Access, type Endpoint } from './endpoint';

/** Verifies the token of a calling service (see `createServiceTokens` of @canvass/auth). */
export interface ServiceTokenVerifier {
  verify(token: string): { service: string };
}

export interface Caller {
  principal: Principal | null;
  callingService: string | null;
}

export interface Guards {
  authenticator?: Authenticator | undefined;
  serviceTokens?: ServiceTokenVerifier | undefined;
}

const anonymousCaller: Caller = { principal: null, callingService: null };

/** Fails at start, not at the first call, if an endpoint needs a guard that the application does not have. */
export function assertGuarded(endpoints: readonly Endpoint[], guards: Guards): void {
  for (const { access, method, path } of endpoints) {
    const needs =
      access === 'internal' ? 'serviceTokens' : needsPrincipal(access) ? 'authenticator' : undefined;
    if (needs !== undefined && guards[needs] === undefined) {
      throw new Error(`${method.toUpperCase()} ${path}: the application has no ${needs}.`);
    }
  }
}

const needsPrincipal = (access: Access): boolean =>
  access === 'optional' || access === 'authenticated' || typeof access === 'object';

/**
 * Authenticates the caller and checks the permission that the endpoint declares.
 * @throws {Problem} `malformed_request`, `authentication_required`, `invalid_token`, `permission_denied`
 */
export async function admit(access: Access, guards: Guards, request: IncomingMessage): Promise<Caller> {
  assertOneAuthorization(request);
  if (access === 'anonymous' || access === 'custom' || access === 'cookie') return anonymousCaller;
  if (access === 'internal') return { principal: null, callingService: callingService(guards, request) };
  const principal = (await guards.authenticator?.authenticate(request.headers.authorization)) ?? null;
  const context = currentContext();
  if (principal !== null && context !== undefined) {
    const { tenantId, provider, kind, subject, claims } = principal;
    Object.assign(context, {
      tenantId,
      actor: { provider, kind, subject },
      ...(provider === ownProvider && { version: versionOf(claims) }),
    } satisfies Partial<RequestContext>);
  }
  if (typeof access === 'object') requirePermission(principal, access.permission);
  if (access === 'authenticated' && principal === null) throw authenticationRequired();
  return { principal, callingService: null };
}

/**
 * Restricts service accounts to the forms of their token. Other forms are a 404, as those of other tenants.
 * Operations without a form are a 403, because they concern all forms. Here and not in each operation, so
 * that none can forget it. `params`: the validated parameters of the path.
 *
 * @throws {Problem} `not_found`, `permission_denied`
 */
export function assertAllowedForm(endpoint: Endpoint, principal: Principal | null, params: unknown): void {
  if (principal?.formIds === undefined) return;
  if (refusesRestricted(endpoint)) throw permissionDenied('of all forms of the tenant');
  const { formId } = params as { formId?: string };
  if (formId !== undefined && !principal.formIds.has(formId)) throw notFound('form', formId);
}

/**
 * Rejects repeated headers: Node uses the first, and a proxy may have checked the last (RFC 9110, section
 * 5.3, permits one).
 */
function assertOneAuthorization({ headers, rawHeaders }: IncomingMessage): void {
  if (headers.authorization === undefined) return;
  const sent = rawHeaders.filter((text, n) => n % 2 === 0 && /^authorization$/i.test(text));
  if (sent.length > 1)
    throw new Problem('malformed_request', { detail: 'The header Authorization may be sent once.' });
}

function callingService(guards: Guards, request: IncomingMessage): string {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || guards.serviceTokens === undefined) throw authenticationRequired();
  try {
    return guards.serviceTokens.verify(token).service;
  } catch (cause) {
    throw cause instanceof Problem ? cause : new Problem('invalid_token', { cause });
  }
}

const authenticationRequired = () =>
  new Problem('authentication_required', { headers: { 'WWW-Authenticate': 'Bearer' } });
