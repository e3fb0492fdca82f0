export type {
  CollectionStatus,
  DataListItem,
  DataListView,
  FormView,
  ReviewStatus,
  SubmissionView,
} from './entities';
export {
  eventEnvelopeSchema,
  type EventData,
  type EventEntity,
  type EventEnvelope,
  type EventType,
  type SettingsChanged,
  type SettingsRef,
  type SettingsScope,
} from './events';
export {
  exchanges,
  queues,
  retryQueueName,
  retryTiersMs,
  serviceTopology,
  type QueueDeclaration,
  type Topology,
} from './topology';
export { webhookEventOf, webhookEvents, type WebhookEventKind, type WebhookMessage } from './webhook-message';
export {
  apiKeyMask,
  webhookEventNames,
  type ResolvedWebhookEndpoint,
  type ResolvedWebhookSettings,
  type WebhookEndpoint,
  type WebhookEventName,
  type WebhookEventSettings,
  type WebhookSettings,
} from './webhook-settings';
