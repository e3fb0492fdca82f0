import type { DataListView, FormView, ReviewStatus, SubmissionView } from './entities';
import type {
  DeliveryDead,
  EndpointDisabled,
  EndpointFailing,
  EndpointRecovered,
} from './operational-events';
import type { SettingsScope } from './webhook-settings';

/**
 * Every event on the `service.events` exchange, by routing key, with its data. One persisted change emits one
 * event, the most specific one: a submission created complete is `submission.completed` with revision 1.
 * Exception: a form update that changes `isEnabled` emits `form.enabled_state_changed` and then
 * `form.updated` with the same revision.
 */
export interface EventData {
  'form.created': FormView;
  'form.updated': FormView;
  'form.enabled_state_changed': FormView;
  'form.deleted': FormView;
  'form.resynced': FormView;
  'form.webhook_settings_changed': SettingsChanged;
  'tenant.webhook_settings_changed': SettingsChanged;
  'tenant.forms_resynced': FormsResynced;
  'tenant.settings_resynced': SettingsResynced;
  'submission.created': SubmissionIds;
  'submission.updated': SubmissionIds;
  'submission.saved': SubmissionView;
  'submission.completed': SubmissionView;
  'submission.status_changed': SubmissionView & { previousStatus: ReviewStatus };
  'submission.collection_status_changed': SubmissionView & { previousCollectionStatus: string };
  'submission.deleted': SubmissionIds;
  'submission.erased': SubmissionErased;
  'submitter.erased': SubmitterErased;
  'export.running': ExportChanged;
  'export.done': ExportChanged;
  'export.failed': ExportChanged;
  'export.cancelled': ExportChanged;
  'datalist.created': DataListView;
  'datalist.imported': DataListView;
  'datalist.updated': DataListView;
  'datalist.deleted': DataListView;
  'import.receiving': ImportChanged;
  'import.ready': ImportChanged;
  'import.rejected': ImportChanged;
  'import.applied': ImportChanged;
  'import.deleted': ImportChanged;
  'webhook.endpoint_failing': EndpointFailing;
  'webhook.endpoint_disabled': EndpointDisabled;
  'webhook.endpoint_recovered': EndpointRecovered;
  'webhook.delivery_dead': DeliveryDead;
}

/**
 * Routing key, `<entity>.<event>`; for operational events of the relay `webhook.<entity>_<event>`. The
 * RabbitMQ user of each service may publish its own first words only, see `brokerRights`.
 */
export type EventType = keyof EventData;
export type EventEntity =
  'form' | 'tenant' | 'submission' | 'submitter' | 'datalist' | 'endpoint' | 'delivery' | 'export' | 'import';

/** The kind of entity that changes with an event of this type. */
export function eventEntityOf(type: EventType): EventEntity {
  return type.replace(/^webhook\./, '').split(/[._]/)[0] as EventEntity;
}

/**
 * Ids only: what no consumer needs does not cross RabbitMQ, above all unfinished answers. The API has more.
 * Where an endpoint asks for a change that does not complete a submission, it is `submission.saved` or
 * `submission.status_changed` instead.
 */
export interface SubmissionIds {
  id: string;
  formId: string;
  revision: string;
}

/** `kept`: the answers are anonymous now. `deleted`: they were deleted, too. */
export type ErasedAnswers = 'kept' | 'deleted';

/** The erasure of a submission. Who holds data of earlier events of this submission must delete it. */
export interface SubmissionErased extends SubmissionIds {
  answers: ErasedAnswers;
}

/** The erased respondent; each of their submissions has an event of its own. */
export interface SubmitterErased {
  id: string;
  answers: ErasedAnswers;
}

/** A stored export that has another state. Its file and its filters are not in the event. */
export interface ExportChanged {
  id: string;
  formId: string;
  revision: string;
  state: 'running' | 'done' | 'failed' | 'cancelled';
}

/** A staged import of a data list that has another state, or that was deleted. */
export interface ImportChanged {
  id: string;
  listId: string;
  revision: string;
  state: 'receiving' | 'ready' | 'rejected' | 'applied' | 'deleted';
}

/** Each form of the tenant that exists has had an event since then. */
export interface FormsResynced {
  /** An event id. Forms whose last event has a smaller id do not exist. */
  since: string;
}

/**
 * All webhook settings of the tenant that exist. Others with a version smaller than `since` do not exist. The
 * list makes the order of events irrelevant.
 */
export interface SettingsResynced {
  /** An id from before the settings were read. */
  since: string;
  /** The tenant and the forms that have, or had, settings. */
  scopeIds: string[];
}

/** Contains only the new version: a message has no URL and no secret. */
export interface SettingsChanged {
  scope: SettingsScope;
  scopeId: string;
  version: string;
}

/** Names the webhook settings in force at the event. Their owner, submissions-svc, keeps every version. */
export interface SettingsRef {
  scope: SettingsScope;
  /** Form id or tenant id. */
  scopeId: string;
  version: string;
}

/** The JSON of a RabbitMQ message. The `messageId` of the message equals `id`. */
export interface EventEnvelope<T extends EventType = EventType> {
  /** Event id, decimal string; becomes the webhook message's `Id`. */
  id: string;
  type: T;
  schemaVersion: 1;
  tenantId: string;
  entity: EventEntity;
  entityId: string;
  /** The form that the entity belongs to (for a form its own id), or null. */
  formId: string | null;
  /** Revision of the entity after the change, decimal string. */
  revision: string;
  occurredAt: string;
  /** Null if neither the form nor its tenant has webhook settings, or for an event without webhooks. */
  settings: SettingsRef | null;
  /** W3C trace context of the request that made the change. */
  traceparent: string | null;
  data: EventData[T];
}
