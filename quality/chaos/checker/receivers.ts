import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { webhookSink, type ReceivedRequest, type SinkAnswer, type WebhookSink } from '@canvass/testing';
import type { ReceivedHook } from '../records';
import { markerOf } from './tap';

/** `fail` answers 500, `hang` does not answer. */
export type ReceiverMode = 'normal' | 'fail' | 'hang';

/** Number of receivers that changes at random use, and that faults affect. */
export const endpointCount = 8;

/** Path of a receiver by its number. */
export const pathOf = (endpoint: number): string => `/r/${endpoint}`;

/** The receivers of all webhooks: one server, one path and one mode per receiver. */
export class Receivers {
  private readonly modes = new Map<string, { mode: ReceiverMode; ended: AbortController }>();

  private constructor(
    private readonly sink: WebhookSink,
    private readonly record: (hook: ReceivedHook) => void,
  ) {
    sink.respond((request) => this.answer(request));
  }

  static async listen(record: (hook: ReceivedHook) => void): Promise<Receivers> {
    return new Receivers(await webhookSink({ keep: false }), record);
  }

  urlOf(path: string): string {
    return this.sink.url + path;
  }

  /** Ends the mode before: open requests of `hang` are reset. */
  become(endpoint: number, mode: ReceiverMode): void {
    this.modes.get(pathOf(endpoint))?.ended.abort();
    const ended = new AbortController();
    setMaxListeners(0, ended.signal);
    this.modes.set(pathOf(endpoint), { mode, ended });
  }

  async close(): Promise<void> {
    for (const { ended } of this.modes.values()) ended.abort();
    await this.sink.close();
  }

  private async answer(request: ReceivedRequest): Promise<SinkAnswer> {
    const { mode, ended } = this.modes.get(request.path) ?? { mode: 'normal', ended: new AbortController() };
    const answered = { normal: 200, fail: 500, hang: null }[mode];
    this.record(hookOf(request, answered));
    if (answered === null) {
      await new Promise((resolve) => ended.signal.addEventListener('abort', resolve, { once: true }));
      return 'reset';
    }
    return { status: answered };
  }
}

function hookOf({ at, path, headers, body }: ReceivedRequest, answered: number | null): ReceivedHook {
  const { Payload: payload } = JSON.parse(body.toString('utf8')) as { Payload: Record<string, unknown> };
  const { submissionId, submitterId, formId, revision } = payload;
  // A submission has the id of its submitter, too.
  const entity = submissionId !== undefined ? 'submission' : formId !== undefined ? 'form' : 'submitter';
  return {
    at: at.getTime(),
    path,
    id: headers['x-service-hook-id'] ?? '',
    type: headers['x-service-event'] ?? '',
    key: `${entity} ${String(submissionId ?? formId ?? submitterId)}`,
    revision: String(revision),
    marker: markerOf(entity, payload),
    digest: createHash('sha256').update(body).digest('base64'),
    answered,
  };
}
