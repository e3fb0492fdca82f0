import type { EventType } from './events';
import type { WebhookEventName } from './webhook-settings';

/** Body of a webhook request. The specification defines the names of its members. */
export interface WebhookMessage {
  /** Event id, decimal string; equals header X-Service-Hook-Id. */
  Id: string;
  EventName: string;
  Action: 'created' | 'updated' | 'deleted';
  Payload: Record<string, unknown>;
}

export interface WebhookEventKind {
  settingsName: WebhookEventName;
  /** `EventName` of the message and X-Service-Event. */
  eventName: string;
  /** X-Service-Entity. */
  entity: 'form' | 'submission' | 'submitter';
  action: WebhookMessage['Action'];
}

/**
 * The events with webhooks, by routing key: the six of the specification, two of further changes of
 * submissions, and two that report deletions with ids only. All other events are for internal consumers only.
 */
export const webhookEvents = {
  'form.created': {
    settingsName: 'FormCreated',
    eventName: 'form_created',
    entity: 'form',
    action: 'created',
  },
  'form.updated': {
    settingsName: 'FormUpdated',
    eventName: 'form_updated',
    entity: 'form',
    action: 'updated',
  },
  'form.enabled_state_changed': {
    settingsName: 'FormEnabledStateChanged',
    eventName: 'form_enabled_state_changed',
    entity: 'form',
    action: 'updated',
  },
  'form.deleted': {
    settingsName: 'FormDeleted',
    eventName: 'form_deleted',
    entity: 'form',
    action: 'deleted',
  },
  'submission.completed': {
    settingsName: 'SubmissionCompleted',
    eventName: 'submission_completed',
    entity: 'submission',
    action: 'updated',
  },
  'submission.collection_status_changed': {
    settingsName: 'SubmissionCollectionStatusChanged',
    eventName: 'submission_collection_status_changed',
    entity: 'submission',
    action: 'updated',
  },
  'submission.saved': {
    settingsName: 'SubmissionUpdated',
    eventName: 'submission_updated',
    entity: 'submission',
    action: 'updated',
  },
  'submission.status_changed': {
    settingsName: 'SubmissionStatusChanged',
    eventName: 'submission_status_changed',
    entity: 'submission',
    action: 'updated',
  },
  'submission.deleted': {
    settingsName: 'SubmissionDeleted',
    eventName: 'submission_deleted',
    entity: 'submission',
    action: 'deleted',
  },
  'submitter.erased': {
    settingsName: 'SubmitterErased',
    eventName: 'submitter_erased',
    entity: 'submitter',
    action: 'deleted',
  },
} as const satisfies Partial<Record<EventType, WebhookEventKind>>;

/** The webhook event of a routing key; undefined for an event without webhooks. */
export function webhookEventOf(type: string): WebhookEventKind | undefined {
  return (webhookEvents as Partial<Record<string, WebhookEventKind>>)[type];
}
