import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known about the request (or message) whose work is being done; follows it through awaits. */
export interface RequestContext {
  requestId: string;
  traceparent: string;
  tenantId?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The context of the request being served, or undefined outside of one. */
export const currentContext = (): RequestContext | undefined => storage.getStore();

/** The ids by which the log lines of one request are joined, within a process and across them. */
export const idsOf = ({
  requestId,
  traceparent,
}: RequestContext): { requestId: string; traceId: string } => ({
  requestId,
  traceId: traceparent.slice(3, 35),
});

/** Runs `fn` with `context`; everything it awaits sees the same. */
export const withContext = <T>(context: RequestContext, fn: () => T): T => storage.run(context, fn);
