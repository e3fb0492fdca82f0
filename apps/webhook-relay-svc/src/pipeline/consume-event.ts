import {
  webhookEventOf,
  type ErasedAnswers,
  type EventEnvelope,
  type SettingsRef,
  type SettingsResynced,
} from '@canvass/contracts';
import type { IncomingMessage, Outcome } from '@canvass/messaging';
import { sqlState } from '@canvass/postgres';
import { continueTrace, type Logger, type Tracing } from '@canvass/service-kit';
import type { Settings, SettingsState } from '../endpoints';
import type { AskTexts } from '../answer-texts';
import { messageBody, splitEvent } from '../event-bytes';
import { leftOutOf, type FilteredCounts } from '../event-filter';
import type { FanOut } from './fan-out';
import type { Job } from './leases';

/** An erased submission. */
export interface Erasure {
  tenantId: string;
  entityId: string;
  /** The id of the event that reports the erasure. */
  eventId: string;
  answers: ErasedAnswers;
}

export interface EventConsumerDeps {
  fanOut: FanOut;
  settings: Settings;
  askTexts: AskTexts;
  filtered: Pick<FilteredCounts, 'count'>;
  /** Stores the erasure, by which the copies of a submission are erased. */
  erase(erasure: Erasure): Promise<void>;
  logger: Logger;
  tracing: Tracing;
  /** Called, after their commit, with new deliveries that were not started. Must not throw. */
  announce(jobs: Job[]): Promise<void>;
}

/** An event without its data. */
export type EventHead = Omit<EventEnvelope, 'data'>;

const retryMs = 5_000;

/** Five minutes without labels of data lists; then texts have the values. */
const labelsMissing = 'labels_missing';
const maxWaitsForLabels = 60;

/**
 * Faults of the values: constraint, limit. They may pass, but not for ever. A statement that exceeds its
 * time (57014) shows a slow database and not a bad event, so it is retried without limit.
 */
const repeatedFault = /^(23|54)/;
const maxRepeats = 20;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isId = (value: unknown) => isText(value) && /^[0-9]{1,19}$/.test(value);
const isSettingsRef = (value: unknown): value is SettingsRef => {
  const { scope, scopeId, version } = (value ?? {}) as Partial<SettingsRef>;
  return (scope === 'form' || scope === 'tenant') && isId(scopeId) && isId(version);
};
const isResynced = (value: unknown): value is SettingsResynced => {
  const { since, scopeIds } = (value ?? {}) as Partial<SettingsResynced>;
  return isId(since) && Array.isArray(scopeIds) && scopeIds.every(isId);
};
const orNull = (isRight: (value: unknown) => boolean) => (value: unknown) => value === null || isRight(value);

/** The checks of `eventEnvelopeSchema` of the contracts, which takes longer than the rest of the handling. */
const headMembers: Record<keyof EventHead, (value: unknown) => boolean> = {
  id: isId,
  type: (value) => isText(value) && /^[a-z]+\.[a-z_]+$/.test(value),
  schemaVersion: (value) => value === 1,
  tenantId: isId,
  entity: isText,
  entityId: isId,
  formId: orNull(isId),
  revision: isId,
  occurredAt: (value) => isText(value) && !Number.isNaN(Date.parse(value)),
  settings: orNull(isSettingsRef),
  traceparent: orNull(isText),
};

/**
 * Handles one event. Acked only after its deliveries are committed. While the owner of the settings does
 * not respond, the event waits in the retry queues, which the delivery limit does not count. An event that
 * can never be handled, or that fails too often for one cause, is `dead`.
 */
export function eventConsumer(deps: EventConsumerDeps): (message: IncomingMessage) => Promise<Outcome> {
  const { fanOut, settings, logger, tracing, announce } = deps;

  const dead = (message: IncomingMessage, reason: string): Outcome => {
    const { messageId, routingKey } = message;
    logger.error({ messageId, routingKey, reason }, 'unprocessable event dead-lettered');
    return 'dead';
  };

  const settingsMissing = (state: Exclude<SettingsState, 'known'>, message: IncomingMessage): Outcome =>
    state === 'away'
      ? { retryInMs: retryMs }
      : dead(message, 'the webhook settings of the event do not exist');

  async function settingsChanged(head: EventHead, data: Buffer, message: IncomingMessage): Promise<Outcome> {
    const changed: unknown = JSON.parse(data.toString('utf8'));
    if (!isSettingsRef(changed)) return dead(message, 'its data name no version of settings');
    const state = await settings.ensureCurrent(head.tenantId, changed);
    return state === 'known' ? 'ack' : settingsMissing(state, message);
  }

  async function settingsResynced({ tenantId }: EventHead, data: Buffer, message: IncomingMessage) {
    const resynced: unknown = JSON.parse(data.toString('utf8'));
    if (!isResynced(resynced)) return dead(message, 'its data name no settings');
    await settings.endLost(tenantId, resynced);
    return 'ack';
  }

  async function erased({ tenantId, entityId, id }: EventHead, data: Buffer, message: IncomingMessage) {
    const { answers } = JSON.parse(data.toString('utf8')) as Partial<Erasure>;
    if (answers !== 'kept' && answers !== 'deleted')
      return dead(message, 'its data does not say what was erased');
    await deps.erase({ tenantId, entityId, eventId: id, answers });
    return 'ack';
  }

  async function webhookEvent(
    head: EventHead,
    data: Buffer,
    ref: SettingsRef,
    message: IncomingMessage,
  ): Promise<Outcome> {
    const kind = webhookEventOf(head.type);
    if (!kind) return 'ack';
    const { tenantId, formId } = head;
    const state = await settings.ensure(tenantId, ref);
    if (state !== 'known') return settingsMissing(state, message);
    const special = await settings.specialTargets(tenantId, ref, kind.eventName);
    const leftOut = special.length === 0 ? [] : leftOutOf({ formId, data }, special);
    const wantsTexts = special.some((target) => target.wantsTexts && !leftOut.includes(target.endpointId));
    const texts = wantsTexts && formId !== null ? await textsOf({ tenantId, formId, data }, message) : null;
    if (texts !== null && typeof texts !== 'string') return texts;
    const body = messageBody(head, kind, data, texts);
    const jobs = await fanOut({ envelope: head, kind, settings: ref, body, leftOut });
    deps.filtered.count(tenantId, leftOut);
    if (jobs.length > 0) await announce(jobs);
    return 'ack';
  }

  /** JSON of the answers as people read them, or when to try again. */
  async function textsOf(
    asked: Parameters<AskTexts>[0],
    message: IncomingMessage,
  ): Promise<string | Outcome> {
    const texts = await deps.askTexts(asked);
    if (texts === 'away') return { retryInMs: retryMs };
    const { cause, count } = message.retriesOfCause ?? { cause: '', count: 0 };
    if (!texts.hasListLabels && (cause !== labelsMissing || count < maxWaitsForLabels))
      return { retryInMs: retryMs, cause: labelsMissing };
    return texts.json;
  }

  /** The span from its arrival until its deliveries are committed. */
  function trace({ id, type, traceparent }: EventHead, startedAt: number, outcome: Outcome): void {
    if (!tracing.enabled || traceparent === null) return;
    tracing.record({
      name: `process ${type}`,
      kind: 'consumer',
      traceparent: continueTrace(traceparent),
      parent: traceparent,
      startedAt,
      attributes: { 'messaging.system': 'rabbitmq', 'messaging.message.id': id },
      error: outcome === 'ack' ? undefined : outcome === 'dead' ? 'dead' : 'retry',
    });
  }

  return async (message) => {
    const startedAt = Date.now();
    const event = eventIn(message.body);
    if (typeof event === 'string') return dead(message, event);
    const outcome = await handle(event, message);
    trace(event.head, startedAt, outcome);
    return outcome;
  };

  async function handle({ head, data }: { head: EventHead; data: Buffer }, message: IncomingMessage) {
    try {
      if (head.type.endsWith('.webhook_settings_changed')) return await settingsChanged(head, data, message);
      if (head.type === 'tenant.settings_resynced') return await settingsResynced(head, data, message);
      if (head.type === 'submission.erased') return await erased(head, data, message);
      return head.settings === null ? 'ack' : await webhookEvent(head, data, head.settings, message);
    } catch (error) {
      const state = sqlState(error) ?? '';
      if (repeatedFault.test(state)) {
        const { cause, count } = message.retriesOfCause ?? { cause: '', count: 0 };
        if (cause === state && count >= maxRepeats)
          return dead(message, `${count} retries: ${String(error)}`);
        logger.error({ messageId: message.messageId, error }, 'event failed; it will be retried');
        return { retryInMs: retryMs, cause: state };
      }
      // Class 22, data exception: the same values will never fit.
      if (error instanceof SyntaxError || state.startsWith('22')) return dead(message, String(error));
      throw error;
    }
  }
}

/** The checked head and the bytes of `data`, or what is wrong with the event. */
export function eventIn(body: Buffer): { head: EventHead; data: Buffer } | string {
  try {
    const { head, data } = splitEvent(body);
    const wrong = Object.entries(headMembers).find(([name, isRight]) => !isRight(head[name]));
    return wrong
      ? `its member ${wrong[0]} is missing or wrong`
      : { head: head as unknown as EventHead, data };
  } catch {
    return 'the body is not the JSON of an event';
  }
}
