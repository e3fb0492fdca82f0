import type { DataListView, FormView, SubmissionView } from './entities';
import type {
  DeliveryDead,
  EndpointDisabled,
  EndpointFailing,
  EndpointRecovered,
} from './operational-events';

/**
 * Every event on the `service.events` exchange, by routing key, with the data it carries. One persisted change emits
 * one event, the most specific one (a submission created complete is `submission.completed` with revision 1), except
 * a form update that changes `isEnabled`, which emits `form.enabled_state_changed` and then `form.updated` with the
 * same revision.
 */
export interface EventData {
  'form.created': FormView;
  'form.updated': FormView;
  'form.enabled_state_changed': FormView;
  'form.deleted': FormView;
  'form.webhook_settings_changed': SettingsChanged;
  'tenant.webhook_settings_changed': SettingsChanged;
  'submission.created': SubmissionView;
  'submission.updated': SubmissionView;
  'submission.completed': SubmissionView;
  'submission.collection_status_changed': SubmissionView & { previousCollectionStatus: string };
  'submission.deleted': SubmissionView;
  'datalist.created': DataListView;
  'datalist.imported': DataListView;
  'datalist.updated': DataListView;
  'datalist.deleted': DataListView;
  'webhook.endpoint_failing': EndpointFailing;
  'webhook.endpoint_disabled': EndpointDisabled;
  'webhook.endpoint_recovered': EndpointRecovered;
  'webhook.delivery_dead': DeliveryDead;
}

/** Routing key, `<entity>.<event>`; of the relay's operational events `webhook.<entity>_<event>`. */
export type EventType = keyof EventData;
export type EventEntity = 'form' | 'tenant' | 'submission' | 'datalist' | 'endpoint' | 'delivery';

/** Kind of the entity that events of this type tell of. */
export function eventEntityOf(type: EventType): EventEntity {
  return type.replace(/^webhook\./, '').split(/[._]/)[0] as EventEntity;
}

/** Carries only the new version, never the settings: a message holds no URL and no secret. */
export interface SettingsChanged {
  scope: SettingsScope;
  scopeId: string;
  version: string;
}

export type SettingsScope = 'form' | 'tenant';

/** Names the webhook settings in force when the event happened; their owner, submissions-svc, keeps every version. */
export interface SettingsRef {
  scope: SettingsScope;
  /** Form id or tenant id. */
  scopeId: string;
  version: string;
}

/** What a RabbitMQ message holds, as JSON. `messageId` of the message equals `id`. */
export interface EventEnvelope<T extends EventType = EventType> {
  /** Event id, decimal string; becomes the webhook message's `Id`. */
  id: string;
  type: T;
  schemaVersion: 1;
  tenantId: string;
  entity: EventEntity;
  entityId: string;
  /** The form the entity belongs to (its own id for a form), null where there is none. */
  formId: string | null;
  /** Revision of the entity after the change, decimal string. */
  revision: string;
  occurredAt: string;
  /** Null: neither the form nor its tenant has webhook settings, or the event is not one that webhooks carry. */
  settings: SettingsRef | null;
  /** W3C trace context of the request that made the change. */
  traceparent: string | null;
  data: EventData[T];
}
