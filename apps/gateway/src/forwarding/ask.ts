import type { RequestContext } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import type { Dispatcher } from 'undici';
import { ownHeaders } from './headers';
import { CircuitOpen, outcomeOf, UpstreamTimeout, type Outcome } from './outcome';
import type { Upstream } from './upstream';

/** The JSON with which a service answered. */
export interface Answer {
  status: number;
  body: unknown;
}

/** The headers with tokens. */
const tokens = ['authorization', 'x-submission-token'] as const;

/**
 * Reads JSON of a service for a page of the gateway itself. The service sees the address, the id and the
 * tokens of the request, and none of its other headers.
 *
 * @throws {Error} see `problemFor`
 */
export function ask(
  upstream: Upstream,
  path: string,
  of: { request: IncomingMessage; context: RequestContext; trustedHops: number; timeoutMs: number },
): Promise<Answer> {
  const replica = upstream.choose();
  if (replica === null) return Promise.reject(new CircuitOpen());
  const outgoing: Dispatcher.DispatchOptions = {
    path,
    method: 'GET',
    headers: [
      'accept',
      'application/json',
      ...tokens.flatMap((name) => {
        const token = of.request.headers[name];
        return typeof token === 'string' ? [name, token] : [];
      }),
      ...ownHeaders(of.request, of.context, of.trustedHops),
    ],
  };
  return new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    let isOver = false;
    const end = (outcome: Outcome) => {
      isOver = true;
      clearTimeout(timer);
      replica.release(outcome, outgoing);
    };
    const fail = (error: Error) => {
      if (isOver) return;
      end(outcomeOf(error));
      reject(error);
    };
    const timer = setTimeout(() => {
      const error = new UpstreamTimeout(of.timeoutMs);
      fail(error);
      controller?.abort(error);
    }, of.timeoutMs);
    try {
      replica.dispatch(outgoing, {
        onRequestStart(started) {
          controller = started;
          if (isOver) started.abort(new UpstreamTimeout(of.timeoutMs));
        },
        onResponseStart(_controller, code) {
          status = code;
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          if (isOver) return;
          end('answered');
          try {
            resolve({ status, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown });
          } catch (error) {
            reject(error as Error);
          }
        },
        onResponseError: (_controller, error) => fail(error),
      });
    } catch (error) {
      fail(error as Error);
    }
  });
}
