import type { Problem } from '@canvass/errors';
import type { Metrics, RequestContext } from '@canvass/service-kit';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { GatewaySettings } from '../config';
import type { HeaderList } from '../edge';
import type { Route } from '../routing';
import { Exchange, type ExchangeOutcome } from './exchange';
import type { RequestBody } from './request-body';
import { requestHeaders } from './request-headers';
import type { Upstream } from './upstream';

export interface ForwardRequest {
  request: IncomingMessage;
  response: ServerResponse;
  body: RequestBody;
  context: RequestContext;
  route: Route;
  upstream: Upstream;
  pathAndQuery: string;
  /** Whether it does no harm to send the request a second time, should the connection break. */
  repeatable: boolean;
  /** Of the gateway's own, for the answer. */
  headers: HeaderList;
  /** Called when the service gave no answer and none has begun. */
  fail(problem: Problem): void;
  onRetry(): void;
  onOutcome(outcome: ExchangeOutcome): void;
}

/** Sends a request to its service; returns when it is on its way. */
export type Forward = (options: ForwardRequest) => void;

export function createForward(
  settings: Pick<GatewaySettings, 'TrustedHops' | 'ClientIdleMs'>,
  metrics: Metrics,
): Forward {
  const seconds = metrics.histogram({
    name: 'gateway_upstream_duration_seconds',
    help: 'Seconds from sending a request to a service to the end of its answer.',
    labels: ['upstream', 'outcome'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  });
  const retries = metrics.counter({
    name: 'gateway_upstream_retries_total',
    help: 'Requests sent a second time after a connection error.',
    labels: ['upstream'],
  });

  return ({
    request,
    response,
    body,
    context,
    route,
    upstream,
    pathAndQuery,
    repeatable,
    headers,
    ...on
  }) => {
    const startedAt = performance.now();
    const outgoing: Dispatcher.DispatchOptions = {
      path: pathAndQuery,
      method: request.method as Dispatcher.HttpMethod,
      headers: requestHeaders(request, context, settings.TrustedHops, lengthOf(body)),
      ...sentBody(body),
    };
    new Exchange(request, response, upstream, outgoing, body, {
      service: route.service,
      repeatable,
      timeoutMs: route.timeoutMs,
      clientIdleMs: settings.ClientIdleMs,
      headers,
      fail: on.fail,
      onRetry() {
        retries.inc({ upstream: route.service });
        on.onRetry();
      },
      onOutcome(outcome) {
        seconds.observe({ upstream: route.service, outcome }, (performance.now() - startedAt) / 1000);
        on.onOutcome(outcome);
      },
    }).start();
  };
}

/** Bytes of a body that is streamed with a known length; else undici chunks it or knows. */
const lengthOf = (body: RequestBody): string | undefined =>
  body.kind === 'stream' ? body.contentLength : undefined;

function sentBody(body: RequestBody): Pick<Dispatcher.DispatchOptions, 'body'> {
  if (body.kind === 'none') return {};
  return { body: body.kind === 'small' ? body.bytes : body.stream };
}
