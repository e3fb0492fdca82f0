import { AsyncLocalStorage } from 'node:async_hooks';

/** Facts about the request or message in progress. They follow it through `await`. */
export interface RequestContext {
  requestId: string;
  traceparent: string;
  tenantId?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the current request; undefined outside of a request. */
export const currentContext = (): RequestContext | undefined => storage.getStore();

/** The ids that join the log lines of one request, within a process and across processes. */
export const idsOf = ({
  requestId,
  traceparent,
}: RequestContext): { requestId: string; traceId: string } => ({
  requestId,
  traceId: traceparent.slice(3, 35),
});

/** Runs `fn` with `context`. Everything that `fn` awaits has the same context. */
export const withContext = <T>(context: RequestContext, fn: () => T): T => storage.run(context, fn);
