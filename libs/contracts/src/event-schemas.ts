import Joi from 'joi';
import {
  dataListViewSchema,
  formViewSchema,
  submissionMembers,
  submissionViewSchema,
} from './entity-schemas';
import type { EventData, EventType, SettingsChanged, SettingsRef, SettingsScope } from './events';
import { exactObject } from './exact-object';
import {
  deliveryDeadSchema,
  endpointDisabledSchema,
  endpointFailingSchema,
  endpointRecoveredSchema,
} from './operational-events';
import { wireId } from './wire-types';

const settingsMembers: Joi.StrictSchemaMap<SettingsRef> = {
  scope: Joi.string<SettingsScope>().valid('form', 'tenant').description('whose settings they are'),
  scopeId: wireId.description('form id or tenant id'),
  version: wireId.description('number of the version, from 1'),
};

/** Which webhook settings were in force; their content never leaves submissions-svc by an event. */
export const settingsRefSchema = exactObject<SettingsRef>('SettingsRef', settingsMembers).description(
  'The webhook settings in force when the event happened.',
);

export const settingsChangedSchema = exactObject<SettingsChanged>('SettingsChanged', settingsMembers)
  .description('Which webhook settings have a new version; never a URL or a key.')
  .example({ scope: 'tenant', scopeId: '1', version: '3' });

type StatusChanged = EventData['submission.collection_status_changed'];

export const submissionStatusChangedSchema = exactObject<StatusChanged>('SubmissionStatusChanged', {
  ...submissionMembers,
  previousCollectionStatus: Joi.string().description(
    'collectionStatus before the change; `in_progress` if the submission was created with the screen-out',
  ),
}).description('A submission, and what its collectionStatus was before.');

/** Schema of each event's data: exactly what its type says. */
export const eventDataSchemas: { readonly [T in EventType]: Joi.ObjectSchema<EventData[T]> } = {
  'form.created': formViewSchema,
  'form.updated': formViewSchema,
  'form.enabled_state_changed': formViewSchema,
  'form.deleted': formViewSchema,
  'form.webhook_settings_changed': settingsChangedSchema,
  'tenant.webhook_settings_changed': settingsChangedSchema,
  'submission.created': submissionViewSchema,
  'submission.updated': submissionViewSchema,
  'submission.completed': submissionViewSchema,
  'submission.collection_status_changed': submissionStatusChangedSchema,
  'submission.deleted': submissionViewSchema,
  'datalist.created': dataListViewSchema,
  'datalist.imported': dataListViewSchema,
  'datalist.updated': dataListViewSchema,
  'datalist.deleted': dataListViewSchema,
  'webhook.endpoint_failing': endpointFailingSchema,
  'webhook.endpoint_disabled': endpointDisabledSchema,
  'webhook.endpoint_recovered': endpointRecoveredSchema,
  'webhook.delivery_dead': deliveryDeadSchema,
};

/** When each event is published. */
export const eventSummaries: Readonly<Record<EventType, string>> = {
  'form.created': 'A form was created.',
  'form.updated': 'A form was updated; also by an update that changed nothing.',
  'form.enabled_state_changed':
    '`isEnabled` of a form changed; `form.updated` with the same revision follows.',
  'form.deleted': 'A form was deleted (softly); `data` is the form as it was last.',
  'form.webhook_settings_changed': "A form's webhook settings have a new version.",
  'tenant.webhook_settings_changed': "A tenant's webhook settings have a new version.",
  'submission.created': 'A submission was begun: it is neither complete nor screened out.',
  'submission.updated': 'A submission changed in another way than by the events below.',
  'submission.completed': 'A submission became complete; once per submission.',
  'submission.collection_status_changed': 'A respondent was screened out.',
  'submission.deleted': 'A submission was deleted; `data` is what was there last.',
  'datalist.created': 'A data list was created.',
  'datalist.imported': 'All items of a data list were replaced.',
  'datalist.updated': 'A data list changed, but not by an import.',
  'datalist.deleted': 'A data list was deleted; `data` is what was there last.',
  'webhook.endpoint_failing':
    'A webhook endpoint failed so often in a row that it is paused and then tried with single deliveries.',
  'webhook.endpoint_disabled':
    'A webhook endpoint is sent nothing any more: it said 410, had no success for days, or a person disabled it.',
  'webhook.endpoint_recovered':
    'A webhook endpoint that was failing took a delivery, or one that was disabled is enabled.',
  'webhook.delivery_dead':
    'A webhook delivery failed to the end of its schedule; after a resend it may do so again.',
};

export const eventTypes = Object.keys(eventDataSchemas) as EventType[];
