import type { SubmissionView } from './entities';
import { dataListExample, formExample, submissionExample } from './entity-examples';
import { eventEntityOf, type EventData, type EventEnvelope, type EventType } from './events';
import type { EndpointState } from './operational-events';
import { webhookEventOf } from './webhook-message';

const begun: SubmissionView = {
  ...submissionExample,
  isComplete: false,
  currentPage: 0,
  jsonData: '{}',
  collectionStatus: 'in_progress',
  completedAt: null,
  modifiedAt: submissionExample.createdAt,
  revision: '1',
};

const submissionIds = { id: submissionExample.id, formId: submissionExample.formId };

const endpoint: EndpointState = {
  id: '186512345674000512',
  scope: 'tenant',
  scopeId: '1',
  failingSince: '2026-11-20T09:35:00.250Z',
};

const settings = { scope: 'tenant', scopeId: '1', version: '3' } as const;

const exported = { id: '186512345690000128', formId: formExample.id };
const imported = { id: '186512345691000192', listId: dataListExample.id };

const dataExamples: { readonly [T in EventType]: EventData[T] } = {
  'form.created': formExample,
  'form.updated': { ...formExample, description: 'Closed on Friday.', revision: '2' },
  'form.enabled_state_changed': { ...formExample, isEnabled: false, revision: '3' },
  'form.deleted': { ...formExample, revision: '4' },
  'form.resynced': formExample,
  'form.webhook_settings_changed': { scope: 'form', scopeId: formExample.id, version: '2' },
  'tenant.webhook_settings_changed': settings,
  'tenant.forms_resynced': { since: '186512345670000128' },
  'tenant.settings_resynced': { since: '186512345670000128', scopeIds: [formExample.id] },
  'submission.created': { ...submissionIds, revision: '1' },
  'submission.updated': { ...submissionIds, revision: '2' },
  'submission.saved': { ...begun, currentPage: 1, jsonData: submissionExample.jsonData, revision: '2' },
  'submission.completed': submissionExample,
  'submission.status_changed': {
    ...submissionExample,
    status: 'approved',
    revision: '3',
    previousStatus: 'new',
  },
  'submission.collection_status_changed': {
    ...begun,
    collectionStatus: 'screen_out',
    revision: '2',
    previousCollectionStatus: 'in_progress',
  },
  'submission.deleted': { ...submissionIds, revision: '3' },
  'submission.erased': { ...submissionIds, revision: '3', answers: 'deleted' },
  'submitter.erased': { id: submissionExample.submitterId!, answers: 'deleted' },
  'export.running': { ...exported, revision: '1', state: 'running' },
  'export.done': { ...exported, revision: '2', state: 'done' },
  'export.failed': { ...exported, revision: '2', state: 'failed' },
  'export.cancelled': { ...exported, revision: '2', state: 'cancelled' },
  'datalist.created': { ...dataListExample, itemsCount: 0, revision: '1' },
  'datalist.imported': dataListExample,
  'datalist.updated': { ...dataListExample, isActive: false, revision: '3' },
  'datalist.deleted': { ...dataListExample, revision: '4' },
  'import.receiving': { ...imported, revision: '1', state: 'receiving' },
  'import.ready': { ...imported, revision: '2', state: 'ready' },
  'import.rejected': { ...imported, revision: '2', state: 'rejected' },
  'import.applied': { ...imported, revision: '3', state: 'applied' },
  'import.deleted': { ...imported, revision: '4', state: 'deleted' },
  'webhook.endpoint_failing': { ...endpoint, failures: 5 },
  'webhook.endpoint_disabled': { ...endpoint, reason: 'failing' },
  'webhook.endpoint_recovered': { ...endpoint, reason: 'enabled' },
  'webhook.delivery_dead': {
    id: '186512345679001088',
    endpointId: endpoint.id,
    messageId: '186512345678901248',
    eventName: 'submission_completed',
    entityId: submissionExample.id,
    formId: submissionExample.formId,
    attempts: 12,
    lastOutcome: 'http_5xx',
    lastStatusCode: 503,
    occurredAt: submissionExample.modifiedAt,
  },
};

/** A made-up message of an event, for documents. */
export function eventExample<T extends EventType>(type: T): EventEnvelope<T> {
  const data: EventData[T] = dataExamples[type];
  const entity = eventEntityOf(type);
  const entityId = 'id' in data ? data.id : 'scopeId' in data ? data.scopeId : '1';
  const ofForm = 'formId' in data ? data.formId : null;
  return {
    id: '186512345678901248',
    type,
    schemaVersion: 1,
    tenantId: '1',
    entity,
    entityId,
    formId: entity === 'form' ? entityId : ofForm,
    revision: 'revision' in data ? data.revision : type === 'submitter.erased' ? '1' : '4',
    occurredAt: '2026-11-20T09:34:12.345Z',
    settings: webhookEventOf(type) ? settings : null,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    data,
  };
}
