import type { Problem } from '@canvass/errors';
import { currentContext, type Metrics } from '@canvass/service-kit';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { GatewaySettings } from '../config';
import type { Route } from '../routing';
import { Exchange, type ExchangeOutcome } from './exchange';
import { readRequestBody, type RequestBody } from './request-body';
import { requestHeaders } from './request-headers';
import type { Upstream } from './upstream';

export interface ForwardRequest {
  request: IncomingMessage;
  response: ServerResponse;
  route: Route;
  upstream: Upstream;
  pathAndQuery: string;
  /** Called when the service gave no answer and none has begun. */
  fail(problem: Problem): void;
  onRetry(): void;
  onOutcome(outcome: ExchangeOutcome): void;
}

/**
 * Sends a request to its service; returns when it is on its way.
 *
 * @throws {Problem} `payload_too_large` before anything was sent
 * @throws {ClientGone} when the client left before its body was complete
 */
export type Forward = (options: ForwardRequest) => Promise<void>;

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

  return async ({ request, response, route, upstream, pathAndQuery, fail, onRetry, onOutcome }) => {
    const body = await readRequestBody(request, route.bodyLimit);
    const stopClock = seconds.startTimer({ upstream: route.service });
    const outgoing: Dispatcher.DispatchOptions = {
      path: pathAndQuery,
      method: request.method as Dispatcher.HttpMethod,
      headers: headersFor(request, body, settings.TrustedHops),
      ...sentBody(body),
    };
    new Exchange(request, response, upstream, outgoing, body, {
      service: route.service,
      timeoutMs: route.timeoutMs,
      clientIdleMs: settings.ClientIdleMs,
      fail,
      onRetry() {
        retries.inc({ upstream: route.service });
        onRetry();
      },
      onOutcome(outcome) {
        stopClock({ outcome });
        onOutcome(outcome);
      },
    }).start();
  };
}

function headersFor(request: IncomingMessage, body: RequestBody, trustedHops: number): string[] {
  const { requestId = '', traceparent = '' } = currentContext() ?? {};
  const contentLength = body.kind === 'stream' ? body.contentLength : undefined;
  return requestHeaders(request, {
    requestId,
    traceparent,
    trustedHops,
    ...(contentLength === undefined ? {} : { contentLength }),
  });
}

function sentBody(body: RequestBody): Pick<Dispatcher.DispatchOptions, 'body'> {
  if (body.kind === 'none') return {};
  return { body: body.kind === 'small' ? body.bytes : body.stream };
}
