import type { Problem } from '@canvass/errors';
import { notesOf, RequestAborted, type RequestContext } from '@canvass/service-kit';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { GatewaySettings } from '../config';
import type { HeaderList } from '../edge';
import type { Route } from '../routing';
import { requestHeaders, responseHeaders, type ReceivedHeaders } from './headers';
import {
  CircuitOpen,
  ClientTimeout,
  isConnectionError,
  outcomeOf,
  problemFor,
  UpstreamTimeout,
  type Outcome,
} from './outcome';
import type { Replica } from './replica';
import { discardRest, type LimitedBody, type RequestBody } from './request-body';
import type { Upstream } from './upstream';

/** A request that was admitted, and what is needed to forward it. */
export interface ForwardRequest {
  request: IncomingMessage;
  response: ServerResponse;
  context: RequestContext;
  route: Route;
  upstream: Upstream;
  pathAndQuery: string;
  body: RequestBody;
  /** Returns whether the request may be sent a second time when the connection breaks. */
  isRepeatable: boolean;
  /** Headers of the gateway for the response. */
  headers: HeaderList;
  settings: Pick<GatewaySettings, 'TrustedHops' | 'ClientIdleMs' | 'PathPrefix'>;
}

/** The outcome of a forwarded request. */
export interface Forwarded {
  outcome: Outcome;
  /** The number of times it was sent again after a connection error. */
  retries: number;
  /** The problem for the client. Null when a response was passed on or cut, or when the client has gone. */
  problem: Problem | null;
}

/** Forwards a request and its response. Resolves when both have ended; never rejects. */
export function forward(call: ForwardRequest): Promise<Forwarded> {
  return new Promise((resolve) => new Exchange(call, resolve).start());
}

/** 64 KiB a minute. */
const minUploadBytesPerMs = (64 * 1024) / 60_000;

type Controller = Dispatcher.DispatchController;

/**
 * One request on its way to a service and the response on its way back. Both are streamed: a chunk is read
 * only when the other side can take it. An exchange ends in one of three ways: the whole response was passed
 * on; there is a problem for the client; or a response that had begun broke off, and the client's connection
 * is cut, so that a part does not look like the whole. A client that disconnects ends the request to the
 * service.
 */
class Exchange implements Dispatcher.DispatchHandler {
  #controller: Controller | undefined;
  #cancelled: Error | undefined;
  #isOver = false;
  #waitsForClient = false;
  #timer: NodeJS.Timeout | undefined;
  /** The timer for a client that uploads. The time limit of the service may be longer. */
  #uploadTimer: NodeJS.Timeout | undefined;
  #repeatsLeft: number;
  #retries = 0;
  /** The replica that has the request now. */
  #replica: Replica | undefined;
  /** Replicas that did not accept the connection or broke it. */
  #tried: Set<Replica> | undefined;
  readonly #outgoing: Dispatcher.DispatchOptions;
  readonly #isStream: boolean;
  readonly #abort = () => this.#cancel(new ClientTimeout());

  constructor(
    private readonly call: ForwardRequest,
    private readonly resolve: (result: Forwarded) => void,
  ) {
    const { request, context, body, pathAndQuery, settings, isRepeatable } = call;
    const contentLength = body.kind === 'stream' ? body.contentLength : undefined;
    this.#isStream = call.route.isEventStream === true;
    this.#repeatsLeft = isRepeatable && body.kind !== 'stream' ? 1 : 0;
    this.#outgoing = {
      path: pathAndQuery,
      method: request.method as Dispatcher.HttpMethod,
      headers: requestHeaders(request, context, settings.TrustedHops, contentLength),
      ...(body.kind === 'none' ? {} : { body: body.kind === 'small' ? body.bytes : body.stream }),
    };
  }

  start(): void {
    const { response, body, upstream } = this.call;
    response.once('close', () => {
      if (!response.writableFinished) this.#cancel(new RequestAborted());
    });
    if (body.kind === 'stream') this.#watchUpload(body.stream);
    this.#startTimer(false);
    this.#dispatch(upstream.choose());
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#cancelled !== undefined) controller.abort(this.#cancelled);
  }

  onResponseStart(
    _controller: Controller,
    status: number,
    received: ReceivedHeaders,
    message?: string,
  ): void {
    if (status < 200) return; // 103 Early Hints and the like are for one hop
    const { response, upstream, headers, settings } = this.call;
    if (this.#replica !== undefined && this.#isShuttingDown(status, received))
      upstream.removeFromRotation(this.#replica);
    this.#timer?.refresh();
    response.writeHead(status, message ?? '', responseHeaders(received, headers, settings.PathPrefix));
    // A response of unknown length may pause before its first chunk. Its head need not wait for that.
    if (received['content-length'] === undefined) response.flushHeaders();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const { response } = this.call;
    if (response.write(chunk)) {
      this.#timer?.refresh();
      return;
    }
    controller.pause();
    this.#startTimer(true);
    response.once('drain', () => {
      if (this.#isOver) return;
      this.#replica?.resume(this.#abort);
      this.#startTimer(false);
      controller.resume();
    });
    // A stream holds no connection that requests need.
    if (!this.#isStream) this.#replica?.pauseForClient(this.#abort);
  }

  onResponseEnd(): void {
    this.#finish('answered');
    this.call.response.end();
    discardRest(this.call.request);
  }

  onResponseError(_controller: Controller | undefined, thrown: Error): void {
    if (this.#isOver) return;
    const error = this.#cancelled ?? thrown;
    const outcome = outcomeOf(error);
    if (outcome === 'client_gone') this.#finish(outcome);
    else if (this.call.response.headersSent) {
      this.#finish(outcome);
      this.#cut();
    } else if (!this.#retry(error)) this.#finish(outcome, problemFor(error, this.call.route.service));
  }

  /**
   * Returns whether the replica closes the connection because it stops. A service of ours also closes it
   * after an error status, and when undici asks for it, as it does with HEAD.
   */
  #isShuttingDown(status: number, received: ReceivedHeaders): boolean {
    return received['connection'] === 'close' && status < 400 && this.#outgoing.method !== 'HEAD';
  }

  /**
   * Sends the request, after a connection error, to another replica, or to the same one if there is no other.
   * That is safe when nothing was sent (undici reports when it starts to write), or when the request is
   * repeatable, once.
   */
  #retry(error: Error): boolean {
    const failed = this.#replica;
    if (failed === undefined || this.#cancelled !== undefined || !isConnectionError(error)) return false;
    const { upstream } = this.call;
    const wasSent = this.#controller !== undefined;
    if (!wasSent) upstream.removeFromRotation(failed);
    this.#tried = (this.#tried ?? new Set()).add(failed);
    let next = wasSent ? null : upstream.choose(this.#tried);
    if (next === null && this.#repeatsLeft > 0) {
      this.#repeatsLeft -= 1;
      next = upstream.choose(this.#tried) ?? failed;
    }
    if (next === null) return false;
    this.#release(failed, outcomeOf(error));
    this.#replica = undefined;
    this.#retries += 1;
    notesOf(this.call.response)['retried'] = true;
    this.#dispatch(next);
    return true;
  }

  #dispatch(replica: Replica | null): void {
    this.#controller = undefined;
    try {
      if (replica === null) throw new CircuitOpen();
      this.#replica = replica;
      if (this.#isStream) replica.dispatchStream(this.#outgoing, this);
      else replica.dispatch(this.#outgoing, this);
    } catch (error) {
      this.onResponseError(undefined, error as Error);
    }
  }

  /** Ends the request to the service, also while it still waits for a connection. */
  #cancel(reason: Error): void {
    if (this.#isOver || this.#cancelled !== undefined) return;
    this.#cancelled = reason;
    if (this.#controller !== undefined) this.#controller.abort(reason);
    // Not sent yet: the client gets its response now, and undici drops the request when it would send it.
    if (!this.#isOver) this.onResponseError(undefined, reason);
  }

  /**
   * Ends an upload of less than 64 KiB a minute: it holds a connection to the service, and an import also its
   * turn. Time in which the service did not read does not count.
   */
  #watchUpload(stream: LimitedBody): void {
    const windowMs = this.call.settings.ClientIdleMs;
    const minBytes = minUploadBytesPerMs * windowMs;
    let received = 0;
    let wasHeldUp = false;
    this.#uploadTimer = setInterval(() => {
      if (received < minBytes && !wasHeldUp && this.#isClientSlow()) this.#cancel(new ClientTimeout());
      [received, wasHeldUp] = [0, stream.writableNeedDrain];
    }, windowMs);
    stream.onActivity = (bytes: number) => {
      this.#timer?.refresh();
      received += bytes;
      wasHeldUp ||= stream.writableNeedDrain;
    };
    stream.once('end', () => {
      this.#timer?.refresh();
      clearInterval(this.#uploadTimer);
    });
  }

  /** Starts the time limit of the side that must act next. */
  #startTimer(waitsForClient: boolean): void {
    this.#waitsForClient = waitsForClient;
    clearTimeout(this.#timer);
    const ms = waitsForClient ? this.call.settings.ClientIdleMs : this.call.route.timeoutMs;
    this.#timer = setTimeout(
      () => this.#cancel(this.#isClientSlow() ? new ClientTimeout() : new UpstreamTimeout(ms)),
      ms,
    );
  }

  #isClientSlow(): boolean {
    if (this.#waitsForClient) return true;
    // An upload that has stopped: if the buffer has room, the client does not send.
    const { body, request, response } = this.call;
    return (
      body.kind === 'stream' && !body.stream.writableNeedDrain && !request.complete && !response.headersSent
    );
  }

  #finish(outcome: Outcome, problem: Problem | null = null): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearInterval(this.#uploadTimer);
    this.#replica?.resume(this.#abort);
    if (this.#replica !== undefined) this.#release(this.#replica, outcome);
    // Noted before the promise resolves: a response that is cut writes its log line first.
    notesOf(this.call.response)['outcome'] = outcome;
    this.resolve({ outcome, retries: this.#retries, problem });
  }

  #release(replica: Replica, outcome: Outcome): void {
    if (this.#isStream) replica.releaseStream(outcome);
    else replica.release(outcome, this.#outgoing);
  }

  /** Breaks the client's connection. In HTTP/1.0 a close ends a response, so the connection must be reset. */
  #cut(): void {
    const { request, response } = this.call;
    if (request.httpVersion === '1.0') request.socket.resetAndDestroy();
    else response.destroy();
  }
}
