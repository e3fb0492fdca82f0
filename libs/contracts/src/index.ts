export {
  collectionStatuses,
  type CollectionStatus,
  type DataListItem,
  type DataListView,
  type HostedPage,
  type FormView,
  type ListOrder,
  type ReviewStatus,
  type SubmissionView,
} from './entities';
export { dataListExample, dataListItemExample, formExample, submissionExample } from './entity-examples';
export {
  dataListItemSchema,
  dataListMembers,
  dataListViewSchema,
  formMembers,
  submissionMembers,
  submissionViewSchema,
} from './entity-schemas';
export {
  eventEnvelopeSchema,
  eventHeadersSchema,
  eventMessageFault,
  eventMessageSchemas,
  type EventHeaders,
} from './event-envelope';
export { eventExample } from './event-examples';
export { eventDataSchemas, eventSummaries, eventTypes } from './event-schemas';
export { exactObject } from './exact-object';
export type {
  DeliveryDead,
  EndpointDisabled,
  EndpointFailing,
  EndpointRecovered,
} from './operational-events';
export { wireDate, wireId } from './wire-types';
export type {
  ErasedAnswers,
  EventData,
  EventEntity,
  EventEnvelope,
  EventType,
  ExportChanged,
  FormsResynced,
  ImportChanged,
  SettingsResynced,
  SettingsChanged,
  SettingsRef,
} from './events';
export {
  exchanges,
  queues,
  retryQueueName,
  retryTiersMs,
  isRequiredEvent,
  serviceTopology,
  type QueueDeclaration,
  type Topology,
} from './topology';
export { productVersion } from './product-version';
export { brokerRights, wakeQueueName, type BrokerRights } from './broker-rights';
export {
  webhookAlert,
  webhookAlertExample,
  webhookAlertSchema,
  type AlertKind,
  type EndpointScope,
  type WebhookAlert,
} from './webhook-alert';
export { webhookEventOf, webhookEvents, type WebhookEventKind, type WebhookMessage } from './webhook-message';
export {
  secretMask,
  settingsVersionName,
  webhookEventNames,
  webhookFormats,
  webhookPayloads,
  type EventCondition,
  type ResolvedAuthentication,
  type ResolvedWebhookEndpoint,
  type ResolvedWebhookSettings,
  type SettingsScope,
  type WebhookAuthentication,
  type WebhookCertificate,
  type WebhookEndpoint,
  type WebhookEventName,
  type WebhookEventSettings,
  type WebhookFormat,
  type WebhookPayload,
  type WebhookSettings,
} from './webhook-settings';
