import type { Problem } from '@canvass/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Copy } from './copy';
import {
  ClientSilent,
  isConnectionError,
  problemOf,
  reasonOf,
  ServiceSilent,
  ServiceSpared,
  type FailureReason,
} from './failure';
import { ClientGone, discardRest, type LimitedBody, type RequestBody } from './request-body';
import { answerHeaders, type ReceivedHeaders } from './response-headers';
import type { Upstream } from './upstream';
import type { HeaderList } from '../edge';

export type ExchangeOutcome = 'answered' | 'client_gone' | FailureReason;

export interface ExchangeOptions {
  /** The service's name, for people. */
  service: string;
  /** Whether it does no harm to send the request a second time, should the connection break. */
  repeatable: boolean;
  /** The longest silence of the service, in milliseconds. */
  timeoutMs: number;
  /** The longest a client may leave an answer unread, in milliseconds. */
  clientIdleMs: number;
  /** Of the gateway's own, for the answer. */
  headers: HeaderList;
  /** Answers the client when the service gave no answer. Not called once an answer has begun. */
  fail(problem: Problem): void;
  onRetry(): void;
  /** Called once. */
  onOutcome(outcome: ExchangeOutcome): void;
}

type Controller = Dispatcher.DispatchController;

/**
 * One request on its way to a service and its answer on the way back, streamed both ways: a piece is taken only when
 * the other side has room for it. Ends in one of three ways: the whole answer was passed on; the client was told a
 * problem; or, when an answer that had begun breaks off, the client's connection is cut so that it cannot mistake a
 * part for the whole. A client that goes away ends the request to the service.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  #controller: Controller | undefined;
  #cancelled: Error | undefined;
  #over = false;
  #waitsForClient = false;
  #timer: NodeJS.Timeout | undefined;
  /** Over a client that uploads, whose service may be allowed a longer silence. */
  #uploadTimer: NodeJS.Timeout | undefined;
  #repeatsLeft: number;
  /** The one that has the request now. */
  #copy: Copy | undefined;
  /** Those that did not take it or broke the connection. */
  #tried: Set<Copy> | undefined;
  readonly #cutOff = () => this.#cancel(new ClientSilent());

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly upstream: Upstream,
    private readonly outgoing: Dispatcher.DispatchOptions,
    private readonly body: RequestBody,
    private readonly options: ExchangeOptions,
  ) {
    this.#repeatsLeft = options.repeatable && body.kind !== 'stream' ? 1 : 0;
  }

  start(): void {
    this.response.once('close', () => {
      if (!this.response.writableFinished) this.#cancel(new ClientGone());
    });
    if (this.body.kind === 'stream') this.#watchUpload(this.body.stream);
    this.#watch();
    this.#dispatch(this.upstream.choose());
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
    if (this.#copy !== undefined && this.#tellsOfStop(status, received)) this.upstream.passOver(this.#copy);
    this.#timer?.refresh();
    this.response.writeHead(status, message ?? '', answerHeaders(received, this.options.headers));
    // An answer of unknown length may take its time for its first piece; its head need not wait for that.
    if (received['content-length'] === undefined) this.response.flushHeaders();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.response.write(chunk)) {
      this.#timer?.refresh();
      return;
    }
    controller.pause();
    this.#watch(true);
    this.response.once('drain', () => {
      if (this.#over) return;
      this.#copy?.taken(this.#cutOff);
      this.#watch(false);
      controller.resume();
    });
    this.#copy?.untaken(this.#cutOff);
  }

  onResponseEnd(): void {
    this.#finish('answered');
    this.response.end();
    discardRest(this.request);
  }

  onResponseError(_controller: Controller | undefined, thrown: Error): void {
    if (this.#over) return;
    const error = this.#cancelled ?? thrown;
    if (error instanceof ClientGone) {
      this.#finish('client_gone');
    } else if (this.response.headersSent) {
      this.#finish(reasonOf(error));
      this.#cut();
    } else if (!this.#sendAgain(error)) {
      this.#finish(reasonOf(error));
      discardRest(this.request);
      this.options.fail(problemOf(error, this.options.service));
    }
  }

  /** Services of ours end a connection when they stop, when they refuse what comes on it, and when undici asks them to, as it does with HEAD. */
  #tellsOfStop(status: number, received: ReceivedHeaders): boolean {
    return received['connection'] === 'close' && status < 400 && this.outgoing.method !== 'HEAD';
  }

  /**
   * After a connection error: another copy, or for want of one the same, where that does no harm: because nothing was
   * sent (undici says when it begins to write), or because the request may be repeated, which is done once.
   */
  #sendAgain(error: Error): boolean {
    const failed = this.#copy;
    if (failed === undefined || this.#cancelled !== undefined || !isConnectionError(error)) return false;
    const wasSent = this.#controller !== undefined;
    if (!wasSent) this.upstream.passOver(failed);
    this.#tried = (this.#tried ?? new Set()).add(failed);
    let next = wasSent ? null : this.upstream.choose(this.#tried);
    if (next === null && this.#repeatsLeft > 0) {
      this.#repeatsLeft -= 1;
      next = this.upstream.choose(this.#tried) ?? failed;
    }
    if (next === null) return false;
    failed.over(reasonOf(error), this.outgoing);
    this.#copy = undefined;
    this.options.onRetry();
    this.#dispatch(next);
    return true;
  }

  #dispatch(copy: Copy | null): void {
    this.#controller = undefined;
    try {
      if (copy === null) throw new ServiceSpared();
      this.#copy = copy;
      copy.dispatch(this.outgoing, this);
    } catch (error) {
      this.onResponseError(undefined, error as Error);
    }
  }

  /** Ends the request to the service, also while it still waits for a connection. */
  #cancel(reason: Error): void {
    if (this.#over || this.#cancelled !== undefined) return;
    this.#cancelled = reason;
    if (this.#controller !== undefined) this.#controller.abort(reason);
    // Not sent yet: the client is answered now, the request is dropped when its turn comes.
    if (!this.#over) this.onResponseError(undefined, reason);
  }

  #watchUpload(stream: LimitedBody): void {
    const timer = setTimeout(() => {
      if (this.#isClientSlow()) this.#cancel(new ClientSilent());
      else timer.refresh();
    }, this.options.clientIdleMs);
    this.#uploadTimer = timer;
    stream.onActivity = () => {
      this.#timer?.refresh();
      timer.refresh();
    };
    stream.once('end', () => {
      this.#timer?.refresh();
      clearTimeout(timer);
    });
  }

  /** Starts the watch over whoever must move next. */
  #watch(waitsForClient = false): void {
    this.#waitsForClient = waitsForClient;
    clearTimeout(this.#timer);
    const ms = waitsForClient ? this.options.clientIdleMs : this.options.timeoutMs;
    this.#timer = setTimeout(
      () => this.#cancel(this.#isClientSlow() ? new ClientSilent() : new ServiceSilent(ms)),
      ms,
    );
  }

  #isClientSlow(): boolean {
    if (this.#waitsForClient) return true;
    // An upload that has stopped: if there is room for more, it is the client who does not send.
    return (
      this.body.kind === 'stream' &&
      !this.body.stream.writableNeedDrain &&
      !this.request.complete &&
      !this.response.headersSent
    );
  }

  #finish(outcome: ExchangeOutcome): void {
    this.#over = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#uploadTimer);
    this.#copy?.taken(this.#cutOff);
    this.#copy?.over(outcome, this.outgoing);
    this.options.onOutcome(outcome);
  }

  /** Breaks the client's connection. Before HTTP/1.1 a close is how an answer ends, so a reset must tell the difference. */
  #cut(): void {
    if (this.request.httpVersion === '1.0') this.request.socket.resetAndDestroy();
    else this.response.destroy();
  }
}
