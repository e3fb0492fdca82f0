import { Problem } from '@canvass/errors';
import {
  addressOf,
  notesOf,
  problemOf,
  scopeOf,
  sendProblem,
  shownIdOf,
  type RequestContext,
  type Responder,
  type WatchRequest,
} from '@canvass/service-kit';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { sendAsset, type Asset } from './assets';
import { callerPath, type SendCaller } from './caller';
import type { GatewaySettings, ServiceName } from './config';
import { redirectToConsole, sendConsole, type FindConsoleFile } from './console';
import { forwardedFor, type Edge } from './edge';
import { isFormPage, requirePageRead, sendFormPageFile, type FormPages } from './form-page';
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
import {
  allow,
  isAllowedMethod,
  isRepeatable,
  readTarget,
  type Route,
  type RouteFinder,
  type Target,
} from './routing';

export interface HandlerDeps {
  settings: Pick<GatewaySettings, 'TrustedHops' | 'ClientIdleMs' | 'PathPrefix'>;
  /** The paths that the gateway serves itself: health, and documents with the files of their page. */
  health: ReadonlyMap<string, Responder>;
  assets: ReadonlyMap<string, Asset>;
  /** The files and pages of the web console. */
  findConsoleFile: FindConsoleFile;
  /** The content security policy of its pages. */
  consolePolicy: string;
  /** The pages on which forms are answered; null if they were not built. */
  formPages: FormPages | null;
  /** Says who the caller is; null if identity-svc does. */
  sendCaller: SendCaller | null;
  /** The paths that it forwards, and where to. */
  findRoute: RouteFinder;
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
  const target = targetOf(request.url ?? '');

  headers.push(...deps.edge.headersFor(request));
  // Health comes first: it needs no log line. Its page replaces the policy.
  const probe = 'path' in target ? deps.health.get(target.path) : undefined;
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
  const asset = deps.assets.get(target.path);
  if (asset !== undefined) {
    setHeaders(state);
    return sendAsset(asset, request, response);
  }
  const page = deps.findConsoleFile(target.path === '/' ? '/console' : target.path);
  if (page !== undefined) {
    setHeaders(state);
    return target.path === '/'
      ? redirectToConsole(deps.settings.PathPrefix, request, response)
      : sendConsole(page, deps.consolePolicy, request, response);
  }
  if (target.segments[0] === 'f' && deps.formPages !== null)
    return showForm(deps, deps.formPages, state, target);
  const route = deps.findRoute(target.segments);
  if (route !== undefined && target.path === callerPath && deps.sendCaller !== null) {
    await admit(deps, state, route);
    setHeaders(state);
    return deps.sendCaller(request, response);
  }
  const upstream = route && deps.upstreams[route.service];
  if (route === undefined || upstream === undefined) {
    throw new Problem('not_found', { detail: 'There is no such path.' });
  }
  notesOf(response).route = route.pattern;
  if (!isAllowedMethod(request.method))
    throw new Problem('method_not_allowed', { headers: { Allow: allow } });
  return proxy(deps, state, target, route, upstream);
}

/** Responds with the page of a form or with one of its files. */
async function showForm(
  deps: HandlerDeps,
  pages: FormPages,
  state: RequestState,
  target: Target,
): Promise<void> {
  const { request, response, context } = state;
  const file = pages.findFile(target.path);
  if (file === undefined && !isFormPage(target))
    throw new Problem('not_found', { detail: 'There is no such path.' });
  if (file !== undefined) {
    setHeaders(state);
    return sendFormPageFile(file, request, response);
  }
  requirePageRead(request, response);
  // A person gets a page instead of a problem.
  const refusal = await admit(deps, state, { access: 'anonymous' }).then(
    () => null,
    (problem: unknown) => problem as Problem,
  );
  setHeaders(state);
  return pages.send(deps.upstreams.Submissions, { request, response, context, target, refusal });
}

/** Counts a request. @throws {Problem} `too_many_requests` */
async function admit(
  { limits }: HandlerDeps,
  { request, response, headers }: RequestState,
  route: Pick<Route, 'access' | 'takesAnswers'>,
): Promise<void> {
  if (limits === null) return;
  const verdict = await limits.admit(request, route);
  headers.push(...verdict.headers);
  if (verdict.refusal === null) return;
  notesOf(response)['outcome'] = 'limited';
  throw verdict.refusal;
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
  await admit(deps, state, route);
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

/** The target of a request, or the problem with it: preflights are answered for both. */
function targetOf(url: string): Target | Problem {
  try {
    return readTarget(url);
  } catch (error) {
    return error as Problem;
  }
}
