import { AsyncLocalStorage } from 'node:async_hooks';

/** The one who acts: a verified caller, or an operator on the command line. */
export interface Actor {
  /** `Service` for own users, service accounts and jobs, the name of an external provider, or `ops`. */
  provider: string;
  kind: 'user' | 'service' | 'external' | 'operator' | 'job';
  /** Id of the user or service account, external subject, name of the operator's account, or of the job. */
  subject: string;
}

/** Facts about the request or message in progress. They follow it through `await`. */
export interface RequestContext {
  /** Made at the edge (the gateway, or a service without one); clients cannot choose it. */
  requestId: string;
  /** `X-Request-Id` of the client. */
  clientRequestId?: string;
  traceparent: string;
  tenantId?: string;
  /** Absent without a verified caller. */
  actor?: Actor;
  /** The version (`ver`) of the rights of an account of the own provider. */
  version?: number;
  /** Address of the client; absent if it is not known. */
  address?: string;
  /** The action that the operation records in the audit trail. */
  action?: string;
  /** The first resource in the path of the request, such as the id of a form. */
  resource?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the current request; undefined outside of a request. */
export const currentContext = (): RequestContext | undefined => storage.getStore();

/**
 * The one whose share of limited resources the current work uses: the tenant of the caller. The tenant of an
 * anonymous caller is not known; the first resource in the path stands for it, because it belongs to one
 * tenant. Undefined outside of a request.
 */
export const currentOwner = (): string | undefined => {
  const context = currentContext();
  return context?.tenantId ?? context?.resource;
};

/** The ids that join the log lines of one request, within a process and across processes. */
export const idsOf = (
  context: RequestContext,
): { requestId: string; clientRequestId: string | undefined; traceId: string } => ({
  requestId: context.requestId,
  clientRequestId: context.clientRequestId,
  traceId: traceIdOf(context),
});

/** The id of the request in its response: that of the client if it sent one. */
export const shownIdOf = ({ clientRequestId, requestId }: RequestContext): string =>
  clientRequestId ?? requestId;

const traceIdOf = ({ traceparent }: RequestContext): string => traceparent.slice(3, 35);

/** Runs `fn` with `context`. Everything that `fn` awaits has the same context. */
export const withContext = <T>(context: RequestContext, fn: () => T): T => storage.run(context, fn);
