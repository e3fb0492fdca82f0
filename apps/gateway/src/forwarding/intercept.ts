import { Problem } from '@canvass/errors';
import { notesOf, scopeOf, sendProblem, type Intercept, type WatchRequest } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import type { ServiceName } from '../config';
import type { Edge, HeaderList } from '../edge';
import type { Limits, Verdict } from '../limiting';
import { createRouteFinder, keyedCreates, readTarget, type RouteFinder, type Target } from '../routing';
import { allowedMethods } from './allowed-methods';
import { problemOf, ServiceSpared } from './failure';
import type { Forward } from './forward';
import { ClientGone, discardRest, hasBody, readRequestBody } from './request-body';
import type { UpstreamCounts } from './observe-upstreams';
import type { Upstream } from './upstream';

export interface InterceptDeps {
  findRoute: RouteFinder;
  upstreams: Partial<Record<ServiceName, Upstream>>;
  forward: Forward;
  edge: Edge;
  /** Null where none is configured. */
  limits: Limits | null;
  counts: UpstreamCounts;
  /** `ClientIdleMs` of the settings. */
  clientIdleMs: number;
  watch: WatchRequest;
}

/**
 * Passes on every request whose path is in the route table, without going through express: its middleware costs
 * several times what the way through does. What is not passed on (other paths and methods, targets that cannot be
 * read, preflights, health) is left to the application. Paths of a service that is not configured are not there either.
 */
export function createIntercept(deps: InterceptDeps): Intercept {
  const { findRoute, upstreams, forward, edge, limits, counts, clientIdleMs, watch } = deps;
  return (request, response) => {
    const method = request.method ?? '';
    if (method === 'OPTIONS' || !allowedMethods.has(method)) return false;
    const target = targetOf(request.url ?? '');
    const route = target && findRoute(target.segments);
    const upstream = route && upstreams[route.service];
    if (!target || !route || !upstream) return false;

    const context = scopeOf(request.headers);
    watch(request, response, context);
    const notes = notesOf(response);
    notes.route = route.pattern;
    notes['upstream'] = route.service;
    let headers: HeaderList = [...edge.headersFor(request), ['x-request-id', context.requestId] as const];
    const fail = (problem: Problem) => {
      notes.errorCode = problem.errorCode;
      if (problem.status >= 500) notes.error = problem.cause;
      for (const [name, value] of headers) response.setHeader(name, value);
      sendProblem(response, problem, context.requestId);
    };
    const send = (body: Awaited<ReturnType<typeof readRequestBody>>) =>
      forward({
        ...{ request, response, body, context, route, upstream, headers, fail },
        pathAndQuery: target.pathAndQuery,
        repeatable: isRepeatable(request, target),
        onRetry: () => (notes['retried'] = true),
        onOutcome: (outcome) => (notes['outcome'] = outcome),
      });
    const passOn = () => {
      if (!upstream.isAvailable) {
        notes['outcome'] = 'spared';
        counts.spared(route.service);
        discardRest(request);
        fail(problemOf(new ServiceSpared(), route.service));
      } else if (!hasBody(request)) send({ kind: 'none' });
      else {
        readRequestBody(request, route.bodyLimit, clientIdleMs).then(send, (error: unknown) => {
          if (error instanceof ClientGone) return; // nobody is left to be answered
          discardRest(request);
          fail(error instanceof Problem ? error : new Problem('internal_error', { cause: error }));
        });
      }
    };
    const goOn = (verdict: Verdict) => {
      if (response.destroyed) return; // the client went away meanwhile
      headers = [...headers, ...verdict.headers];
      if (verdict.refusal === null) return passOn();
      notes['outcome'] = 'limited';
      discardRest(request);
      fail(verdict.refusal);
    };
    const verdict = limits?.admit(request, route);
    if (verdict === undefined) passOn();
    else void verdict.then(goOn);
    return true;
  };
}

const findCreate = createRouteFinder(keyedCreates);

/** Reads are; of writes those whose service does them once however often their key comes. */
function isRepeatable({ method, headers }: IncomingMessage, { segments }: Target): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  return method === 'POST' && headers['idempotency-key'] !== undefined && findCreate(segments) !== undefined;
}

/** Null for a target that express is to refuse. */
function targetOf(url: string): Target | null {
  try {
    return readTarget(url);
  } catch {
    return null;
  }
}
