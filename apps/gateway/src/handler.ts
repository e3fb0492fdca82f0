import { Problem } from '@canvass/errors';
import {
  addressOf,
  notesOf,
  problemOf,
  readTarget,
  scopeOf,
  sendProblem,
  shownIdOf,
  type RequestContext,
  type Responder,
  type RouteFinder,
  type Target,
  type WatchRequest,
} from '@canvass/service-kit';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { GatewaySettings, ServiceName } from './config';
import { forwardedFor, type Edge } from './edge';
import {
  CircuitOpen,
  discardRest,
  forward,
  problemFor,
  readRequestBody,
  type Upstream,
  type UpstreamMetrics,
} from './forwarding';
import type { Limits } from './limiting';
import type { FindOwnPage, OwnPage } from './own-pages';
import { allow, isAllowedMethod, isRepeatable, type Route } from './routing';

export interface HandlerDeps {
  settings: Pick<GatewaySettings, 'TrustedHops' | 'ClientIdleMs' | 'PathPrefix'>;
  /** The health paths. */
  health: ReadonlyMap<string, Responder>;
  /** The other pages and files that the gateway answers itself. */
  findOwnPage: FindOwnPage;
  /** The paths that it forwards, and where to. */
  findRoute: RouteFinder<Route>;
  upstreams: Partial<Record<ServiceName, Upstream>>;
  upstreamMetrics: UpstreamMetrics;
  edge: Edge;
  /** Null when all rate limits are turned off. */
  limits: Limits | null;
  /** Writes the log line, the metric and the span of a request. */
  watch: WatchRequest;
  /** Called for a request with `X-Forwarded-For` while no proxy is trusted. */
  onUntrustedProxy: () => void;
}

/** A request in progress. */
interface RequestState {
  request: IncomingMessage;
  response: ServerResponse;
  context: RequestContext;
  /** Headers of the gateway for the response, whether it forwards one or makes it. Grows on the way. */
  headers: (readonly [name: string, value: string])[];
}

/**
 * The public port of the gateway. `respond` and `proxy` follow a request from top to bottom; what they throw
 * becomes a problem+json response.
 */
export function createHandler(deps: HandlerDeps): RequestListener {
  return (request, response) => void handle(deps, request, response);
}

async function handle(deps: HandlerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const context = scopeOf(request.headers, true);
  const state: RequestState = { request, response, context, headers: [['x-request-id', shownIdOf(context)]] };
  try {
    await respond(deps, state);
  } catch (error) {
    refuse(state, error);
  }
}

async function respond(deps: HandlerDeps, state: RequestState): Promise<void> {
  const { request, response, context, headers } = state;
  const target = readTarget(request.url ?? '');

  headers.push(...deps.edge.headersFor(request));
  // Health comes first: it needs no log line. Its page replaces the policy.
  const probe = target instanceof Problem ? undefined : deps.health.get(target.path);
  if (probe !== undefined) {
    setHeaders(state);
    return probe(request, response);
  }

  const address = addressOf(forwardedFor(request, deps.settings.TrustedHops)[0]!);
  if (address !== null) context.address = address;
  deps.watch(request, response, context);
  if (deps.settings.TrustedHops === 0 && request.headers['x-forwarded-for'] !== undefined)
    deps.onUntrustedProxy();
  const preflight = deps.edge.preflight(request);
  if (preflight !== null) {
    headers.push(...preflight);
    setHeaders(state);
    response.writeHead(204).end();
    return;
  }

  if (target instanceof Problem) throw target;
  const own = deps.findOwnPage(target);
  if (own !== undefined) return sendOwn(deps, state, target, own);
  const route = deps.findRoute(target.segments);
  const upstream = route && deps.upstreams[route.service];
  if (route === undefined || upstream === undefined) {
    throw new Problem('not_found', { detail: 'There is no such path.' });
  }
  notesOf(response).route = route.pattern;
  if (!isAllowedMethod(request.method))
    throw new Problem('method_not_allowed', { headers: { Allow: allow } });
  return proxy(deps, state, target, route, upstream);
}

async function sendOwn(deps: HandlerDeps, state: RequestState, target: Target, page: OwnPage): Promise<void> {
  const { request, response, context } = state;
  const refusal = page.counted === null ? null : await refusalOf(deps, state, page.counted);
  setHeaders(state);
  return page.send({ request, response, context, target, refusal });
}

/** Counts a request and returns the refusal of the limits, or null. */
async function refusalOf(
  { limits }: HandlerDeps,
  { request, response, headers }: RequestState,
  route: Pick<Route, 'access' | 'takesAnswers'>,
): Promise<Problem | null> {
  if (limits === null) return null;
  const verdict = await limits.admit(request, route);
  headers.push(...verdict.headers);
  if (verdict.refusal !== null) notesOf(response)['outcome'] = 'limited';
  return verdict.refusal;
}

async function proxy(
  deps: HandlerDeps,
  state: RequestState,
  target: Target,
  route: Route,
  upstream: Upstream,
): Promise<void> {
  const { settings, upstreamMetrics } = deps;
  const { request, response, context, headers } = state;
  const notes = notesOf(response);
  notes['upstream'] = route.service;
  const refusal = await refusalOf(deps, state, route);
  if (refusal !== null) throw refusal;
  if (response.destroyed) return; // the client disconnected meanwhile

  if (!upstream.isAvailable) {
    notes['outcome'] = 'circuit_open';
    upstreamMetrics.onCircuitOpen(route.service);
    throw problemFor(new CircuitOpen(), route.service);
  }

  const body = await readRequestBody(request, route.bodyLimit, settings.ClientIdleMs);
  const startedAt = performance.now();
  const forwarded = await forward({
    request,
    response,
    context,
    route,
    upstream,
    pathAndQuery: target.pathAndQuery,
    body,
    isRepeatable: isRepeatable(request, target),
    headers,
    settings,
  });
  upstreamMetrics.onForwarded(route.service, forwarded, performance.now() - startedAt);
  if (forwarded.problem !== null) throw forwarded.problem;
}

/** The response to an error. A response that has begun can only be cut. */
function refuse(state: RequestState, error: unknown): void {
  const { request, response, context } = state;
  const problem = problemOf(error);
  if (problem === null || response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const notes = notesOf(response);
  notes.errorCode = problem.errorCode;
  if (problem.status >= 500) notes.error = problem.cause;
  discardRest(request);
  setHeaders(state);
  sendProblem(response, problem, shownIdOf(context));
}

function setHeaders({ response, headers }: RequestState): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}
