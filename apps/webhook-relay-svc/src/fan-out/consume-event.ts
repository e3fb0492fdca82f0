import {
  eventEnvelopeSchema,
  webhookEventOf,
  type EventEnvelope,
  type SettingsChanged,
  type SettingsRef,
} from '@canvass/contracts';
import type { IncomingMessage, Outcome } from '@canvass/messaging';
import { sqlState } from '@canvass/postgres';
import { continueTrace, type Logger, type Tracing } from '@canvass/service-kit';
import Joi from 'joi';
import type { Settings, SettingsState } from '../endpoints';
import type { FanOut } from './fan-out';

export interface EventConsumerDeps {
  fanOut: FanOut;
  settings: Settings;
  logger: Logger;
  tracing: Tracing;
  /**
   * Told, after their commit, of new deliveries that are not under way: to publish jobs or wake sweepers.
   * Must not throw.
   */
  announce(deliveryIds: string[]): Promise<void>;
}

const ownerAwayRetryMs = 5_000;

const id = Joi.string()
  .pattern(/^[0-9]{1,19}$/)
  .required();

const settingsChangedSchema = Joi.object<SettingsChanged>({
  scope: Joi.valid('form', 'tenant').required(),
  scopeId: id,
  version: id,
}).unknown(true);

/**
 * Handles one event. Acked only after its deliveries are committed. While the settings' owner is away it
 * waits in the retry queues, which are not counted by the delivery limit; what can never be handled is
 * `dead`.
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
      ? { retryInMs: ownerAwayRetryMs }
      : dead(message, 'the webhook settings of the event do not exist');

  async function settingsChanged(envelope: EventEnvelope, message: IncomingMessage): Promise<Outcome> {
    const { value, error } = settingsChangedSchema.validate(envelope.data);
    if (error) return dead(message, error.message);
    const state = await settings.ensureCurrent(envelope.tenantId, value);
    return state === 'known' ? 'ack' : settingsMissing(state, message);
  }

  async function webhookEvent(
    envelope: EventEnvelope,
    ref: SettingsRef,
    message: IncomingMessage,
  ): Promise<Outcome> {
    const kind = webhookEventOf(envelope.type);
    if (!kind) return 'ack';
    const state = await settings.ensure(envelope.tenantId, ref);
    if (state !== 'known') return settingsMissing(state, message);
    const deliveryIds = await fanOut({ envelope, kind, settings: ref });
    if (deliveryIds.length > 0) await announce(deliveryIds);
    return 'ack';
  }

  /** From the moment it came until its deliveries are committed. */
  function trace({ id, type, traceparent }: EventEnvelope, startedAt: number, outcome: Outcome): void {
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
    const envelope = envelopeOf(message.body);
    if (typeof envelope === 'string') return dead(message, envelope);
    const outcome = await handle(envelope, message);
    trace(envelope, startedAt, outcome);
    return outcome;
  };

  async function handle(envelope: EventEnvelope, message: IncomingMessage): Promise<Outcome> {
    try {
      if (envelope.type.endsWith('.webhook_settings_changed'))
        return await settingsChanged(envelope, message);
      return envelope.settings === null ? 'ack' : await webhookEvent(envelope, envelope.settings, message);
    } catch (error) {
      // Class 22, data exception: the same values will never fit.
      if (sqlState(error)?.startsWith('22')) return dead(message, String(error));
      throw error;
    }
  }
}

/** The envelope, or what is wrong with it. */
function envelopeOf(body: Buffer): EventEnvelope | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    return 'the body is not JSON';
  }
  const { value, error } = eventEnvelopeSchema.validate(parsed);
  return error ? error.message : value;
}
